import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Store } from '../../../src/adapters/store/store.ts';
import { crawl } from '../../../src/flows/crawl/crawl.ts';
import type { CrawlPhase, CrawlPorts } from '../../../src/flows/crawl/crawl-ports.ts';
import { previewCrawl } from '../../../src/flows/crawl/preview-crawl.ts';
import { lapseLead } from '../../support/crawling/crawl-losses.ts';
import {
  type CrawlWorld,
  generatedRows,
  listOf,
  startCrawlWorld,
} from '../../support/crawling/crawl-world.ts';
import { newSqlitePlace, type Place } from '../../support/storing/stores.ts';

const ROWS = generatedRows(90, 6);
const FIRST = listOf('first', ROWS.slice(0, 60));
const SECOND = listOf('second', ROWS.slice(60));

let place: Place;
let store: Store;
let world: CrawlWorld;

beforeEach(async () => {
  place = await newSqlitePlace();
  store = await place.open();
  world = await startCrawlWorld([FIRST, SECOND]);
});
afterEach(async () => {
  await world.close();
  await place.remove();
});

const parts = (changes: Partial<CrawlPorts> = {}) => world.parts(store, changes);

/** Rows of each table that a run fills, and the runs themselves. */
async function stored(): Promise<readonly number[]> {
  const tables = [
    'crawl_receipts',
    'crawl_targets',
    'crawl_listed',
    'crawl_hosts',
    'crawl_runs',
    'crawl_work',
  ];
  const counts = tables.map(async (table) => {
    const [{ rows } = {}] = await place.ask(`select count(*) as rows from ${table}`);
    return Number(rows);
  });
  return Promise.all(counts);
}

function stoppingAfter(count: number): Pick<CrawlPorts, 'onReceipt' | 'isStopped'> {
  const told: unknown[] = [];
  return { onReceipt: (receipt) => void told.push(receipt), isStopped: () => told.length >= count };
}

describe('a part of a crawl', () => {
  it.each<[string, Partial<CrawlPorts>, number]>([
    ['one list of two', { lists: [FIRST] }, 60],
    ['the beginning of each list', { limit: 9 }, 18],
  ])('is shown and not published: %s', async (_, changes, endpoints) => {
    await crawl({ always: true }, parts());
    const before = {
      run: await store.runs.latest(),
      stored: await stored(),
      job: await store.jobs.read('crawl'),
    };
    const phases: CrawlPhase[] = [];
    const shown = await previewCrawl(parts({ ...changes, onPhase: (phase) => phases.push(phase) }));
    expect(shown.kind === 'shown' ? shown.run.summary : shown).toMatchObject({
      endpointsCovered: endpoints,
      newThisWeek: 0,
    });
    expect(phases.at(-1)?.kind).toBe('shown');
    expect(await store.runs.latest()).toEqual(before.run);
    expect(await stored()).toEqual(before.stored);
    const job = await store.jobs.read('crawl');
    expect([job?.state, job?.finishedAt]).toEqual([before.job?.state, before.job?.finishedAt]);
  });

  it('publishes nothing even when nothing was ever published, and the first crawl is still due', async () => {
    expect(await previewCrawl(parts({ limit: 9 }))).toMatchObject({
      kind: 'shown',
      run: { summary: { endpointsCovered: 18, newThisWeek: 18 } },
    });
    expect([await store.runs.latest(), await stored()]).toEqual([null, [0, 0, 0, 0, 0, 0]]);
    expect((await crawl({ always: false }, parts())).kind).toBe('published');
  });

  it('tells of a list that failed, and takes no rows of another run for it', async () => {
    await crawl({ always: true }, parts());
    const ill = [listOf('first', ROWS.slice(0, 10), true)];
    const shown = await previewCrawl(parts({ lists: ill }));
    expect(shown.kind === 'shown' ? shown.run.sources.get('first') : shown).toEqual({
      ok: false,
      items: null,
      skipped: false,
      note: 'could not be reached',
    });
  });

  it('leaves nothing behind when it is stopped', async () => {
    const stopping = stoppingAfter(20);
    expect(await previewCrawl(parts({ limit: 30, ...stopping }))).toEqual({ kind: 'stopped' });
    expect(await stored()).toEqual([0, 0, 0, 0, 0, 0]);
  });

  const later = { now: () => new Date(Date.now() + 61_000) };

  it.each<[string, () => Promise<unknown>]>([
    ['part', () => previewCrawl(parts({ ...later, limit: 9 }))],
    ['crawl', () => crawl({ always: true }, parts(later))],
  ])('that was killed is cleared away by the next %s', async (_, next) => {
    const killed = parts({
      onReceipt: () => {
        throw new Error('killed');
      },
      runs: { ...store.runs, discard: () => Promise.reject(new Error('dead')) },
    });
    await expect(previewCrawl(killed)).rejects.toThrow('dead');
    expect((await stored())[4]).toBe(1);
    await lapseLead(place);
    await next();
    const unpublished = await place.ask('select id from crawl_runs where crawled_at is null');
    expect(unpublished).toEqual([]);
  });

  it('does not begin beside a crawl, nor before one that was left is finished', async () => {
    const stopping = stoppingAfter(20);
    expect(await crawl({ always: true }, parts(stopping))).toEqual({ kind: 'stopped' });
    expect(await previewCrawl(parts({ limit: 9 }))).toEqual({ kind: 'run_open' });
    expect((await crawl({ always: true }, parts(later))).kind).toBe('published');
    const kinds = await Promise.all([crawl({ always: true }, parts(later)), previewCrawl(parts(later))]);
    expect(kinds.map(({ kind }) => kind)).toEqual([
      'published',
      expect.stringMatching(/led_elsewhere|run_open/),
    ]);
    const both = await Promise.all([
      previewCrawl(parts({ ...later, limit: 9 })),
      crawl({ always: true }, parts(later)),
    ]);
    expect(both.map(({ kind }) => kind)).toEqual(['shown', 'led_elsewhere']);
  });
});
