import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Store } from '../../../src/adapters/store/store.ts';
import { crawl } from '../../../src/flows/crawl/crawl.ts';
import type { CrawlPorts } from '../../../src/flows/crawl/crawl-ports.ts';
import { listed } from '../../../tools/samples/listed.ts';
import { anywhere } from '../../../tools/samples/placed.ts';
import {
  type CrawlWorld,
  generatedRows,
  listOf,
  startCrawlWorld,
} from '../../support/crawling/crawl-world.ts';
import { newSqlitePlace, type Place } from '../../support/storing/stores.ts';

const ROWS = generatedRows(36, 6);
const LISTS = [listOf('first', ROWS)];
const MINUTE_MS = 60_000;

/** A network that is away: no list can be read, no endpoint heard. */
const UNREADABLE: Partial<CrawlPorts> = { lists: [listOf('first', [], true)] };
const UNHEARD: Partial<CrawlPorts> = {
  openHost: () => ({
    locate: anywhere,
    probe: async () => ({ kind: 'unreachable', cause: 'connection_failed' }),
    close: () => {},
  }),
};

let place: Place;
let store: Store;
let world: CrawlWorld;

beforeEach(async () => {
  place = await newSqlitePlace();
  store = await place.open();
  world = await startCrawlWorld(LISTS);
});
afterEach(async () => {
  await world.close();
  await place.remove();
});

const later = (ms: number, changes: Partial<CrawlPorts> = {}) =>
  world.parts(store, { now: () => new Date(Date.now() + ms), ...changes });
const WEEK_MS = 7 * 24 * 60 * MINUTE_MS;

describe('a crawl without a network (L81)', () => {
  it.each<[string, Partial<CrawlPorts>, string]>([
    ['no list could be read', UNREADABLE, 'no_list_read'],
    ['no endpoint was heard', UNHEARD, 'most_unheard'],
  ])('%s: the published run stays, and the next one begins half an hour later', async (_, away, reason) => {
    expect((await crawl({ always: false }, later(0))).kind).toBe('published');
    const good = await store.runs.latest();
    const held = await crawl({ always: false }, later(WEEK_MS, away));
    expect(held).toEqual({ kind: 'held', reason });
    expect(await store.runs.latest()).toEqual(good);
    expect(await place.ask('select count(*) as runs from crawl_runs')).toEqual([{ runs: 1 }]);
    expect(await crawl({ always: false }, later(WEEK_MS + 29 * MINUTE_MS))).toEqual({ kind: 'not_due' });
    expect((await crawl({ always: false }, later(WEEK_MS + 31 * MINUTE_MS))).kind).toBe('published');
    expect((await store.runs.latest())?.summary).toMatchObject({
      endpointsCovered: ROWS.length,
      newThisWeek: 0,
      verdicts: good?.summary.verdicts,
    });
  });

  it('doubles the pause after each one that is held in a row', async () => {
    const unheardAfter = async (minutes: number) =>
      (await crawl({ always: false }, later(minutes * MINUTE_MS, UNHEARD))).kind;
    await crawl({ always: false }, later(0));
    let at = WEEK_MS / MINUTE_MS;
    expect(await unheardAfter(at)).toBe('held');
    for (const pause of [30, 60, 120]) {
      expect(await unheardAfter(at + pause - 1)).toBe('not_due');
      at += pause + 1;
      expect(await unheardAfter(at)).toBe('held');
    }
    // 240 minutes later it works again; the next one is held for half an hour.
    at += 241;
    expect((await crawl({ always: false }, later(at * MINUTE_MS))).kind).toBe('published');
    at += 1 + WEEK_MS / MINUTE_MS;
    expect(await unheardAfter(at)).toBe('held');
    expect(await unheardAfter(at + 29)).toBe('not_due');
    expect(await unheardAfter(at + 31)).toBe('held');
  });

  it('is not waited for once a wrong clock has dated it a year ahead', async () => {
    await crawl({ always: false }, later(0));
    expect((await crawl({ always: false }, later(52 * WEEK_MS, UNHEARD))).kind).toBe('held');
    expect((await crawl({ always: false }, later(WEEK_MS))).kind).toBe('published');
  });

  it('is published when one dead host has more endpoints than all others', async () => {
    const dead = Array.from({ length: ROWS.length + 1 }, (_, n) =>
      listed(`http://dead-name.example/${n}`, { list: 'first' }),
    );
    const lists = [listOf('first', [...ROWS, ...dead])];
    expect((await crawl({ always: false }, later(0, { lists }))).kind).toBe('published');
  });

  it('is published when a list invents more hosts than there are sellers', async () => {
    expect((await crawl({ always: true }, later(0))).kind).toBe('published');
    const invented = Array.from({ length: 40 }, (_, n) =>
      listed(`http://dead-invented-${n}.example/`, { list: 'first' }),
    );
    const lists = [listOf('first', [...ROWS, ...invented])];
    expect((await crawl({ always: true }, later(1, { lists }))).kind).toBe('published');
  });

  it('keeps the rows of a list for the run after the one that was held (G70)', async () => {
    await crawl({ always: true }, later(0));
    await crawl({ always: true }, later(1, UNHEARD));
    const failing = { lists: [listOf('first', [], true), listOf('second', ROWS.slice(0, 1))] };
    expect((await crawl({ always: true }, later(2, failing))).kind).toBe('published');
    const latest = await store.runs.latest();
    const rows = ROWS.filter(({ list }) => list === 'first').length;
    expect(latest?.sources.get('first')?.note).toContain(`the ${rows} rows of the previous run were kept`);
  });

  it('a leader that dies while it deletes the held run leaves nothing that is resumed', async () => {
    await crawl({ always: true }, later(0));
    const good = await store.runs.latest();
    const dying = later(1, UNHEARD);
    const runs = {
      ...dying.runs,
      discard: async () => {
        throw new Error('killed');
      },
    };
    await expect(crawl({ always: true }, { ...dying, runs })).rejects.toThrow('killed');
    // Its lease has run out.
    await place.ask('update jobs set held_until = 0');
    expect(await crawl({ always: false }, later(MINUTE_MS))).toEqual({ kind: 'not_due' });
    expect(await store.runs.latest()).toEqual(good);
    expect((await crawl({ always: false }, later(32 * MINUTE_MS))).kind).toBe('published');
    expect(await place.ask('select count(*) as runs from crawl_runs')).toEqual([{ runs: 2 }]);
  });

  it('publishes such a run when a person wants it', async () => {
    expect((await crawl({ always: true, publishAnyway: true }, later(0, UNHEARD))).kind).toBe('published');
    expect((await store.runs.latest())?.summary.verdicts.recheck).toBeGreaterThan(ROWS.length / 2);
  });
});

describe('a run that was left open', () => {
  const DAY_MS = 24 * 60 * MINUTE_MS;

  it.each<[string, days: number, receiptsOfThen: boolean]>([
    ['goes on when it was stopped for less than the life of a snapshot', 13, true],
    ['begins anew when it was stopped for longer', 15, false],
  ])('%s', async (_, days, hasOldReceipts) => {
    const receipts: number[] = [];
    const stopped = await crawl(
      { always: false },
      later(0, { onReceipt: () => receipts.push(0), isStopped: () => receipts.length > 5 }),
    );
    expect(stopped.kind).toBe('stopped');
    const [open] = await place.ask('select id from crawl_runs');
    const laterMs = days * DAY_MS;
    const crawled = await crawl({ always: false }, later(laterMs));
    const ids = await place.ask('select distinct run_id as id from crawl_receipts');
    expect(crawled.kind === 'published' && crawled.run.id === open?.['id']).toBe(hasOldReceipts);
    expect(ids).toEqual([{ id: crawled.kind === 'published' ? crawled.run.id : '' }]);
    const rows = await store.runs.rows(String(ids[0]?.['id']), null, 99);
    const isOld = ({ checkedAt }: { checkedAt: Date }) => checkedAt.getTime() < Date.now() + laterMs / 2;
    expect(rows.some(({ receipt }) => isOld(receipt))).toBe(hasOldReceipts);
    expect(rows).toHaveLength(ROWS.length);
  });

  it('is only finished when it is published already', async () => {
    const finish = () => Promise.reject(new Error('killed'));
    const jobs = { ...store.jobs, finish };
    await expect(crawl({ always: false }, later(0, { jobs }))).rejects.toThrow('killed');
    const published = await store.runs.latest();
    await place.ask('update jobs set holder = null');
    expect(await crawl({ always: false }, later(15 * DAY_MS))).toEqual({ kind: 'published', run: published });
  });
});
