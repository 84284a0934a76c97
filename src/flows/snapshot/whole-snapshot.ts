import { SHARDS } from '../../core/snapshot/snapshot-rows.ts';
import type { SnapshotStore } from '../../ports/snapshot/snapshots.ts';

const PARTS = ['head' as const, ...Array.from({ length: SHARDS }, (_, number) => number)];

/** The bytes of a published file; null when it was removed, perhaps while it was read. */
export async function wholeSnapshot(
  sha256: string,
  snapshots: Pick<SnapshotStore, 'part'>,
): Promise<Buffer | null> {
  const parts: Buffer[] = [];
  for (const part of PARTS) {
    const bytes = await snapshots.part(sha256, part);
    if (bytes === null) return null;
    parts.push(bytes);
  }
  return Buffer.concat(parts);
}
