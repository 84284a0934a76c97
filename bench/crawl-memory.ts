import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CrawlTimes, costOf, stubbedHosts, wholeCrawl } from './crawl-parts.ts';
import { printTable } from './measure.ts';

/** A run of a million listed URLs on SQLite, from its list to its publication; only the network is left out. */
const SCALE = { endpoints: 1_000_000, hosts: 10_000, hostsAtOnce: 60 };
const RSS_MAX_MB = 400;

const folder = mkdtempSync(join(tmpdir(), 'assay-bench-'));
try {
  let times: CrawlTimes = { listing: 0, publication: 0 };
  const { seconds } = await costOf(async () => {
    times = await wholeCrawl(folder, SCALE, stubbedHosts);
  });
  const rssMb = process.resourceUsage().maxRSS / 1_024;
  printTable(
    ['listed URLs', 'list and seal, s', 'publish, s', 'all, s', 'largest RSS, MB', 'bound, MB'],
    [
      [
        String(SCALE.endpoints),
        times.listing.toFixed(0),
        times.publication.toFixed(0),
        seconds.toFixed(0),
        rssMb.toFixed(0),
        String(RSS_MAX_MB),
      ],
    ],
  );
  if (rssMb > RSS_MAX_MB) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
