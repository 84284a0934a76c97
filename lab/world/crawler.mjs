/** Crawls and does nothing else, as `assay crawl` does. */
import { readConfig } from '../../dist/main/config.js';
import { openStore } from '../../dist/main/open-store.js';
import { hearCalls } from './hear-calls.mjs';
import { keepCrawling } from './keep-crawling.mjs';

async function start({ sellers, lists, userAgent }) {
  const { config } = readConfig();
  const store = await openStore(config);
  keepCrawling({ store, secret: config.secret, sellers, lists, userAgent, now: () => new Date() });
}

hearCalls({ start });
