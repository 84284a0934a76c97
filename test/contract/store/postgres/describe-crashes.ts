import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { encodeCrawlReceipt, encodeCrawlRun } from '../../../../src/adapters/store/crawl/crawl-codec.ts';
import { encodeLiveReceipt } from '../../../../src/adapters/store/receipts/receipt-codec.ts';
import type { Store } from '../../../../src/adapters/store/store.ts';
import { aCrawlReceipt, aRun } from '../../../../tools/samples/crawl-rows.ts';
import { aReceipt } from '../../../../tools/samples/store-receipts.ts';
import { aClaim } from '../../../support/paying/payments.ts';
import { sized } from '../../../support/sized.ts';
import { type StoreChild, storeChild } from '../../../support/storing/store-child.ts';
import type { NewPlace, Place } from '../../../support/storing/stores.ts';

const CRASHES = sized(5, 50);
/** From each store, before a process may die: so many lines, and one of each of these. */
const ACKNOWLEDGED = 10;
const SLOWEST = ['settled', 'published'];
/** Loading takes longer than writing and dying, so the next processes load meanwhile. */
const LOADING = 3;

/** What stores promise to a process that is killed. One process writes to all of them: starting it is what takes time. */
export function describeCrashes(newPlaces: Readonly<Record<string, NewPlace>>): void {
  describe('a killed process', () => {
    const places: Record<string, Place> = {};

    beforeEach(async () => {
      for (const [name, newPlace] of Object.entries(newPlaces)) places[name] = await newPlace();
    });
    afterEach(async () => {
      for (const place of Object.values(places)) await place.remove();
    });

    it('has lost nothing that it had acknowledged (G55)', async () => {
      const rounds = Array.from({ length: CRASHES }, (_, round) => prefixOf(round));
      const children = new Map(
        rounds.slice(0, LOADING).map((prefix) => [prefix, startWriter(places, prefix)]),
      );
      for (const [round, prefix] of rounds.entries()) {
        const child = children.get(prefix) ?? startWriter(places, prefix);
        const later = rounds[round + LOADING];
        if (later !== undefined) children.set(later, startWriter(places, later));
        await crash(child, Object.keys(places));
        for (const [name, place] of Object.entries(places)) {
          const found = await place.afterCrash();
          await expectAcknowledged(found, prefix, linesOf(child, name));
          await found.remove();
        }
      }
    }, 240_000);
  });
}

function prefixOf(round: number): string {
  return `sc-${round.toString(16).padStart(8, '0')}`;
}

function startWriter(places: Record<string, Place>, prefix: string): StoreChild {
  return storeChild('writeForEver', places, {
    prefix,
    receipt: encodeLiveReceipt(aReceipt()),
    row: encodeCrawlReceipt(aCrawlReceipt()),
    run: encodeCrawlRun(aRun('run')),
  });
}

/** At some moment after each store has acknowledged enough, which is in the middle of something else. */
async function crash(child: StoreChild, names: readonly string[]): Promise<void> {
  await child.ready();
  child.go();
  await child.until(() => names.every((name) => hasSaidEnough(linesOf(child, name))));
  await wait(Math.random() * 40);
  await child.kill();
}

type Line = readonly [what: string, value: string];

function hasSaidEnough(lines: readonly Line[]): boolean {
  return lines.length >= ACKNOWLEDGED && SLOWEST.every((wanted) => lines.some(([what]) => what === wanted));
}

function linesOf(child: StoreChild, name: string): Line[] {
  return child
    .lines()
    .map((line) => line.split(' '))
    .flatMap(([store, what = '', value = '']) => (store === name ? [[what, value] as const] : []));
}

/** What was acknowledged of one kind. */
type Said = (what: string) => string[];

async function expectAcknowledged(place: Place, prefix: string, lines: readonly Line[]): Promise<void> {
  const said: Said = (wanted) => lines.flatMap(([what, value]) => (what === wanted ? [value] : []));
  const store = await place.open();
  await expectReceipts(place, prefix, said);
  await expectPayments(place, store, prefix, said);
  await expectRuns(place, store, prefix, said);
  await store.close();
  if ('file' in place.settings) {
    expect(await place.ask('pragma integrity_check')).toEqual([{ integrity_check: 'ok' }]);
  }
}

async function expectReceipts(place: Place, prefix: string, said: Said): Promise<void> {
  const rows = await place.ask(`select id from live_receipts where id like '${prefix}%'`);
  const stored = new Set(rows.map(({ id }) => id));
  expect(said('stored').filter((id) => !stored.has(id))).toEqual([]);
  const [row] = await place.ask(`select used from counters where key = '${prefix}'`);
  expect(Number(row?.['used'] ?? 0)).toBeGreaterThanOrEqual(Math.max(0, ...said('counted').map(Number)));
}

async function expectPayments(place: Place, store: Store, prefix: string, said: Said): Promise<void> {
  const rows = await place.ask(
    `select key, state, prepared is not null as waits, answer is not null as answered, id is not null as readable
      from payments left join live_receipts on id = key where key like '${prefix}%'`,
  );
  const states = new Map(rows.map(({ key, state }) => [key, String(state)]));
  const stateOf = (key: string) => states.get(key) ?? 'lost';
  expect(said('claimed').filter((key) => stateOf(key) === 'lost')).toEqual([]);
  expect(said('prepared').filter((key) => !['settling', 'settled'].includes(stateOf(key)))).toEqual([]);
  expect(said('settled').filter((key) => stateOf(key) !== 'settled')).toEqual([]);
  // Answer and receipt come with the settlement or not at all.
  const broken = rows.filter(({ state, waits, answered, readable }) => {
    const settled = state === 'settled';
    return (
      Boolean(waits) !== (state === 'settling') ||
      Boolean(answered) !== settled ||
      Boolean(readable) !== settled
    );
  });
  expect(broken).toEqual([]);
  const [key = ''] = said('settled');
  const again = await store.payments.claim(aClaim({ key, requestKey: 'request' }));
  expect(again).toMatchObject({
    kind: 'settled',
    answer: { status: 200, headers: {}, body: `answer of ${key}` },
  });
}

/** A run is there with all its rows and pages, or nobody sees any of it. */
async function expectRuns(place: Place, store: Store, prefix: string, said: Said): Promise<void> {
  const runs = await place.ask(
    `select id, crawled_at is not null as visible,
      (select count(*) from crawl_receipts where run_id = crawl_runs.id) as receipts,
      (select count(*) from crawl_pages where run_id = crawl_runs.id) as pages
      from crawl_runs where id like '${prefix}%'`,
  );
  const visible = runs.filter((run) => Boolean(run['visible']));
  const ids = visible.map(({ id }) => id);
  expect(said('published').filter((id) => !ids.includes(id))).toEqual([]);
  const shapes = runs.map((run) => [Boolean(run['visible']), Number(run['receipts']), Number(run['pages'])]);
  const broken = shapes.filter(([seen, receipts, pages]) =>
    seen ? receipts !== 12 || pages !== 2 : pages !== 0,
  );
  expect(broken).toEqual([]);
  const [id = ''] = said('published');
  const pages = await Promise.all([1, 2, 3].map((page) => store.runs.page(id, 'skip', page)));
  expect(pages.map(({ length }) => length)).toEqual([8, 4, 0]);
}
