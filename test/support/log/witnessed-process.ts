import { afterEach, beforeEach } from 'vitest';
import { askHttpWitness } from '../../../src/adapters/log/http-witness.ts';
import { noteKeyText, openNote } from '../../../src/core/log/note.ts';
import { type Policy, parsePolicy } from '../../../src/core/log/policy.ts';
import { createCosignedPublisher } from '../../../src/flows/log/witness/publish-cosigned.ts';
import { logKeysOf } from '../../../src/main/build/log-keys.ts';
import type { AskWitness } from '../../../src/ports/log/ask-witness.ts';
import type { LogStore } from '../../../src/ports/log/transparency-log.ts';
import { newSqlitePlace, type Place } from '../storing/stores.ts';
import { FIRST, testKeeper } from './test-log.ts';
import { type TestWitness, testWitness } from './test-witness.ts';

const KEYS = logKeysOf({ key: null, oldKey: null }, 'a secret');
export const LOG_KEYS = KEYS.signersOf(FIRST).map(({ key }) => key);
export const START_MS = Date.UTC(2026, 10, 15, 12);
/** Both witnesses are needed. */
export const ALL = 'group all-of-them all w1 w2\nquorum all-of-them';
export const BOTH = ['log.example/log', 'witness.example/w1', 'witness.example/w2'];

export interface World {
  readonly place: Place;
  readonly log: LogStore;
  readonly first: TestWitness;
  readonly second: TestWitness;
  readonly clock: { ms: number };
}

/** A log and two real witnesses for every test, at a time that stands still. */
export function worldWithWitnesses(): () => World {
  let world: World | null = null;
  const made = () => {
    if (world === null) throw new Error('there is a world inside of a test only');
    return world;
  };
  beforeEach(async () => {
    const clock = { ms: 0 };
    const now = () => new Date(START_MS + clock.ms);
    const [place, first, second] = await Promise.all([
      newSqlitePlace(),
      testWitness('witness.example/w1', LOG_KEYS, now),
      testWitness('witness.example/w2', LOG_KEYS, now),
    ]);
    world = { place, log: (await place.open()).transparencyLog, first, second, clock };
  });
  afterEach(async () => {
    const { first, second, place } = made();
    await Promise.all([first.remove(), second.remove(), place.remove()]);
  });
  return made;
}

export function policyOf(quorum: string, witnesses: readonly TestWitness[]): Policy {
  const lines = witnesses.map(
    ({ signer, address }, at) => `witness w${at + 1} ${noteKeyText(signer.key)} ${address()}\n`,
  );
  const policy = parsePolicy(`${lines.join('')}${quorum}\n`);
  if ('fault' in policy) throw new Error(policy.fault);
  return policy;
}

interface Setting {
  readonly policy?: Policy;
  readonly store?: LogStore;
  readonly ask?: AskWitness;
}

/** A process with a keeper and a publisher, and a mark of its own. */
export function witnessedProcess(world: World, { policy, store, ask = askHttpWitness }: Setting = {}) {
  const { log: own, first, second, clock } = world;
  const changes: string[] = [];
  const log = store ?? own;
  const publisher = createCosignedPublisher({
    log,
    policy: policy ?? policyOf(ALL, [first, second]),
    ask,
    signersOf: KEYS.signersOf,
    stopwatch: () => clock.ms,
    now: () => new Date(START_MS + clock.ms),
    onChange: (name, isAnswering) => changes.push(`${name} ${isAnswering ? 'answers' : 'is away'}`),
  });
  const { keeper } = testKeeper(log, { publish: publisher.publish });
  return { keeper, publisher, changes };
}

/** Who has signed the published checkpoint. */
export async function publishedBy({ log, first, second }: World): Promise<readonly string[] | string> {
  const note = (await log.current())?.published?.note ?? '';
  const opened = openNote(note, [...LOG_KEYS, first.signer.key, second.signer.key]);
  return typeof opened === 'string' ? opened : opened.signedBy.map(({ key }) => key.name);
}

export async function cosignedSize({ log }: World): Promise<number | null> {
  return (await log.current())?.cosigned?.size ?? null;
}
