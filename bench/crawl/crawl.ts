import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CRAWL_SLOTS_PER_TARGET } from '../../src/core/limits.ts';
import { inParallel } from '../../tools/in-parallel.ts';
import { median } from '../../tools/measure.ts';
import { anywhere } from '../../tools/samples/placed.ts';
import { startLoopbackSeller } from '../check/loopback-prober.ts';
import type { Finding, Report } from '../report/findings.ts';
import { type Cost, costOf, listedAt, stubbedHosts, wholeCrawl } from './crawl-parts.ts';

const ROUNDS = 5;
const HEALTHY = { endpoints: 3_000, hosts: 60, hostsAtOnce: 20 };
const LEAST_SHARE = 0.6;
/** One host in twenty never answers. The others have as many URLs. */
const HANGING = { endpoints: 1_800, hosts: 60, hostsAtOnce: 60 };
const HANGING_TIMEOUT_MS = 1_500;
const MOST_OVER_SLOWEST = 1.2;
const SIZES = [10_000, 100_000];

type Seller = Awaited<ReturnType<typeof startLoopbackSeller>>;

/** The same client, limits and kept connections; nothing is listed, judged or kept. */
async function bareLoop(seller: Seller): Promise<void> {
  const { endpoints, hosts, hostsAtOnce } = HEALTHY;
  const targets = Array.from({ length: endpoints }, (_, n) => listedAt(n, hosts).target);
  await inParallel(
    hostsAtOnce,
    Array.from({ length: hosts }, (_, host) => targets.filter((_target, n) => n % hosts === host)),
    async (urls) => {
      const prober = seller.openHost(urls[0]?.host ?? '');
      await inParallel(CRAWL_SLOTS_PER_TARGET, urls, async (target) => {
        const { kind } = await prober.probe({ target, method: 'GET' });
        if (kind !== 'answered') throw new Error(`a bare probe ended as ${kind}`);
      });
      prober.close();
    },
  );
}

async function benchHealthy(seller: Seller, folder: string): Promise<Finding> {
  const costs = { bare: [] as Cost[], crawl: [] as Cost[] };
  // The first probes of a process are slow, and would count against whoever is first.
  await bareLoop(seller);
  for (let round = 0; round < ROUNDS; round += 1) {
    costs.bare.push(await costOf(() => bareLoop(seller)));
    // From the list to the publication: a crawl every week does not make its store anew.
    costs.crawl.push((await wholeCrawl(folder, HEALTHY, seller.openHost)).all);
  }
  const { endpoints, hosts, hostsAtOnce } = HEALTHY;
  const [bare, crawl] = [medians(costs.bare), medians(costs.crawl)];
  const show = ({ seconds, cpuSeconds }: Cost) =>
    `${(endpoints / seconds).toFixed(0)}/s, ${((cpuSeconds * 1e6) / endpoints).toFixed(0)} µs of processor each`;
  const ratio = bare.seconds / crawl.seconds;
  return {
    what: `${endpoints} healthy endpoints on ${hosts} hosts, ${hostsAtOnce} at once`,
    measured: show(crawl),
    bare: show(bare),
    ratio,
    bound: `>= ${LEAST_SHARE}`,
    kept: ratio >= LEAST_SHARE,
  };
}

function medians(costs: readonly Cost[]): Cost {
  return {
    seconds: median(costs.map(({ seconds }) => seconds)),
    cpuSeconds: median(costs.map(({ cpuSeconds }) => cpuSeconds)),
  };
}

async function benchHanging(seller: Seller, folder: string): Promise<Finding> {
  const slow: typeof seller.openHost = (host) => ({
    locate: anywhere,
    probe: async () => {
      await new Promise((done) => setTimeout(done, HANGING_TIMEOUT_MS));
      return { kind: 'timed_out' };
    },
    close: () => void host,
  });
  const hangs = new Set(Array.from({ length: HANGING.hosts / 20 }, (_, n) => `host-${20 * n}.example.net`));
  const { seconds } = await costOf(() =>
    wholeCrawl(folder, HANGING, (host) => (hangs.has(host) ? slow(host) : seller.openHost(host))),
  );
  const urlsPerHost = HANGING.endpoints / HANGING.hosts;
  const slowest = (Math.ceil(urlsPerHost / CRAWL_SLOTS_PER_TARGET) * HANGING_TIMEOUT_MS) / 1_000;
  return {
    what: `${hangs.size} of ${HANGING.hosts} hosts hang, ${urlsPerHost} URLs each, ${HANGING_TIMEOUT_MS} ms a try`,
    measured: `${seconds.toFixed(2)} s`,
    bare: `${slowest.toFixed(2)} s, the slowest host alone`,
    ratio: seconds / slowest,
    bound: `<= ${MOST_OVER_SLOWEST}`,
    kept: seconds / slowest <= MOST_OVER_SLOWEST,
  };
}

async function benchSizes(folder: string): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  let first: number | null = null;
  for (const endpoints of SIZES) {
    const scale = { endpoints, hosts: endpoints / 10, hostsAtOnce: 60 };
    const { seconds, cpuSeconds } = await costOf(() => wholeCrawl(folder, scale, stubbedHosts));
    const each = (cpuSeconds * 1e6) / endpoints;
    first ??= each;
    findings.push({
      what: `${endpoints} endpoints from list to publication, no network, 10 URLs a host`,
      measured: `${seconds.toFixed(1)} s, ${each.toFixed(0)} µs of processor each`,
      ratio: each / first,
    });
  }
  return findings;
}

export async function benchCrawl(): Promise<Report> {
  const seller = await startLoopbackSeller();
  const folder = mkdtempSync(join(tmpdir(), 'assay-bench-'));
  try {
    const findings = [
      await benchHealthy(seller, folder),
      await benchHanging(seller, folder),
      ...(await benchSizes(folder)),
    ];
    const about = `A crawl on SQLite beside a bare loop with the same client, limits and kept connections; ${ROUNDS} rounds.`;
    return { about, findings };
  } finally {
    seller.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
