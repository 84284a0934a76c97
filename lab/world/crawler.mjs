/** Leads one run after the other over the lists of the world, as `assay crawl` does, and goes on with those that were left. */
import { setTimeout as wait } from 'node:timers/promises';
import { readLists } from '../../dist/core/crawl/list-settings.js';
import { crawl } from '../../dist/flows/crawl.js';
import { readConfig } from '../../dist/main/config.js';
import { createCrawl } from '../../dist/main/create-crawl.js';
import { openStore } from '../../dist/main/open-store.js';
import { THIS_MACHINE } from '../../dist/main/this-machine.js';
import { hearCalls } from './hear-calls.mjs';
import { reachOnly } from './seller-reach.mjs';

const PAGES = { by: 'offset', size: 100 };
const ROWS = { bazaar: 'items', x402index: 'services' };
const PAUSE_MS = 1_000;

const state = { published: 0, faults: [], isStopped: false };

async function start({ sellers, lists, userAgent }) {
  const { config } = readConfig();
  const store = await openStore(config);
  const entries = Object.entries(lists).map(([name, url]) => ({
    name,
    url,
    format: 'json',
    pages: PAGES,
    rows: [ROWS[name]],
  }));
  const { policy } = reachOnly(Object.values(lists), userAgent);
  const parts = createCrawl({
    store,
    reach: {
      ...reachOnly(
        sellers.map(({ url }) => url),
        userAgent,
      ),
      policy,
    },
    lists: readLists(entries).lists,
    secret: config.secret,
    blockedHosts: [],
    limit: null,
    ...THIS_MACHINE,
  });
  const watching = { onPhase() {}, onReceipt() {}, isStopped: () => state.isStopped };
  keepGoing(() => crawl({ always: true }, { ...parts, ...watching }));
}

async function keepGoing(once) {
  while (!state.isStopped) {
    try {
      if ((await once()).kind === 'published') state.published += 1;
    } catch (fault) {
      // Its store may be gone for a while.
      state.faults.push(String(fault));
    }
    await wait(PAUSE_MS);
  }
}

hearCalls({ start, published: () => state.published });
