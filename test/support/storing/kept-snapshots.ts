import type { KeptSnapshot, SnapshotBytes } from '../../../src/ports/snapshot/snapshots.ts';
import { afterNoon } from '../../../tools/samples/store-receipts.ts';

/** The n-th file of a test, with a delta from the one before it. */
export function aKeptSnapshot(n: number, changes: Partial<KeptSnapshot> = {}): KeptSnapshot {
  return {
    sha256: `file ${n}`,
    runId: `run-${n}`,
    crawledAt: afterNoon(n),
    expiresAt: afterNoon(1_000_000 + n),
    size: n,
    manifest: `note ${n}\n`,
    deltaFrom: n === 1 ? null : `file ${n - 1}`,
    ...changes,
  };
}

/** Head, delta and shards. Every byte value occurs, and shards are empty in small files. */
export function everyPart(): SnapshotBytes[] {
  const shards = Array.from({ length: 256 }, (_, part) => ({ part, bytes: Buffer.alloc(part % 3, part) }));
  return [
    { part: 'head', bytes: Buffer.from('head') },
    { part: 'delta', bytes: Buffer.from([0, 255, 10]) },
    ...shards,
  ];
}
