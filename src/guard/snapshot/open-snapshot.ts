import { type NoteKey, parseNoteKey } from '../../core/log/note.ts';
import { type Found, findInSnapshot } from '../../core/snapshot/snapshot-file.ts';
import { snapshotKey, termsTag } from '../../core/snapshot/snapshot-key.ts';
import { parseTargetUrl } from '../../core/url/target-url.ts';
import type {
  SnapshotAnswer,
  SnapshotRequest,
  SnapshotSkip,
  SnapshotWitness,
  UnknownCause,
} from '../witness/snapshot-witness.ts';
import { fileSource } from './file-source.ts';
import type { Held, LoadSnapshot } from './held.ts';
import { fileMemory, processMemory } from './log-memory.ts';
import { isServiceUrl, urlSource } from './url-source.ts';

export interface SnapshotOptions {
  /** The base URL of an Assay service, or the path of a file; its manifest is then in `FILE.note`. */
  readonly from: string;
  /** The verifier key of the service's log. What it has not signed is not used. */
  readonly key: string;
  /** The origin in the manifest; by default the name of the key. */
  readonly origin?: string | undefined;
  /**
   * A file that remembers the last checkpoint of the service's log, for the next process; `~/` is the home folder. Without it only
   * this process remembers.
   */
  readonly memory?: string | undefined;
  /** The log has shown two histories. The notes prove it; with `memory` they are in that file with `.fork` added to its name. */
  readonly onFork?: (() => void) | undefined;
  readonly fetch?: typeof globalThis.fetch | undefined;
}

/** A new one is looked for after this time, or after a failure. What is there is used until it expires. */
const FRESH_MS = 24 * 3_600_000;
const RETRY_MS = 60_000;

/**
 * A signed file of verdicts for the option `snapshot`. It is read at the first look-up and kept in memory. Throws a TypeError for
 * options that cannot be meant.
 */
export function openSnapshot(options: SnapshotOptions): SnapshotWitness {
  const load = loader(options);
  let held: Held | null = null;
  let isForked = false;
  let loading: Promise<void> | null = null;
  let [triedAt, loadedAt] = [Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
  const tellOfFork = async () => options.onFork?.();
  // A time in the future was written while the clock was ahead.
  const isWithin = (ms: number, at: number, now: Date) => Math.abs(now.getTime() - at) < ms;
  const isFresh = (now: Date) =>
    held !== null && isWithin(FRESH_MS, loadedAt, now) && now < held.manifest.expiresAt;
  const refresh = (now: Date): Promise<void> => {
    if (loading !== null) return loading;
    if (isFresh(now) || isWithin(RETRY_MS, triedAt, now)) return Promise.resolve();
    triedAt = now.getTime();
    loading = load(held, now).then((loaded) => {
      loading = null;
      if (loaded === null) return;
      if (loaded === 'forked') {
        held = null;
        // What becomes of the news is not waited for, and changes nothing.
        if (!isForked) tellOfFork().catch(() => {});
        isForked = true;
        return;
      }
      held = loaded;
      loadedAt = now.getTime();
    });
    return loading;
  };
  return {
    async look(request, now) {
      const refreshing = refresh(now);
      // Only the first one is waited for: a purchase need not wait for news.
      if (held === null) await refreshing;
      if (held === null) return unknown(isForked ? 'log_forked' : 'unreadable');
      return lookIn(held, request, now);
    },
  };
}

function loader({ from, key: vkey, origin, memory, fetch }: SnapshotOptions): LoadSnapshot {
  const key: NoteKey | null = typeof vkey === 'string' ? parseNoteKey(vkey) : null;
  if (key === null || key.type !== 1)
    throw new TypeError('snapshot: key is not an Ed25519 verifier key like NAME+ID+KEY');
  if (typeof from !== 'string' || from === '')
    throw new TypeError('snapshot: from is not the URL of a service or the path of a file');
  const kept = memory === undefined ? processMemory() : fileMemory(memory);
  const trusted = { key, origin: origin ?? key.name, memory: kept };
  if (!isServiceUrl(from)) return fileSource(from, trusted);
  if (!URL.canParse(from)) throw new TypeError('snapshot: from is not a URL');
  return urlSource(from, trusted, fetch ?? ((input, init) => globalThis.fetch(input, init)));
}

function lookIn(held: Held, { url, method, terms }: SnapshotRequest, now: Date): SnapshotAnswer {
  if (now >= held.manifest.expiresAt) return unknown('expired');
  const reading = parseTargetUrl(url);
  if (reading.kind === 'invalid') return unknown('not_listed');
  const endpoint = { method, url: reading.target.normalized };
  const found = findInSnapshot(held.snapshot, snapshotKey(endpoint));
  if (found === null) return unknown('not_listed');
  const { tag } = found;
  if (tag === null) return skipOrUnknown(found);
  const seen = terms.find((one) => termsTag(endpoint, one).equals(tag));
  if (seen === undefined) return unknown('other_terms');
  const { manifest, snapshot } = held;
  const { crawledAt } = snapshot.head;
  return {
    kind: 'seen',
    terms: seen,
    from: { origin: manifest.origin, sha256: manifest.sha256.toString('hex'), crawledAt },
  };
}

function skipOrUnknown({ code }: Found): SnapshotAnswer {
  return isSkip(code) ? { kind: 'skip', code } : unknown('other_finding');
}

const SKIPS: ReadonlySet<string> = new Set<SnapshotSkip>([
  'price_mismatch',
  'pay_to_mismatch',
  'asset_not_usdc',
  'terms_differ',
]);

function isSkip(code: string): code is SnapshotSkip {
  return SKIPS.has(code);
}

function unknown(cause: UnknownCause): SnapshotAnswer {
  return { kind: 'unknown', cause };
}
