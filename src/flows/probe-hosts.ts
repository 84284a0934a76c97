import type { ListedEndpoint } from '../core/crawl/listed-endpoint.ts';
import { CRAWL_REQUESTS_PER_HOST, CRAWL_TIMEOUT_MS } from '../core/limits.ts';
import type { CrawlReceipt } from '../core/receipt/crawl-receipt.ts';
import type { CrawlRow } from '../ports/crawl-runs.ts';
import type { CrawlWork, HostHold } from '../ports/crawl-work.ts';
import { type CheckListedParts, checkListed, renamed } from './check-listed.ts';

export interface ProbeHostsParts extends CheckListedParts {
  readonly work: CrawlWork;
  /** Milliseconds that never jump. */
  readonly stopwatch: () => number;
  readonly wait: (milliseconds: number) => Promise<void>;
  /** Hosts that are probed at the same time. */
  readonly hostsAtOnce: number;
  /** Told of every check that was made; after a crash some are made, and told, again. */
  readonly onReceipt: (receipt: CrawlReceipt, host: string, ms: number) => void;
  readonly isStopped: () => boolean;
}

/** Two requests of five seconds each, three at a time: a full chunk of silent URLs takes 80 seconds. */
const CHUNK = 24;
const LEASE_MS = 120_000;
/** A request begins only when the hold on its host outlives it. */
const LEAST_HOLD_MS = 2 * CRAWL_TIMEOUT_MS + 5_000;
/** While others hold the rest, one of them may die. */
const LOOK_AGAIN_MS = 1_000;

/** Works on hosts until none is left, or until it is stopped. Any number of workers may do this for one run. */
export async function probeHosts(runId: string, owner: string, parts: ProbeHostsParts): Promise<void> {
  const active = new Set<Promise<void>>();
  for (;;) {
    const room = parts.isStopped() ? 0 : parts.hostsAtOnce - active.size;
    const taken = room > 0 ? await parts.work.take(runId, owner, room, LEASE_MS) : [];
    for (const { host } of taken) {
      const begun = probeHost({ runId, host, owner }, parts).finally(() => active.delete(begun));
      active.add(begun);
    }
    if (active.size > 0) {
      await Promise.race(active);
      continue;
    }
    if (parts.isStopped() || (await parts.work.progress(runId)).urlsLeft === 0) return;
    if (taken.length === 0) await parts.wait(LOOK_AGAIN_MS);
  }
}

/** All URLs of one host, a chunk at a time, so that a crash repeats only a few of them. */
async function probeHost(hold: HostHold, parts: ProbeHostsParts): Promise<void> {
  const { work, stopwatch } = parts;
  let heldUntil = stopwatch() + LEASE_MS;
  const mayBegin = () => !parts.isStopped() && heldUntil - stopwatch() > LEAST_HOLD_MS;
  for (;;) {
    const chunk = mayBegin() ? await work.left(hold.runId, hold.host, CHUNK) : [];
    if (chunk.length === 0) {
      await work.release(hold);
      return;
    }
    const rows = await probeChunk(hold, chunk, mayBegin, parts);
    const from = stopwatch();
    const urls = new Map(chunk.map(({ urlKey, endpoint }) => [urlKey, endpoint.target.normalized]));
    if (!(await keep(hold, rows, urls, parts))) return;
    heldUntil = from + LEASE_MS;
  }
}

type Listed = { readonly urlKey: string; readonly endpoint: ListedEndpoint };

/** Three at a time; what cannot begin any more is left for whoever has the host next. */
async function probeChunk(
  { runId, host }: HostHold,
  chunk: readonly Listed[],
  mayBegin: () => boolean,
  parts: ProbeHostsParts,
): Promise<readonly CrawlRow[]> {
  const rows: CrawlRow[] = [];
  const waiting = [...chunk];
  const lane = async () => {
    for (let next = waiting.shift(); next !== undefined && mayBegin(); next = waiting.shift()) {
      const from = parts.stopwatch();
      const receipt = await checkListed(runId, next.endpoint, parts);
      rows.push({ urlKey: next.urlKey, receipt });
      parts.onReceipt(receipt, host, parts.stopwatch() - from);
    }
  };
  await Promise.all(Array.from({ length: CRAWL_REQUESTS_PER_HOST }, lane));
  return rows;
}

const RENAMES_MAX = 8;

/** False when the host is somebody else's by now. */
async function keep(
  hold: HostHold,
  rows: readonly CrawlRow[],
  normalizedUrls: ReadonlyMap<string, string>,
  { work }: ProbeHostsParts,
): Promise<boolean> {
  let unkept = rows;
  for (let attempt = 1; attempt <= RENAMES_MAX; attempt += 1) {
    const collided = await work.done(hold, unkept, LEASE_MS);
    if (collided === false) return false;
    if (collided.length === 0) return true;
    unkept = collided.map(({ urlKey, receipt }) => ({
      urlKey,
      receipt: renamed(receipt, hold.runId, normalizedUrls.get(urlKey) ?? urlKey, attempt),
    }));
  }
  throw new Error('no free id for a receipt after several attempts');
}
