import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseCheckpoint } from '../../../../src/core/log/checkpoint.ts';
import { openNote } from '../../../../src/core/log/note.ts';
import { logKeysOf } from '../../../../src/main/build/log-keys.ts';
import type { LogStore } from '../../../../src/ports/log/transparency-log.ts';
import { rootOfEntries, testKeeper } from '../../../support/log/test-log.ts';
import { sized } from '../../../support/sized.ts';
import { usePostgres } from '../../../support/storing/postgres-places.ts';
import { type StoreChild, storeChild } from '../../../support/storing/store-child.ts';
import type { Place } from '../../../support/storing/stores.ts';

const SECRET = 'a secret of killed processes';
const ORIGIN = 'log.example/log';
const [SIGNER] = logKeysOf({ key: null, oldKey: null }, SECRET).signersOf({ tree: '1', origin: ORIGIN });
const STEPS = ['before', 'inside', 'after'] as const;
const ROUNDS = sized(16, 60);

/** Keeps the transaction open that places the entry on which a process dies: tiles are written, the head is not. */
const LINGER = [
  `create function linger() returns trigger language plpgsql as $$ begin
     if exists (select 1 from log_entries where id like 'die-%' and seq >= old.size) then perform pg_sleep(1); end if;
     return new; end $$`,
  'create trigger linger before update on log_heads for each row execute function linger()',
];

const newPostgresPlace = usePostgres();
let place: Place;
let log: LogStore;

beforeEach(async () => {
  place = await newPostgresPlace();
  log = (await place.open()).transparencyLog;
  for (const statement of LINGER) await place.ask(statement);
});
afterEach(() => place.remove());

function sequencer(prefix: string, dies: (typeof STEPS)[number] | null): StoreChild {
  const entry = 'an entry for ID\n';
  return storeChild(
    'sequence',
    { place },
    { rounds: ROUNDS, dies, prefix, secret: SECRET, origin: ORIGIN, entry },
  );
}

/** Waits until one of them is inside of the transaction, and kills that one. */
async function killInside(children: readonly StoreChild[]): Promise<StoreChild> {
  const inside = (child: StoreChild) => child.until((lines) => lines.includes('inside')).then(() => child);
  const victim = await Promise.any(children.map(inside));
  const sleeping = () => place.ask("select 1 from pg_stat_activity where wait_event = 'PgSleep'");
  await expect.poll(async () => (await sleeping()).length).toBeGreaterThan(0);
  await victim.kill();
  return victim;
}

describe('processes that sequence one log and are killed at a step of a round', () => {
  it('leave one tree without gaps, which every checkpoint that was given out is a part of', async () => {
    const living = ['one', 'two', 'three'].map((name) => sequencer(name, null));
    const killers = STEPS.map((step) => sequencer(`dies ${step}`, step));
    const all = [...living, ...killers];
    await Promise.all(all.map((child) => child.ready()));
    for (const child of all) child.go();
    const victim = await killInside(all);
    const ends = await Promise.allSettled(all.map((child) => child.done()));
    const dead = all.filter((_, nth) => ends[nth]?.status === 'rejected');
    const [before, , after] = killers;
    expect(new Set(dead)).toEqual(new Set([victim, before, after]));
    const { keeper } = testKeeper(log, { secret: SECRET, origin: ORIGIN });
    const added = all.flatMap((child) => said(child, 'added '));
    const placesAfterRound = async () => {
      await keeper.round();
      return Promise.all(added.map((id) => log.place(id)));
    };
    // The connection of a killed process holds its lock until the database notices.
    await expect.poll(placesAfterRound, { timeout: 20_000 }).not.toContain('waiting');
    const alive = all.filter((child) => !dead.includes(child));
    expect(alive.map((child) => said(child, 'state '))).toEqual(alive.map(() => ['ok']));
    const placed = await log.entries('1', 0, 100_000);
    expect(placed.map(({ index }) => index)).toEqual(placed.map((_, at) => at));
    expect(new Set(placed.map(({ entry }) => entry)).size).toBe(placed.length);
    for (const id of added) expect(await log.place(id), id).toMatchObject({ entry: `an entry for ${id}\n` });
    const head = await log.current();
    expect(head).toMatchObject({ size: placed.length, published: { size: placed.length } });
    expect(hex(head?.root)).toBe(hex(rootOfEntries(placed)));
    const seen = new Set(all.flatMap((child) => said(child, 'saw ')));
    // Processes that append one after another share a checkpoint.
    expect(seen.size).toBeGreaterThan(ROUNDS / 4);
    for (const note of seen) {
      const opened = openNote(
        Buffer.from(note, 'base64').toString(),
        SIGNER === undefined ? [] : [SIGNER.key],
      );
      const old = typeof opened === 'string' ? null : parseCheckpoint(opened.text);
      expect(hex(old?.root)).toBe(hex(rootOfEntries(placed.slice(0, old?.size))));
    }
  });
});

function said(child: StoreChild, word: string): string[] {
  return child
    .lines()
    .filter((line) => line.startsWith(word))
    .map((line) => line.slice(word.length));
}

function hex(bytes: Uint8Array | undefined): string {
  return Buffer.from(bytes ?? []).toString('hex');
}
