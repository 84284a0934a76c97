import { type DiscoveryList, readLists } from '../../core/crawl/list-settings.ts';
import { crawl } from '../../flows/crawl/crawl.ts';
import { onlyPlaces, placeOf } from '../../sandbox/open-places.ts';
import { createCrawl } from '../build/create-crawl.ts';
import { THIS_MACHINE } from '../build/system.ts';
import { sayCrawl } from '../commands/print-crawl.ts';
import type { Voice } from '../commands/print-verified.ts';
import type { Sandbox } from './start.ts';

const PAGES = { by: 'offset', size: 100 };
const ROWS: Readonly<Record<string, string>> = { bazaar: 'items', x402index: 'services' };

/** One run over the sandbox's own lists. */
export async function crawlSandbox(sandbox: Sandbox, voice: Voice): Promise<void> {
  const { surroundings, store, reach, secret } = sandbox;
  const said = sayCrawl({ voice, json: false, terminal: null, stopwatch: THIS_MACHINE.stopwatch });
  const lists = listsOf(surroundings.discoveryLists);
  const places = Object.values(surroundings.discoveryLists).map(placeOf);
  const parts = createCrawl({
    store,
    // Lists may be read and sellers probed, and neither the other way round.
    reach: { ...reach, policy: onlyPlaces(places) },
    lists,
    secret,
    blockedHosts: [],
    limit: null,
    ...THIS_MACHINE,
  });
  const watching = { onPhase: said.onPhase, onReceipt: said.onReceipt, isStopped: () => false };
  await crawl({ always: true }, { ...parts, ...watching });
}

function listsOf(urls: Readonly<Record<string, string>>): readonly DiscoveryList[] {
  const entries = Object.entries(urls).map(([name, url]) => ({
    name,
    format: 'json',
    url,
    pages: PAGES,
    rows: [ROWS[name] ?? 'items'],
  }));
  const reading = readLists(entries);
  if (reading.kind === 'lists') return reading.lists;
  throw new Error(`the sandbox's lists: ${reading.name}: ${reading.field} ${reading.problem}`);
}
