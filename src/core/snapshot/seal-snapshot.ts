import { createHash, hash } from 'node:crypto';
import { type NoteSigner, signNote } from '../log/note.ts';
import { type BuiltShard, headOf } from './snapshot-file.ts';
import type { SnapshotHead } from './snapshot-head.ts';
import { manifestText, snapshotEnd } from './snapshot-manifest.ts';

/** A file as it is stored and served: in parts. */
export interface SealedSnapshot {
  /** In hexadecimal. */
  readonly sha256: string;
  readonly head: Buffer;
  readonly shards: readonly Buffer[];
  readonly size: number;
  readonly expiresAt: Date;
  /** A signed note. */
  readonly manifest: string;
}

/** Puts the shards of a run together and signs what they are. The key's name is the origin. */
export function sealSnapshot(
  run: Pick<SnapshotHead, 'runId' | 'crawledAt'>,
  built: readonly BuiltShard[],
  signer: NoteSigner,
): SealedSnapshot {
  const { bytes: head, size } = headOf(run, built);
  const shards = built.map(({ bytes }) => bytes);
  const whole = createHash('sha256').update(head);
  for (const shard of shards) whole.update(shard);
  const sha256 = whole.digest();
  const expiresAt = snapshotEnd(run.crawledAt);
  const text = manifestText({
    origin: signer.key.name,
    runId: run.runId,
    size,
    sha256,
    headSha256: hash('sha256', head, 'buffer'),
    expiresAt,
  });
  return {
    sha256: sha256.toString('hex'),
    head,
    shards,
    size,
    expiresAt,
    manifest: signNote(text, [signer]),
  };
}
