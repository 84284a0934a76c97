import { parseCheckpoint } from '../../core/log/checkpoint.ts';
import { noteText } from '../../core/log/note.ts';
import type { Epoch } from '../../ports/log/transparency-log.ts';

/** The first epoch has the name of the log; a later one adds its number, which is also part of its address. */
export function epochName(origin: string, epoch: number): string {
  return epoch === 1 ? origin : `${origin}/${epoch}`;
}

/** The epoch that a checkpoint, signed or not, belongs to; null when it is of another log than `one`. */
export function epochOf(checkpoint: string, one: Epoch): Epoch | null {
  const origin = parseCheckpoint(noteText(checkpoint) ?? '')?.origin;
  const log = one.tree === '1' ? one.origin : one.origin.slice(0, -`/${one.tree}`.length);
  if (origin === undefined || origin === log) return origin === undefined ? null : { tree: '1', origin };
  const [, tree] = origin.startsWith(`${log}/`) ? (NUMBER.exec(origin.slice(log.length)) ?? []) : [];
  return tree === undefined ? null : { tree, origin };
}

const NUMBER = /^\/([1-9][0-9]{0,5})$/;
