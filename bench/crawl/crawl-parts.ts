import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { openSqlite } from '../../src/adapters/store/sqlite/open.ts';
import type { ListedEndpoint } from '../../src/core/crawl/listed-endpoint.ts';
import { rankLists } from '../../src/core/crawl/merge-listed.ts';
import { urlKeyOf } from '../../src/core/keyed-hash.ts';
import { parseTargetUrl } from '../../src/core/url/target-url.ts';
import { crawl } from '../../src/flows/crawl/crawl.ts';
import type { DiscoverySource } from '../../src/ports/discovery.ts';
import type { OpenHost } from '../../src/ports/prober.ts';
import { anywhere } from '../../tools/samples/placed.ts';

export interface CrawlScale {
  readonly endpoints: number;
  readonly hosts: number;
  readonly hostsAtOnce: number;
}

export function listedAt(n: number, hosts: number): ListedEndpoint {
  const reading = parseTargetUrl(`http://host-${n % hosts}.example.net/data/${n}`);
  if (reading.kind === 'invalid') throw new Error('a listed URL of the benchmark should be a URL');
  const claim = { price: null, payTo: null, network: null };
  return { target: reading.target, method: 'GET', claim, input: null, list: 'bench', listedIn: ['bench'] };
}

const BATCH = 500;

/** Made while it is read, so that the list itself takes no memory. */
function listOf({ endpoints, hosts }: CrawlScale): DiscoverySource {
  return {
    name: 'bench',
    async *read() {
      for (let start = 0; start < endpoints; start += BATCH) {
        const length = Math.min(BATCH, endpoints - start);
        yield {
          kind: 'endpoints',
          endpoints: Array.from({ length }, (_, n) => listedAt(start + n, hosts)),
        };
      }
      const counts = { items: endpoints, leftOut: new Map(), announced: null };
      yield { kind: 'ended', outcome: { kind: 'read', cut: null, ...counts } };
    },
  };
}

/** What parts of a crawl cost. */
export interface CrawlCosts {
  readonly listing: Cost;
  readonly publication: Cost;
  readonly all: Cost;
}

/** A whole crawl on a new SQLite file, from its list to its publication. */
export async function wholeCrawl(folder: string, scale: CrawlScale, openHost: OpenHost): Promise<CrawlCosts> {
  const store = await openSqlite({ file: join(folder, `${performance.now()}.db`) });
  const all = startCost();
  const state: { ids: number; listing: Cost; publication: (() => Cost) | null } = {
    ids: 0,
    listing: all(),
    publication: null,
  };
  const runs: typeof store.runs = {
    ...store.runs,
    // Publishing begins with reading what was found.
    rows(...asked) {
      state.publication ??= startCost();
      return store.runs.rows(...asked);
    },
  };
  const crawled = await crawl(
    { always: true },
    {
      jobs: store.jobs,
      runs,
      runLog: null,
      work: store.crawlWork,
      slots: store.slots,
      openEndpoints: store.openEndpoints,
      entropy: randomBytes,
      lists: [listOf(scale)],
      openHost,
      keyOf: urlKeyOf('a secret of the benchmark'),
      rank: rankLists(['bench']),
      isBlocked: () => false,
      limit: null,
      hostsAtOnce: scale.hostsAtOnce,
      now: () => new Date(),
      wait: (milliseconds) => new Promise((done) => setTimeout(done, milliseconds)),
      stopwatch: () => performance.now(),
      newId: () => `bench-${++state.ids}`,
      onPhase: ({ kind }) => {
        if (kind === 'probing') state.listing = all();
      },
      onReceipt: () => {},
      isStopped: () => false,
    },
  );
  const covered = crawled.kind === 'published' ? crawled.run.summary.endpointsCovered : 0;
  if (covered !== scale.endpoints)
    throw new Error(`the crawl ended as ${crawled.kind} with ${covered} endpoints`);
  if (state.publication === null) throw new Error('the crawl was published without being read');
  const costs = { listing: state.listing, publication: state.publication(), all: all() };
  await store.close();
  return costs;
}

/** Every probe is answered at once, and nothing is sent. */
export const stubbedHosts: OpenHost = () => ({
  locate: anywhere,
  probe: async () => ({
    kind: 'answered',
    status: 200,
    headers: [],
    body: new Uint8Array(),
    bodyComplete: true,
  }),
  close: () => {},
});

export interface Cost {
  readonly seconds: number;
  /** Of all threads: on a machine that has other work to do, it says more than the clock. */
  readonly cpuSeconds: number;
}

export async function costOf(run: () => Promise<unknown>): Promise<Cost> {
  const cost = startCost();
  await run();
  return cost();
}

/** Answers what it cost from here on. */
function startCost(): () => Cost {
  const [start, cpu] = [process.hrtime.bigint(), process.cpuUsage()];
  return () => {
    const { user, system } = process.cpuUsage(cpu);
    return { seconds: Number(process.hrtime.bigint() - start) / 1e9, cpuSeconds: (user + system) / 1e6 };
  };
}
