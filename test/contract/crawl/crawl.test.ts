import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Store } from '../../../src/adapters/store/store.ts';
import type { CrawlReceipt } from '../../../src/core/receipt/crawl-receipt.ts';
import { judgeAgain } from '../../../src/core/statement/judge-again.ts';
import { readStatement } from '../../../src/core/statement/read-statement.ts';
import { crawl } from '../../../src/flows/crawl/crawl.ts';
import { probeHosts } from '../../../src/flows/crawl/probe-hosts.ts';
import type { DiscoverySource } from '../../../src/ports/discovery.ts';
import {
  type CrawlWorld,
  generatedRows,
  KINDS,
  type Kind,
  listOf,
  startCrawlWorld,
} from '../../support/crawling/crawl-world.ts';
import { sized } from '../../support/sized.ts';
import { newSqlitePlace, type Place } from '../../support/storing/stores.ts';

const OF_A_KIND = sized(80, 200);
const ROWS = generatedRows(Object.keys(KINDS).length * OF_A_KIND, 60);
const onList = (name: string) => ROWS.filter(({ list }) => list === name);

let place: Place;
let store: Store;
let world: CrawlWorld | null = null;

beforeEach(async () => {
  place = await newSqlitePlace();
  store = await place.open();
});
afterEach(async () => {
  await world?.close();
  world = null;
  await place.remove();
});

async function startWorld(lists: readonly DiscoverySource[]): Promise<CrawlWorld> {
  world = await startCrawlWorld(lists);
  return world;
}

const LISTS = [listOf('first', onList('first')), listOf('second', onList('second'))];

async function published(): Promise<readonly CrawlReceipt[]> {
  const run = await store.runs.latest();
  if (run === null) return [];
  const pages = Array.from({ length: run.summary.receiptPages }, (_, page) =>
    store.runs.page(run.id, 'all', page + 1),
  );
  return (await Promise.all(pages)).flat();
}

/** Every receipt against the truth that its path tells. */
async function expectTruth(): Promise<void> {
  const receipts = await published();
  expect(receipts).toHaveLength(ROWS.length);
  const wrong = receipts.filter(({ url, verdict, reason }) => {
    const name = new URL(url).pathname.split('/')[1] ?? '';
    const kind = Object.keys(KINDS).find((known): known is Kind => known === name);
    return kind === undefined || KINDS[kind].verdict !== verdict || KINDS[kind].reason !== reason;
  });
  expect(wrong.map(({ url, reason }) => [url, reason])).toEqual([]);
}

/** Every published statement follows from what was seen. */
async function expectJudgedAgain(): Promise<void> {
  const ids = (await published()).map(({ id }) => id);
  const texts = await Promise.all(ids.map((id) => store.runs.statement(id)));
  const salts = new Set<string>();
  for (const text of texts) {
    const statement = readStatement(text ?? '');
    expect(statement === null ? 'unreadable' : judgeAgain(statement), text ?? '').toEqual([]);
    salts.add(statement?.salt ?? '');
  }
  expect(salts.size).toBe(ROWS.length);
}

describe('a crawl', () => {
  it('checks every listed URL once and publishes the truth, whole', async () => {
    const { parts, seen } = await startWorld(LISTS);
    const crawled = await crawl({ always: false }, parts(store));
    expect(crawled.kind).toBe('published');
    await expectTruth();
    await expectJudgedAgain();
    expect(seen.mostPerHost).toBeLessThanOrEqual(3);
    expect(seen.paymentHeaders).toBe(0);
    const asked = [...seen.requests].filter(([, times]) => times !== 1);
    expect(asked).toEqual([]);
    // A picky one twice: bare, and with the example.
    expect([...seen.requests.keys()].filter((path) => path.startsWith('/picky/'))).toHaveLength(
      2 * OF_A_KIND,
    );
    const summary = (await store.runs.latest())?.summary;
    expect(summary).toMatchObject({
      endpointsCovered: ROWS.length,
      newThisWeek: ROWS.length,
      verdicts: { pay: 2 * OF_A_KIND, skip: 6 * OF_A_KIND, recheck: OF_A_KIND },
    });
  });

  it('is due once a week, and only one process leads it', async () => {
    const { parts } = await startWorld([listOf('first', ROWS.slice(0, 40))]);
    const kinds = await Promise.all([1, 2, 3].map(() => crawl({ always: false }, parts(store))));
    expect(kinds.map(({ kind }) => kind).sort()).toEqual(['led_elsewhere', 'led_elsewhere', 'published']);
    expect(await crawl({ always: false }, parts(store))).toEqual({ kind: 'not_due' });
    const later = { now: () => new Date(Date.now() + 7 * 86_400_000 + 1) };
    expect((await crawl({ always: false }, parts(store, later))).kind).toBe('published');
    expect((await store.runs.latest())?.summary.newThisWeek).toBe(0);
  });

  it('is due although a wrong clock has dated the last one in the future', async () => {
    const { parts } = await startWorld([listOf('first', ROWS.slice(0, 40))]);
    const ahead = (ms: number) => ({ now: () => new Date(Date.now() + ms) });
    expect((await crawl({ always: false }, parts(store, ahead(365 * 86_400_000)))).kind).toBe('published');
    const wrong = await store.runs.latest();
    expect((await crawl({ always: false }, parts(store))).kind).toBe('published');
    const latest = await store.runs.latest();
    expect(latest?.id).not.toBe(wrong?.id);
    expect(latest?.summary.newThisWeek).toBe(0);
    expect(await crawl({ always: false }, parts(store))).toEqual({ kind: 'not_due' });
    // Another process may finish a run by a clock that is some minutes ahead.
    expect((await crawl({ always: true }, parts(store, ahead(240_000)))).kind).toBe('published');
    expect(await crawl({ always: false }, parts(store))).toEqual({ kind: 'not_due' });
  });

  it('shows nothing of a run that is not finished, and goes on where it was stopped', async () => {
    const { parts, seen } = await startWorld(LISTS);
    let receipts = 0;
    const stopping = {
      onReceipt: () => {
        receipts += 1;
      },
      isStopped: () => receipts >= 2 * OF_A_KIND,
    };
    expect(await crawl({ always: false }, parts(store, stopping))).toEqual({ kind: 'stopped' });
    expect([await store.runs.latest(), await published()]).toEqual([null, []]);
    const before = [...seen.requests.values()].reduce((sum, times) => sum + times, 0);
    expect(before).toBeLessThan(ROWS.length);
    // At once: whoever stops lets go of the lead.
    expect((await crawl({ always: false }, parts(store))).kind).toBe('published');
    await expectTruth();
    expect([...seen.requests.values()].filter((times) => times > 1)).toEqual([]);
  });

  it('hears a stop while a list is read, and reads that one again', async () => {
    const { parts } = await startWorld(LISTS);
    let isStopped = false;
    const slow = {
      ...listOf('first', onList('first')),
      async *read(signal?: AbortSignal) {
        isStopped = true;
        await new Promise((heard) => signal?.addEventListener('abort', heard));
        yield* listOf('first', [], true).read();
      },
    };
    const [, ...others] = LISTS;
    const stopping = { lists: [slow, ...others], isStopped: () => isStopped };
    expect(await crawl({ always: true }, parts(store, stopping))).toEqual({ kind: 'stopped' });
    expect((await crawl({ always: true }, parts(store))).kind).toBe('published');
    await expectTruth();
    expect((await store.runs.latest())?.sources.get('first')?.ok).toBe(true);
  });

  it('keeps the rows of a list that failed or shrank, and says so (G70)', async () => {
    const [first, second] = [onList('first'), onList('second')];
    const { parts } = await startWorld(LISTS);
    await crawl({ always: true }, parts(store));
    const ill = [listOf('first', first.slice(0, 10), true), listOf('second', second.slice(0, 10))];
    const crawled = await crawl({ always: true }, parts(store, { lists: ill }));
    expect(crawled.kind).toBe('published');
    await expectTruth();
    const sources = (await store.runs.latest())?.sources;
    expect(sources?.get('first')).toMatchObject({
      ok: false,
      note: `could not be reached; the ${first.length} rows of the previous run were kept`,
    });
    expect(sources?.get('second')?.note).toContain(`the ${second.length} rows of the previous run were kept`);
  });

  it('accepts a smaller list when three readings in a row agree (G70)', async () => {
    const { parts } = await startWorld(LISTS);
    const few = onList('second').slice(0, 10);
    const shrunk = { lists: [listOf('first', onList('first')), listOf('second', few)] };
    await crawl({ always: true }, parts(store));
    const noted: (boolean | undefined)[] = [];
    for (let run = 1; run <= 4; run += 1) {
      await crawl({ always: true }, parts(store, shrunk));
      noted.push((await store.runs.latest())?.sources.get('second')?.ok);
    }
    expect(noted).toEqual([false, false, true, true]);
    expect((await store.runs.latest())?.summary.listedIn.get('second')).toBe(10);
  });

  it('is shared by workers that come and go', async () => {
    const { parts, seen } = await startWorld(LISTS);
    const leading = crawl({ always: true }, parts(store));
    const runId = await runInProbing(store);
    const others = [1, 2].map(() => probeHosts(runId, parts(store).newId(), parts(store)));
    await Promise.all([leading, ...others]);
    await expectTruth();
    expect(seen.mostPerHost).toBeLessThanOrEqual(3);
    expect([...seen.requests.values()].filter((times) => times > 1)).toEqual([]);
  });

  it('leaves hosts alone that asked for it (G77)', async () => {
    const { parts, seen } = await startWorld([listOf('first', ROWS)]);
    await crawl({ always: true }, parts(store, { isBlocked: (host) => host === 'host-0.example' }));
    expect((await published()).filter(({ url }) => url.includes('//host-0.example'))).toEqual([]);
    expect([...seen.inFlight.keys()]).not.toContain('host-0.example');
  });
});

async function runInProbing({ jobs }: Store): Promise<string> {
  for (;;) {
    const state = JSON.parse((await jobs.read('crawl'))?.state ?? '{}');
    if (state.phase === 'probing') return state.runId;
    await new Promise((done) => setTimeout(done, 5));
  }
}
