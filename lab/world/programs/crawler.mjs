/** Crawls and does nothing else, as `assay crawl` does. */

import { openStore } from '../../../dist/main/build/open-store.js';
import { readConfig } from '../../../dist/main/config/config.js';
import { hearCalls } from './hear-calls.mjs';
import { keepCrawling } from './keep-crawling.mjs';

async function start({ sellers, lists, userAgent }) {
  const { config } = readConfig();
  const store = await openStore(config);
  keepCrawling({ store, secret: config.secret, sellers, lists, userAgent, now: () => new Date() });
}

hearCalls({ start });
