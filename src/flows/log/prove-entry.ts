import { proofFileText } from '../../core/log/proof-file.ts';
import { inclusionProof } from '../../core/log/prove.ts';
import type { LogHead, LogReader, Published } from '../../ports/transparency-log.ts';
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
  if (place === 'waiting') return { kind: 'not_yet' };
  const head = await log.head(place.tree);
  const covering = head === null ? null : checkpointOver(place.index, head);
  if (covering === null) return { kind: 'not_yet' };
  const { index, tree } = place;
  const proof = await inclusionProof(index, covering.size, tileReader(log, tree));
  return { kind: 'proved', proof: proofFileText({ index, proof, checkpoint: covering.note }), index, tree };
}

/** One with cosignatures, if there is one that covers the entry. */
function checkpointOver(index: number, { cosigned, published }: LogHead): Published | null {
  for (const one of [cosigned, published]) if (one !== null && one.size > index) return one;
  return null;
}
