import { afterEach, describe, expect, it } from 'vitest';
import type { Store } from '../../../src/adapters/store/store.ts';
import { crawl } from '../../../src/flows/crawl/crawl.ts';
import type { CrawlPorts } from '../../../src/flows/crawl/crawl-ports.ts';
import { probeHosts } from '../../../src/flows/crawl/probe-hosts.ts';
import { ownAddress } from '../../../tools/samples/own-address.ts';
import {
  type CrawlChild,
  crawlChild,
  startWatchedSeller,
  type WatchedSeller,
} from '../../support/crawling/crawl-child.ts';
import {
  freeze,
  lapse,
  lapseLead,
  leftTo,
  lostBy,
  unexplained,
} from '../../support/crawling/crawl-losses.ts';
import {
  type CrawlWorld,
  generatedRows,
  KINDS,
  type Kind,
  listOf,
  startCrawlWorld,
} from '../../support/crawling/crawl-world.ts';
import { probingHarness } from '../../support/probing/probing.ts';
import { sized } from '../../support/sized.ts';
import { usePostgres } from '../../support/storing/postgres-places.ts';
import { newSqlitePlace, type Place } from '../../support/storing/stores.ts';

const ROWS = generatedRows(600, 40);
const LISTS = ['first', 'second'].map((name) =>
  listOf(
    name,
    ROWS.filter(({ list }) => list === name),
  ),
);
/** Paths of a template and of a dead host are never asked for, those of a picky one twice. */
const REQUESTS = 534;

const OFF_MS = 7_200_000;
const LEADERS = sized(4, 10);

const newPostgresPlace = usePostgres();
const closing: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function startWorld(): Promise<CrawlWorld> {
  const world = await startCrawlWorld(LISTS);
  closing.push(world.close);
  return world;
}

async function startSellers(): Promise<WatchedSeller> {
  const sellers = await startWatchedSeller();
  closing.push(sellers.close);
  return sellers;
}

async function placeOf(newPlace: () => Promise<Place>): Promise<Place> {
  const place = await newPlace();
  closing.push(place.remove);
  return place;
}

async function readyChild(): Promise<CrawlChild> {
  const child = crawlChild();
  closing.push(child.kill);
  await child.ready();
  return child;
}

/** What the latest run says of each URL. */
async function published({ runs }: Store): Promise<ReadonlyMap<string, string>> {
  const run = await runs.latest();
  const pages = Array.from({ length: run?.summary.receiptPages ?? 0 }, (_, page) =>
    runs.page(run?.id ?? '', 'all', page + 1),
  );
  const receipts = (await Promise.all(pages)).flat();
  expect(receipts).toHaveLength(ROWS.length);
  return new Map(receipts.map(({ url, verdict, reason }) => [url, `${verdict}: ${reason}`]));
}

/** What the paths of the generated world tell. */
const TRUTH: ReadonlyMap<string, string> = new Map(
  ROWS.map(({ target: { href } }) => {
    const name = new URL(href).pathname.split('/')[1];
    const kind = Object.keys(KINDS).find((known): known is Kind => known === name) ?? 'free';
    return [href, `${KINDS[kind].verdict}: ${KINDS[kind].reason}`];
  }),
);

const sum = (counts: Iterable<number>) => [...counts].reduce((total, count) => total + count, 0);

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((done) => setTimeout(done, 5));
}

async function runInProbing({ jobs }: Store): Promise<string> {
  const state = { phase: '', runId: '' };
  await until(async () => {
    Object.assign(state, JSON.parse((await jobs.read('crawl'))?.state ?? '{}'));
    return state.phase === 'probing';
  });
  return state.runId;
}

/** Counts how often it looked for a host and got none. */
function lookingCounted(parts: CrawlPorts) {
  const looks = { inVain: 0 };
  const take: CrawlPorts['work']['take'] = async (...asked) => {
    const taken = await parts.work.take(...asked);
    if (taken.length === 0) looks.inVain += 1;
    return taken;
  };
  return { looks, parts: { ...parts, work: { ...parts.work, take } } };
}

describe('a crawl on PostgreSQL with several workers', () => {
  it.each([
    [1, 'the smallest company'],
    [3, 'more than there are processor cores'],
  ])('says what one alone on SQLite says, with %i beside the leader: %s', async (helpers) => {
    const alone = await (await placeOf(newSqlitePlace)).open();
    const quiet = await startWorld();
    await crawl({ always: false }, quiet.parts(alone));

    const place = await placeOf(newPostgresPlace);
    const { parts, seen } = await startWorld();
    const kept = new Map<number, number>();
    const worker = async (number: number): Promise<CrawlPorts> =>
      parts(await place.open(), {
        hostsAtOnce: 4,
        onReceipt: () => kept.set(number, (kept.get(number) ?? 0) + 1),
      });
    const leader = await place.open();
    const others = await Promise.all(Array.from({ length: helpers }, (_, n) => worker(n + 1)));
    const leading = crawl({ always: false }, await worker(0));
    const runId = await runInProbing(leader);
    await Promise.all([leading, ...others.map((each) => probeHosts(runId, each.newId(), each))]);

    const said = await published(leader);
    expect(said).toEqual(await published(alone));
    expect(said).toEqual(TRUTH);
    expect(seen.mostPerHost).toBeLessThanOrEqual(3);
    expect([...seen.requests].filter(([, times]) => times !== 1)).toEqual([]);
    expect(seen.requests.size).toBe(REQUESTS);
    // Otherwise nothing was shared.
    expect(kept.size).toBe(1 + helpers);
    expect(sum(kept.values())).toBe(600);
  });

  it('loses nothing when a worker is killed midway', async () => {
    const place = await placeOf(newPostgresPlace);
    const sellers = await startSellers();
    const { parts } = await startWorld();
    const store = await place.open();
    const { openHost } = probingHarness(sellers.port, {
      timeoutMs: 30_000,
      resolve: async (name) =>
        name.startsWith('dead-')
          ? { kind: 'not_found' }
          : { kind: 'addresses', addresses: [ownAddress(name)] },
    });
    const child = await readyChild();
    const leader = lookingCounted(parts(store, { openHost, hostsAtOnce: 2 }));
    const leading = crawl({ always: false }, leader.parts);
    const runId = await runInProbing(store);
    const task = { place, rows: ROWS, sellerPort: sellers.port, hostsAtOnce: 4, aheadMs: 0 };
    child.go({ ...task, runId, owner: 'helper' });
    await child.untilReceipts(30);
    await child.kill();
    await freeze(place, 'helper');
    const losses = await lostBy(place, 'helper', sellers);
    expect(losses).not.toEqual([]);
    expect(losses.length).toBeLessThanOrEqual(4 * 3);
    // Not before it waits for them: a leader that does not would publish without.
    await until(
      async () => (await store.crawlWork.progress(runId)).urlsLeft === (await leftTo(place, 'helper')),
    );
    const { inVain } = leader.looks;
    await Promise.race([leading, until(async () => leader.looks.inVain > inVain)]);
    expect(await store.runs.latest()).toBeNull();
    await lapse(place, 'helper');

    expect((await leading).kind).toBe('published');
    expect(await published(store)).toEqual(TRUTH);
    expect(sellers.mostPerHost()).toBeLessThanOrEqual(3);
    expect(sellers.asked.size).toBe(REQUESTS);
    expect(unexplained(sellers.asked, losses)).toEqual([]);
  });
});

describe('a crawl on SQLite whose leaders have wrong clocks and are killed, one after the other', () => {
  it('is published whole, and asks again only for what was in flight', async () => {
    const place = await placeOf(newSqlitePlace);
    const sellers = await startSellers();
    const task = { runId: null, place, rows: ROWS, sellerPort: sellers.port, hostsAtOnce: 4 };
    // The lead goes by the clock of the store: somebody two hours ahead must not take it for long lost.
    const bystander = (await startWorld()).parts(await place.open(), {
      now: () => new Date(Date.now() + 2 * OFF_MS),
    });
    const losses: string[] = [];
    const moments = Array.from({ length: LEADERS }, () => 20 + Math.floor(Math.random() * 35));
    const lives = `killed after ${moments.join(', ')} receipts`;
    for (const [life, moment] of moments.entries()) {
      const child = await readyChild();
      child.go({ ...task, owner: `leader${life}`, aheadMs: life % 2 === 0 ? OFF_MS : -OFF_MS });
      await child.untilReceipts(moment);
      expect((await crawl({ always: true }, bystander)).kind, lives).toBe('led_elsewhere');
      await child.kill();
      await freeze(place, `leader${life}`);
      const lost = await lostBy(place, `leader${life}`, sellers);
      // Three requests to each of four hosts, and nothing besides.
      expect(lost.length, lives).toBeLessThanOrEqual(4 * 3);
      losses.push(...lost);
      await lapse(place, `leader${life}`);
      await lapseLead(place);
    }
    const [{ kept } = {}] = await place.ask('select count(*) as kept from crawl_targets where done = 1');
    // Each kept all but what was in flight.
    expect(kept, lives).toBeGreaterThanOrEqual(LEADERS * (20 - 4 * 3));
    expect(kept, lives).toBeLessThan(600);
    const store = await place.open();
    expect(await store.runs.latest(), lives).toBeNull();

    const last = await readyChild();
    last.go({ ...task, owner: 'last', aheadMs: OFF_MS });
    expect(await last.ended(), lives).toBe('published');
    expect(await published(store), lives).toEqual(TRUTH);
    expect(sellers.mostPerHost(), lives).toBeLessThanOrEqual(3);
    expect(sellers.asked.size, lives).toBe(REQUESTS);
    expect(unexplained(sellers.asked, losses), lives).toEqual([]);
  });
});
