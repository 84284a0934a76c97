import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqlite } from '../src/adapters/store/open-sqlite.ts';
import type { ListedEndpoint } from '../src/core/crawl/listed-endpoint.ts';
import { rankLists } from '../src/core/crawl/merge-listings.ts';
import { urlKeyOf } from '../src/core/keyed-hash.ts';
import { CRAWL_REQUESTS_PER_HOST } from '../src/core/limits.ts';
import { parseTargetUrl } from '../src/core/url/target-url.ts';
import { crawl } from '../src/flows/crawl.ts';
import type { DiscoverySource } from '../src/ports/discovery.ts';
import { startLoopbackSeller } from './loopback-prober.ts';
import { median, printTable } from './measure.ts';

/** A whole crawl, from its list to its publication, beside a loop that only probes; the two take turns. */
const HOSTS = 60;
const URLS_PER_HOST = 50;
const HOSTS_AT_ONCE = 20;
const ROUNDS = 3;

const seller = await startLoopbackSeller();
const rows = Array.from({ length: HOSTS * URLS_PER_HOST }, (_, n) => listedAt(n));

function listedAt(n: number): ListedEndpoint {
  const reading = parseTargetUrl(`http://host-${n % HOSTS}.example.net/data/${n}`);
  if (reading.kind === 'invalid') throw new Error('a listed URL of the benchmark should be a URL');
  const claim = { price: null, payTo: null, network: null };
  return { target: reading.target, method: 'GET', claim, example: null, list: 'bench', listedIn: ['bench'] };
}

const list: DiscoverySource = {
  name: 'bench',
  async *read() {
    for (let start = 0; start < rows.length; start += 300)
      yield { kind: 'endpoints', endpoints: rows.slice(start, start + 300) };
    const counts = { items: rows.length, leftOut: new Map(), announced: null };
    yield { kind: 'ended', outcome: { kind: 'read', cut: null, ...counts } };
  },
};

/** So many take from the front until nothing is left. */
async function inLanes<T>(
  lanes: number,
  items: readonly T[],
  run: (item: T) => Promise<void>,
): Promise<void> {
  const waiting = [...items];
  const lane = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await run(next);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}

/** The same requests under the same limits; nothing is listed, judged or kept. */
async function bareLoop(): Promise<void> {
  const hosts = Array.from({ length: HOSTS }, (_, host) => rows.filter((_row, n) => n % HOSTS === host));
  await inLanes(HOSTS_AT_ONCE, hosts, (urls) =>
    inLanes(CRAWL_REQUESTS_PER_HOST, urls, async ({ target }) => {
      const { kind } = await seller.prober.probe({ target, method: 'GET' });
      if (kind !== 'answered') throw new Error(`a bare probe ended as ${kind}`);
    }),
  );
}

async function wholeCrawl(folder: string, round: number): Promise<void> {
  const store = await openSqlite({ file: join(folder, `round-${round}.db`) });
  let ids = 0;
  const crawled = await crawl(
    { always: true },
    {
      jobs: store.jobs,
      runs: store.runs,
      work: store.crawlWork,
      lists: [list],
      openHost: seller.openHost,
      keyOf: urlKeyOf('a secret of the benchmark'),
      rank: rankLists(['bench']),
      isBlocked: () => false,
      limit: null,
      hostsAtOnce: HOSTS_AT_ONCE,
      now: () => new Date(),
      wait: (milliseconds) => new Promise((done) => setTimeout(done, milliseconds)),
      stopwatch: () => performance.now(),
      newId: () => `bench-${++ids}`,
      onPhase: () => {},
      onReceipt: () => {},
      isStopped: () => false,
    },
  );
  const covered = crawled.kind === 'published' ? crawled.run.summary.endpointsCovered : 0;
  if (covered !== rows.length)
    throw new Error(`the crawl ended as ${crawled.kind} with ${covered} endpoints`);
  await store.close();
}

async function secondsOf(run: () => Promise<void>): Promise<number> {
  const start = process.hrtime.bigint();
  await run();
  return Number(process.hrtime.bigint() - start) / 1e9;
}

const folder = mkdtempSync(join(tmpdir(), 'assay-bench-'));
const times = { bare: [] as number[], crawl: [] as number[] };
try {
  // The first probes of a process are slow, and would count against whoever is first.
  await bareLoop();
  for (let round = 0; round < ROUNDS; round += 1) {
    times.bare.push(await secondsOf(bareLoop));
    times.crawl.push(await secondsOf(() => wholeCrawl(folder, round)));
  }
} finally {
  seller.close();
  rmSync(folder, { recursive: true, force: true });
}

const [bareSeconds, crawlSeconds] = [median(times.bare), median(times.crawl)];
console.log(`${rows.length} endpoints on ${HOSTS} hosts, ${HOSTS_AT_ONCE} hosts at once`);
printTable(
  ['one process', 'median s', 'endpoints per second', 'of bare'],
  [
    ['bare loop', bareSeconds.toFixed(2), (rows.length / bareSeconds).toFixed(0), '1.00'],
    [
      'crawl on SQLite',
      crawlSeconds.toFixed(2),
      (rows.length / crawlSeconds).toFixed(0),
      (bareSeconds / crawlSeconds).toFixed(2),
    ],
  ],
);
