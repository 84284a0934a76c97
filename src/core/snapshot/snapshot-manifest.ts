import { hash } from 'node:crypto';
import { entryText } from '../log/entry.ts';
import { readMoment, SNAPSHOT_MAX_BYTES } from './snapshot-head.ts';

/** What is signed: everybody gets the same file, and knows when it ends. */
export interface SnapshotManifest {
  readonly origin: string;
  readonly runId: string;
  /** Endpoints. */
  readonly size: number;
  /** Of the whole file, and of its head with the table of the shards. */
  readonly sha256: Buffer;
  readonly headSha256: Buffer;
  readonly expiresAt: Date;
}

/** Prices and payees change: two weeks after the crawl nothing of it counts. */
const LIFE_MS = 14 * 86_400_000;

export function snapshotEnd(crawledAt: Date): Date {
  return new Date(crawledAt.getTime() + LIFE_MS);
}

export function manifestText(manifest: SnapshotManifest): string {
  const { origin, runId, size, sha256, headSha256, expiresAt } = manifest;
  const lines = [
    'assay snapshot v1',
    origin,
    runId,
    String(size),
    sha256.toString('base64'),
    expiresAt.toISOString(),
    headSha256.toString('base64'),
  ];
  return `${lines.join('\n')}\n`;
}

const HASH = '([A-Za-z0-9+/]{43}=)';
const MANIFEST = new RegExp(
  `^assay snapshot v1\\n([^\\s+]{1,255})\\n([0-9A-Za-z_-]{1,64})\\n(0|[1-9][0-9]{0,7})\\n${HASH}\\n(20[0-9-]{8}T[0-9:.]{12}Z)\\n${HASH}\\n$`,
  'u',
);

/** Null for any text but the one that `manifestText` writes. */
export function readManifest(text: string): SnapshotManifest | null {
  const [, origin = '', runId = '', size = '', file = '', moment = '', head = ''] = MANIFEST.exec(text) ?? [];
  const expiresAt = readMoment(moment);
  if (expiresAt === null || Number(size) > SNAPSHOT_MAX_BYTES) return null;
  const manifest = {
    origin,
    runId,
    size: Number(size),
    sha256: Buffer.from(file, 'base64'),
    headSha256: Buffer.from(head, 'base64'),
    expiresAt,
  };
  // The last character of base64 has bits that no byte uses.
  return manifestText(manifest) === text ? manifest : null;
}

/** The entry of the log that says which snapshot of a run everybody gets: the hash of its manifest as it is served. */
export function manifestEntry(
  runId: string,
  manifest: string,
): { readonly id: string; readonly entry: string } {
  const sha256 = hash('sha256', manifest, 'buffer');
  return {
    id: `snapshot:${sha256.toString('hex')}`,
    entry: entryText({ kind: 'snapshot', run: runId, sha256 }),
  };
}
