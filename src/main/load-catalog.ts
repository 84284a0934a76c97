import { readFileSync } from 'node:fs';
import { readCatalog } from '../core/catalog/read-catalog.ts';
import { buildTaskIndex, type TaskIndex } from '../core/catalog/task-index.ts';

const FILE = new URL('../../catalog/services.json', import.meta.url);

/** The services we know, from the file that comes with the program. A mistake in it ends the start with one line. */
export function loadCatalog(): TaskIndex {
  const reading = readCatalog(JSON.parse(readFileSync(FILE, 'utf8')));
  if (reading.kind === 'catalog') return buildTaskIndex(reading.services);
  const { id, field, problem } = reading;
  throw new Error(`catalog/services.json: ${id}: ${field} ${problem}`);
}
