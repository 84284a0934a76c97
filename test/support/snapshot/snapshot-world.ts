import { setImmediate as turn } from 'node:timers/promises';
import { derivedSeed } from '../../../src/adapters/log/ed25519-signer.ts';
import type { Store } from '../../../src/adapters/store/store.ts';
import type { NoteSigner } from '../../../src/core/log/note.ts';
import { microUsd } from '../../../src/core/money/micro-usd.ts';
import type { CrawlReceipt } from '../../../src/core/receipt/crawl-receipt.ts';
import type { Snapshot } from '../../../src/core/snapshot/snapshot-file.ts';
import { openFile, openManifest } from '../../../src/core/snapshot/verify-snapshot.ts';
import { logSnapshot } from '../../../src/flows/snapshot/keep-snapshot.ts';
import { makeSnapshot, type SnapshotPorts } from '../../../src/flows/snapshot/make-snapshot.ts';
import { logKeysOf } from '../../../src/main/build/log-keys.ts';
import type { CrawlRow } from '../../../src/ports/crawl-runs.ts';
import type { SnapshotStore } from '../../../src/ports/snapshot/snapshots.ts';
import { PAYEE } from '../../../tools/samples/challenge.ts';
import { crawlRow } from '../../../tools/samples/crawl-rows.ts';
import { FIRST, ORIGIN } from '../log/test-log.ts';
import { SECRET, type TestService } from '../running/running-service.ts';

/** The key of the log of every service that a test starts. */
export const SIGNER = signerOf(SECRET);
export { ORIGIN };

export function signerOf(secret: string): NoteSigner {
  const [signer] = logKeysOf({ key: null, oldKey: null }, secret).signersOf(FIRST);
  if (signer === undefined) throw new Error('the log has a key');
  return signer;
}

/** Settings of a command on the store of such a service: another secret, and the key of the log. */
export const COMMAND_KEYS = {
  SECRET: 'a-secret-of-the-command',
  LOG_KEY: Buffer.from(derivedSeed(SECRET, 'assay log v1')).toString('hex'),
} as const;

/** The n-th row of a run: one cent to the payee, unless it is said otherwise. */
export function payRow(n: number, changes: Partial<CrawlReceipt> = {}): CrawlRow {
  const quotedPrice = microUsd(10_000n);
  return crawlRow(n, { verdict: 'pay', code: 'price_ok', quotedPrice, payTo: PAYEE, ...changes });
}

export function snapshotPorts(
  { runs, snapshots, corrections }: Pick<Store, 'runs' | 'snapshots' | 'corrections'>,
  changes: Partial<SnapshotPorts> = {},
): SnapshotPorts {
  return { runs, snapshots, corrections, signer: SIGNER, pause: () => turn(), ...changes };
}

/** Makes the snapshot of the latest run, and gives it its place in the log. */
export async function publishSnapshot({ store, logKeeper }: TestService): Promise<void> {
  const made = await makeSnapshot(snapshotPorts(store));
  if (made.kind === 'made') await logSnapshot(made.snapshot, store.transparencyLog);
  await logKeeper.round();
}

/** The published file with this hash, verified as a client does; throws when it is not there or not in order. */
export async function publishedFile(
  snapshots: SnapshotStore,
  sha256?: string,
  signer: NoteSigner = SIGNER,
): Promise<Snapshot> {
  const kept = sha256 === undefined ? await snapshots.latest() : await snapshots.find(sha256);
  if (kept === null) throw new Error('there is no such snapshot');
  const parts: Buffer[] = [];
  for (const part of ['head' as const, ...Array.from({ length: 256 }, (_, number) => number)]) {
    parts.push((await snapshots.part(kept.sha256, part)) ?? Buffer.alloc(0));
  }
  const manifest = openManifest(kept.manifest, signer.key, signer.key.name);
  if (typeof manifest === 'string') throw new Error(manifest);
  const snapshot = openFile(Buffer.concat(parts), manifest);
  if (typeof snapshot === 'string') throw new Error(snapshot);
  return snapshot;
}
