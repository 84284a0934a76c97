import { type DiscoveryList, readLists } from '../../core/crawl/list-settings.ts';
import { crawl } from '../../flows/crawl/crawl.ts';
import { onlyPlaces, placeOf } from '../../sandbox/open-places.ts';
import { createCrawl } from '../build/create-crawl.ts';
import { SYSTEM } from '../build/system.ts';
import type { Output } from '../commands/output.ts';
import { printCrawl } from '../commands/print-crawl.ts';
import type { Sandbox } from './start.ts';

const PAGES = { by: 'offset', size: 100 };
const ROWS: Readonly<Record<string, string>> = { bazaar: 'items', x402index: 'services' };

/** One run over the sandbox's own lists. */
export async function crawlSandbox(sandbox: Sandbox, output: Output): Promise<void> {
  const { ecosystem, store, outbound, secret, runLog, keepSnapshot } = sandbox;
  const printer = printCrawl({ output, json: false, terminal: null, stopwatch: SYSTEM.stopwatch });
  const lists = listsOf(ecosystem.discoveryLists);
  const places = Object.values(ecosystem.discoveryLists).map(placeOf);
  const parts = createCrawl({
    store,
    // Fetches the lists only; probes go through `outbound` to the sellers.
    outbound: { ...outbound, policy: onlyPlaces(places) },
    lists,
    secret,
    runLog,
    limit: null,
    ...SYSTEM,
  });
  const watching = { onPhase: printer.onPhase, onReceipt: printer.onReceipt, isStopped: () => false };
  await crawl({ always: true }, { ...parts, ...watching, afterPublishing: () => keepSnapshot() });
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
