import { proofFileText } from '../../core/log/proof-file.ts';
import { inclusionProof } from '../../core/log/prove.ts';
import type { LogHead, LogReader, Placed, Published } from '../../ports/log/transparency-log.ts';
import { tileReader } from './read-tiles.ts';

export type EntryProof =
  | { readonly kind: 'proved'; readonly proof: string; readonly index: number; readonly tree: string }
  /** It has no place yet, or no published checkpoint covers it. */
  | { readonly kind: 'not_yet' }
  | { readonly kind: 'unknown' };

/** The C2SP proof that an entry is in the log, under a checkpoint that clients can get. */
export async function proveEntry(id: string, log: LogReader): Promise<EntryProof> {
  const place = await log.place(id);
  if (place === null) return { kind: 'unknown' };
  return place === 'waiting' ? { kind: 'not_yet' } : proveAt(place, log);
}

/** The same for a place in any tree. */
export async function proveAt(
  { tree, index }: Pick<Placed, 'tree' | 'index'>,
  log: Pick<LogReader, 'head' | 'tile'>,
): Promise<EntryProof> {
  const head = await log.head(tree);
  const covering = head === null ? null : checkpointOver(index, head);
  if (covering === null) return { kind: 'not_yet' };
  const proof = await inclusionProof(index, covering.size, tileReader(log, tree));
  return { kind: 'proved', proof: proofFileText({ index, proof, checkpoint: covering.note }), index, tree };
}

/** One with cosignatures, if there is one that covers the entry. */
function checkpointOver(index: number, { cosigned, published }: LogHead): Published | null {
  for (const one of [cosigned, published]) if (one !== null && one.size > index) return one;
  return null;
}
