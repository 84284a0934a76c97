import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CrawlTimes, costOf, stubbedHosts, wholeCrawl } from './crawl-parts.ts';
import type { Report } from './findings.ts';

/** A run of a million listed URLs on SQLite, from its list to its publication; only the network is left out. */
const SCALE = { endpoints: 1_000_000, hosts: 10_000, hostsAtOnce: 60 };
const RSS_MAX_MB = 400;

export async function benchCrawlMemory(): Promise<Report> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-bench-'));
  try {
    let times: CrawlTimes = { listing: 0, publication: 0 };
    const { seconds } = await costOf(async () => {
      times = await wholeCrawl(folder, SCALE, stubbedHosts);
    });
    const rssMb = process.resourceUsage().maxRSS / 1_024;
    return {
      about: `A run of ${SCALE.endpoints} listed URLs on SQLite, from its list to its publication, without a network.`,
      findings: [
        { what: 'list and seal', measured: `${times.listing.toFixed(0)} s` },
        { what: 'publish', measured: `${times.publication.toFixed(0)} s` },
        { what: 'all of it', measured: `${seconds.toFixed(0)} s` },
        {
          what: 'largest RSS',
          measured: `${rssMb.toFixed(0)} MB`,
          bound: `<= ${RSS_MAX_MB} MB`,
          kept: rssMb <= RSS_MAX_MB,
        },
      ],
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
