/** One run after the other over the lists of the world, and on with those that were left: the weekly crawl without its weeks. */
import { setTimeout as wait } from 'node:timers/promises';
import { readLists } from '../../../dist/core/crawl/list-settings.js';
import { crawl } from '../../../dist/flows/crawl/crawl.js';
import { createCrawl } from '../../../dist/main/build/create-crawl.js';
import { SYSTEM } from '../../../dist/main/build/system.js';
import { outboundTo } from './seller-outbound.mjs';

const PAGES = { by: 'offset', size: 100 };
const ROWS = { bazaar: 'items', x402index: 'services' };
const PAUSE_MS = 1_000;

/** Begins at once; what it returns ends it and waits until it has. */
export function keepCrawling({ store, secret, sellers, lists, userAgent, now }) {
  const entries = Object.entries(lists).map(([name, url]) => ({
    name,
    url,
    format: 'json',
    pages: PAGES,
    rows: [ROWS[name]],
  }));
  const state = { isStopped: false };
  const parts = createCrawl({
    store,
    outbound: {
      ...outboundTo(
        sellers.map(({ url }) => url),
        userAgent,
      ),
      // Lists may be read and sellers probed, and neither the other way round.
      policy: outboundTo(Object.values(lists), userAgent).policy,
    },
    lists: readLists(entries).lists,
    secret,
    blockedHosts: [],
    limit: null,
    ...SYSTEM,
    now,
  });
  const watching = { onPhase() {}, onReceipt() {}, isStopped: () => state.isStopped };
  const going = async () => {
    while (!state.isStopped) {
      // Its store may be gone for a while.
      await crawl({ always: true }, { ...parts, ...watching }).catch(() => {});
      await wait(PAUSE_MS);
    }
  };
  const gone = going();
  return async () => {
    state.isStopped = true;
    await gone;
  };
}
