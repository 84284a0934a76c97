import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Report } from '../report/findings.ts';
import { type Cost, stubbedHosts, wholeCrawl } from './crawl-parts.ts';

/** A run of a million listed URLs on SQLite, from its list to its publication; only the network is left out. */
const SCALE = { endpoints: 1_000_000, hosts: 10_000, hostsAtOnce: 60 };
const RSS_MAX_MB = 400;

export async function benchCrawlMemory(): Promise<Report> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-bench-'));
  try {
    const { listing, publication, all } = await wholeCrawl(folder, SCALE, stubbedHosts);
    const rssMb = process.resourceUsage().maxRSS / 1_024;
    return {
      about: `A run of ${SCALE.endpoints} listed URLs on SQLite, from its list to its publication, without a network.`,
      findings: [
        { what: 'list and seal', measured: show(listing) },
        { what: 'publish', measured: show(publication) },
        { what: 'all of it', measured: show(all) },
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

function show({ seconds, cpuSeconds }: Cost): string {
  const each = (cpuSeconds * 1e6) / SCALE.endpoints;
  return `${seconds.toFixed(0)} s, ${cpuSeconds.toFixed(0)} s of processor, ${each.toFixed(0)} µs a URL`;
}
