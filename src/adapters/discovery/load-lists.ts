import { readFileSync } from 'node:fs';
import { type DiscoveryList, readLists } from '../../core/crawl/list-settings.ts';
import { parseJson } from '../../core/x402/read-json.ts';

const FILE = new URL('../../../catalog/discovery.json', import.meta.url);

/** The discovery lists of the bundled file, or of the operator's file. A mistake is reported in one line. */
export function loadLists(file: URL | string = FILE): readonly DiscoveryList[] {
  const shown = file === FILE ? 'catalog/discovery.json' : String(file);
  const data = parseJson(readFileSync(file, 'utf8'));
  if (data === undefined) throw new Error(`${shown}: is not JSON`);
  const reading = readLists(data);
  if (reading.kind === 'lists') return reading.lists;
  throw new Error(`${shown}: ${reading.name}: ${reading.field} ${reading.problem}`);
}
