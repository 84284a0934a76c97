import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { encodeLiveReceipt } from '../../src/adapters/store/receipt-codec.ts';
import { type StoreChild, storeChild } from '../support/store-child.ts';
import { aReceipt } from '../support/store-receipts.ts';
import type { NewPlace, Place } from '../support/stores.ts';

const CRASHES = 50;
/** From each store, before a process may die. */
const ACKNOWLEDGED = 10;
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

    it(`has lost nothing that it had acknowledged, ${CRASHES} times over (G55)`, async () => {
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
    }, 120_000);
  });
}

function prefixOf(round: number): string {
  return `sc-${round.toString(16).padStart(8, '0')}`;
}

function startWriter(places: Record<string, Place>, prefix: string): StoreChild {
  return storeChild('writeForEver', places, { receipt: encodeLiveReceipt(aReceipt()), prefix });
}

/** At some moment after each store has acknowledged enough, which is in the middle of something else. */
async function crash(child: StoreChild, names: readonly string[]): Promise<void> {
  await child.ready();
  child.go();
  await child.until(() => names.every((name) => linesOf(child, name).length >= ACKNOWLEDGED));
  await wait(Math.random() * 40);
  await child.kill();
}

function linesOf(child: StoreChild, name: string): (readonly [what: string, value: string])[] {
  return child
    .lines()
    .map((line) => line.split(' '))
    .flatMap(([store, what = '', value = '']) => (store === name ? [[what, value] as const] : []));
}

async function expectAcknowledged(
  place: Place,
  prefix: string,
  lines: readonly (readonly [what: string, value: string])[],
): Promise<void> {
  const store = await place.open();
  expect(await store.receipts.latestOf('key', 'live', 1)).toHaveLength(1);
  await store.close();
  const said = (wanted: string) => lines.flatMap(([what, value]) => (what === wanted ? [value] : []));
  const rows = await place.ask(`select id from live_receipts where id like '${prefix}%'`);
  const stored = new Set(rows.map(({ id }) => id));
  expect(said('stored').filter((id) => !stored.has(id))).toEqual([]);
  const [row] = await place.ask(`select used from counters where key = '${prefix}'`);
  expect(Number(row?.['used'] ?? 0)).toBeGreaterThanOrEqual(Math.max(0, ...said('counted').map(Number)));
  if ('file' in place.settings) {
    expect(await place.ask('pragma integrity_check')).toEqual([{ integrity_check: 'ok' }]);
  }
}
