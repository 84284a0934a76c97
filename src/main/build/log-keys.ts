import { derivedSeed, ed25519Signer } from '../../adapters/log/ed25519-signer.ts';
import type { NoteSigner } from '../../core/log/note.ts';
import { promiseName } from '../../core/log/promise.ts';
import { runOrigin } from '../../core/log/run-tree.ts';
import { keyChange } from '../../flows/log/log-keys.ts';
import type { Epoch, LogReader } from '../../ports/log/transparency-log.ts';
import type { Config } from '../config/config.ts';

export interface LogKeys {
  /** A key of a log has the name of its epoch; a second signer is there during a rotation. */
  readonly signersOf: (epoch: Epoch) => readonly NoteSigner[];
  /** The same keys under the name of a run: verifiers expect a key to have the name of what it signs. */
  readonly runSignersOf: (epoch: Epoch, runId: string) => readonly NoteSigner[];
  /** Promises have a key of their own: a key signs one kind of thing. */
  readonly promiseSignerOf: (epoch: Epoch) => NoteSigner;
}

/** Every process with the same secret has the same keys. */
export function logKeysOf(
  { key, oldKey }: Pick<Config['transparency'], 'key' | 'oldKey'>,
  secret: string,
): LogKeys {
  const seed = key ?? derivedSeed(secret, 'assay log v1');
  const promiseSeed = derivedSeed(secret, 'assay promises v1');
  const signersAs = (name: string, tree: string) => {
    const signer = ed25519Signer(name, seedOf(seed, tree));
    return oldKey === null ? [signer] : [signer, ed25519Signer(name, seedOf(oldKey, tree))];
  };
  return {
    signersOf: once(({ tree, origin }) => signersAs(origin, tree)),
    runSignersOf: ({ tree, origin }, runId) => signersAs(runOrigin(origin, runId), tree),
    promiseSignerOf: once(({ origin }) => ed25519Signer(promiseName(origin), promiseSeed)),
  };
}

/** The key that signs today. */
export async function epochSigner(
  log: Pick<LogReader, 'current'>,
  transparency: Config['transparency'],
  secret: string,
): Promise<NoteSigner> {
  const epoch = (await log.current()) ?? { tree: FIRST, origin: transparency.origin };
  const [signer] = logKeysOf(transparency, secret).signersOf(epoch);
  if (signer === undefined) throw new Error('an epoch has a key');
  return signer;
}

/** Whether this process may sign for the log. An epoch that a restore has begun gets its key from the next service. */
export async function hasKeyOfLog(
  log: Pick<LogReader, 'current'>,
  transparency: Config['transparency'],
  secret: string,
): Promise<boolean> {
  const head = await log.current();
  if (head === null) return true;
  const { kind } = keyChange(head, logKeysOf(transparency, secret).signersOf(head));
  return kind === 'same' || kind === 'first';
}

/** A policy may name a key once, so every epoch after the first has one of its own. */
function seedOf(seed: Uint8Array, tree: string): Uint8Array {
  return tree === FIRST ? seed : derivedSeed(Buffer.from(seed).toString('hex'), `assay log v1 epoch ${tree}`);
}

const FIRST = '1';

/** A log has few epochs. */
function once<T>(make: (epoch: Epoch) => T): (epoch: Epoch) => T {
  const made = new Map<string, T>();
  return (epoch) => {
    const known = made.get(epoch.origin) ?? make(epoch);
    made.set(epoch.origin, known);
    return known;
  };
}
