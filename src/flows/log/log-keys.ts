import { entryText } from '../../core/log/entry.ts';
import { type NoteSigner, noteKeyText } from '../../core/log/note.ts';
import type { LogHead, NewEntry } from '../../ports/log/transparency-log.ts';

/** The keys that sign an epoch, the current one first; a second one is there during a rotation. */
export function keysText(signers: readonly NoteSigner[]): string {
  return signers.map(({ key }) => noteKeyText(key)).join(' ');
}

/** Of an epoch that was begun by a program that does not know the secret. */
export const NO_KEYS = '';

export type KeyChange =
  | { readonly kind: 'same' }
  /** A rotation begins or ends; the entry says so in the log. */
  | { readonly kind: 'rotation'; readonly entry: NewEntry; readonly keys: string }
  /** An epoch that a restored store has begun, without knowing the keys. */
  | { readonly kind: 'first'; readonly keys: string }
  /** Keys that the log does not know: this process must not sign. */
  | { readonly kind: 'other_keys' };

/**
 * What the keys of this process mean for the epoch. A new key is added beside the old one, and the old one ends once no process
 * has it any more.
 */
export function keyChange({ key: kept }: Pick<LogHead, 'key'>, signers: readonly NoteSigner[]): KeyChange {
  const ours = keysText(signers);
  if (ours === kept) return { kind: 'same' };
  if (kept === NO_KEYS) return { kind: 'first', keys: ours };
  const before = kept.split(' ');
  const now = ours.split(' ');
  const [added] = now;
  if (before.length === 1 && now.length === 2 && now[1] === before[0] && added !== undefined) {
    return { kind: 'rotation', entry: keyEntry('add', added), keys: ours };
  }
  const ended = before[1];
  if (before.length === 2 && now.length === 1 && added === before[0] && ended !== undefined) {
    return { kind: 'rotation', entry: keyEntry('end', ended), keys: ours };
  }
  return { kind: 'other_keys' };
}

function keyEntry(change: 'add' | 'end', vkey: string): NewEntry {
  return { id: `key:${change}:${vkey}`, entry: entryText({ kind: 'key', change, vkey }) };
}
