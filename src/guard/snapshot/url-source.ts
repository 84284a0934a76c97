import { applyDelta } from '../../core/snapshot/snapshot-delta.ts';
import { fileMaxBytes } from '../../core/snapshot/snapshot-head.ts';
import { manifestEntry, type SnapshotManifest } from '../../core/snapshot/snapshot-manifest.ts';
import { isJsonObject, member } from '../../core/x402/read-json.ts';
import { fetchJson } from '../fetch-json.ts';
import { readAtMost } from '../read-at-most.ts';
import { withDeadline } from '../with-deadline.ts';
import { followLog } from './follow-log.ts';
import {
  type Held,
  type LoadSnapshot,
  NOTE_MAX_BYTES,
  type Trusted,
  trustedFile,
  trustedManifest,
} from './held.ts';

/** For all of it: manifest, log, and file or delta. */
const TIMEOUT_MS = 10_000;

/** Anything else is the path of a file. */
export function isServiceUrl(from: string): boolean {
  return /^https?:\/\//i.test(from);
}

/** The snapshot of a service: its delta where it starts from what is held, else its file. */
export function urlSource(base: string, trusted: Trusted, fetch: typeof globalThis.fetch): LoadSnapshot {
  const address = base.replace(/\/+$/, '');
  return async (held, now) => {
    const loaded = await withDeadline(TIMEOUT_MS, (signal) =>
      load({ address, trusted, fetch, signal }, held, now).catch(() => null),
    );
    return loaded === 'timed_out' ? null : loaded;
  };
}

interface Service {
  readonly address: string;
  readonly trusted: Trusted;
  readonly fetch: typeof globalThis.fetch;
  readonly signal: AbortSignal;
}

async function load(service: Service, held: Held | null, now: Date): Promise<Held | 'forked' | null> {
  if (await service.trusted.memory.hasFork()) return 'forked';
  const { address, fetch, signal, trusted } = service;
  const answer = await fetchJson({ fetch, maxBytes: 2 * NOTE_MAX_BYTES, signal }, `${address}/v1/snapshot`);
  if (answer.kind === 'unreachable' || answer.status !== 200 || !isJsonObject(answer.json)) return null;
  // Nothing else of the answer is believed: only the manifest is signed.
  const [note, index] = [member(answer.json, 'manifest'), member(answer.json, 'log_index')];
  const manifest = typeof note === 'string' ? trustedManifest(note, trusted, now) : null;
  if (manifest === null || typeof note !== 'string' || !isIndex(index)) return null;
  const { entry } = manifestEntry(manifest.runId, note);
  const read = (path: string) => download(service, `/log/${path}`, NOTE_MAX_BYTES);
  const followed = await followLog({ entry, index }, { trusted, read });
  if (followed !== 'there') return followed;
  // Of an older crawl: every file expires the same time after its own. Nothing of it is downloaded.
  if (held !== null && manifest.expiresAt < held.manifest.expiresAt) return null;
  if (held?.manifest.sha256.equals(manifest.sha256) === true) return { ...held, manifest };
  const bytes =
    (held === null ? null : await byDelta(service, held, manifest)) ?? (await byFile(service, manifest));
  return bytes === null ? null : trustedFile(bytes, manifest, held);
}

function isIndex(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

/** Null where there is no such delta, or it does not lead to the file of the manifest. */
async function byDelta(service: Service, held: Held, manifest: SnapshotManifest): Promise<Buffer | null> {
  const [from, to] = [held.manifest.sha256.toString('hex'), manifest.sha256.toString('hex')];
  const delta = await download(service, `/snapshot/${from}-${to}.delta`, fileMaxBytes(manifest.size));
  const next = delta === null ? 'none' : applyDelta(held.snapshot, delta, manifest);
  return typeof next === 'string' ? null : next.bytes;
}

function byFile(service: Service, { sha256, size }: SnapshotManifest): Promise<Buffer | null> {
  return download(service, `/snapshot/${sha256.toString('hex')}.bin`, fileMaxBytes(size));
}

async function download(
  { address, fetch, signal }: Service,
  path: string,
  maxBytes: number,
): Promise<Buffer | null> {
  const response = await fetch(address + path, { redirect: 'manual', signal });
  const bytes = await readAtMost(response.body, response.status === 200 ? maxBytes : NOTE_MAX_BYTES);
  if (response.status !== 200 || typeof bytes === 'string') return null;
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
