import * as z from 'zod';
import type { LatestSnapshot } from '../../flows/snapshot/latest-snapshot.ts';
import type { Links } from './links.ts';
import { moment, sha256 } from './shapes.ts';

/** GET /v1/snapshot */
export const snapshotResponse = z
  .object({
    run: z.string().describe('The crawl whose verdicts it has.'),
    crawled_at: moment.describe('Time of that crawl, UTC.'),
    expires: moment.describe('From then on every endpoint is unknown, UTC.'),
    size: z.int().min(0).describe('Number of endpoints.'),
    sha256: sha256.describe('SHA-256 of the file.'),
    manifest: z.string().describe('A signed note (c2sp.org/signed-note) over all of the above.'),
    log_index: z
      .int()
      .min(0)
      .nullable()
      .describe('Index of its entry in the transparency log; null for a moment while it waits.'),
    file: z.url().describe('URL of the file.'),
    head: z.url().describe('The beginning of the file: counts and hashes of its 256 shards.'),
    shards: z.string().describe('The URL of a shard; {shard} is the first byte of the key, from 00 to ff.'),
    delta: z
      .object({
        from: sha256.describe('SHA-256 of the file that it starts from.'),
        url: z.url().describe('URL of the difference.'),
      })
      .nullable()
      .describe('The way from the file before; null if there was none.'),
  })
  .describe('A signed file of the verdicts of the latest crawl, for look-ups without a request.');

export function snapshotJson(
  { sha256: file, runId, crawledAt, expiresAt, size, manifest, deltaFrom, logIndex }: LatestSnapshot,
  { base }: Links,
): z.input<typeof snapshotResponse> {
  const address = `${base}/snapshot/${file}`;
  return {
    run: runId,
    crawled_at: crawledAt.toISOString(),
    expires: expiresAt.toISOString(),
    size,
    sha256: file,
    manifest,
    log_index: logIndex,
    file: `${address}.bin`,
    head: `${address}/head.bin`,
    shards: `${address}/{shard}.bin`,
    delta:
      deltaFrom === null ? null : { from: deltaFrom, url: `${base}/snapshot/${deltaFrom}-${file}.delta` },
  };
}
