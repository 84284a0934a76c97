import { readFileSync } from 'node:fs';
import { readCatalog } from '../../core/catalog/read-catalog.ts';
import { buildTaskIndex, type TaskIndex } from '../../core/catalog/task-index.ts';
import { parseJson } from '../../core/x402/read-json.ts';

const FILE = new URL('../../../catalog/services.json', import.meta.url);

/** The services of the bundled catalog file. A mistake in it aborts the start with one line. */
export function loadCatalog(file: URL = FILE): TaskIndex {
  const data = parseJson(readFileSync(file, 'utf8'));
  if (data === undefined) throw new Error('catalog/services.json: is not JSON');
  const reading = readCatalog(data);
  if (reading.kind === 'catalog') return buildTaskIndex(reading.services);
  const { id, field, problem } = reading;
  throw new Error(`catalog/services.json: ${id}: ${field} ${problem}`);
}
