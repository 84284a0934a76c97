import { derivedSeed, ed25519Signer } from '../../../src/adapters/log/ed25519-signer.ts';
import { entryText } from '../../../src/core/log/entry.ts';
import { growLog } from '../../../src/flows/log/grow-log.ts';
import { createLogKeeper, type KeepLogPorts } from '../../../src/flows/log/keep-log.ts';
import { keysText } from '../../../src/flows/log/log-keys.ts';
import { logKeysOf } from '../../../src/main/build/log-keys.ts';
import type { LogMark } from '../../../src/ports/log/log-mark.ts';
import type { Epoch, LogStore, NewEntry, Waiting } from '../../../src/ports/log/transparency-log.ts';
import { naiveLeaf, naiveRoot } from './naive-tree.ts';

export const ORIGIN = 'log.example/log';
export const FIRST = { tree: '1', origin: ORIGIN };
export const signersOf = ({ origin }: Epoch) => [ed25519Signer(origin, derivedSeed('a test', 'log'))];
export const FIRST_EPOCH = { origin: ORIGIN, key: keysText(signersOf(FIRST)) };

export function anEntry(number: number): NewEntry {
  const id = `sc-${number.toString(16).padStart(16, '0')}`;
  return { id, entry: entryText({ kind: 'receipt', id, sha256: new Uint8Array(32).fill(number % 251) }) };
}

export const entriesTo = (count: number, from = 0) =>
  Array.from({ length: count }, (_, at) => anEntry(from + at));

export const grow = (waiting: Waiting) => growLog(waiting, signersOf(waiting.head));

/** Appends and publishes until nothing waits or somebody else is at it. */
export async function appendAll(log: LogStore, limit = 512): Promise<number> {
  for (let rounds = 0; ; rounds += 1) {
    const appended = await log.append(limit, grow);
    if (appended.kind !== 'appended') return rounds;
    const { tree, size, checkpoint } = appended.head;
    await log.publish(tree, { size, note: checkpoint ?? '' }, false);
  }
}

export function rootOfEntries(entries: readonly { readonly entry: string }[]): Uint8Array {
  return naiveRoot(entries.map(({ entry }) => naiveLeaf(Buffer.from(entry))));
}

export function memoryMark(): LogMark {
  let kept: string | null = null;
  return {
    read: async () => kept,
    async keep(checkpoint) {
      kept = checkpoint;
    },
  };
}

interface KeeperOptions {
  readonly secret?: string;
  readonly mark?: LogMark;
  readonly origin?: string;
  readonly isOriginSet?: boolean;
  readonly key?: Uint8Array<ArrayBuffer>;
  readonly oldKey?: Uint8Array<ArrayBuffer>;
  readonly publish?: KeepLogPorts['publish'];
}

export function testKeeper(log: LogStore, options: KeeperOptions = {}) {
  const { secret = 'a secret', mark = memoryMark(), origin = ORIGIN, isOriginSet = false } = options;
  const keys = logKeysOf({ key: options.key ?? null, oldKey: options.oldKey ?? null }, secret);
  const clock = { ms: 0 };
  const stopwatch = () => clock.ms;
  const publish = options.publish ?? null;
  const keeper = createLogKeeper({ ...keys, log, mark, origin, isOriginSet, stopwatch, publish });
  return { keeper, mark, clock, ...keys };
}
