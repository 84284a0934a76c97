import type { ListedEndpoint } from '../core/crawl/listed-endpoint.ts';
import { CRAWL_REQUESTS_PER_HOST, CRAWL_TIMEOUT_MS } from '../core/limits.ts';
import type { CrawlReceipt } from '../core/receipt/crawl-receipt.ts';
import type { CrawlWork, HeldHost, HostHold } from '../ports/crawl-work.ts';
import type { OpenHost, Prober } from '../ports/prober.ts';
import { checkListed } from './check-listed.ts';
import { type Finding, type FindingsKeeper, findingsKeeper, HOLD_MS } from './findings-keeper.ts';

export interface ProbeHostsParts {
  readonly work: CrawlWork;
  readonly openHost: OpenHost;
  readonly now: () => Date;
  /** Milliseconds that never jump. */
  readonly stopwatch: () => number;
  readonly wait: (milliseconds: number) => Promise<void>;
  /** Hosts that are probed at the same time. */
  readonly hostsAtOnce: number;
  /** Told of every check that was made; after a crash some are made, and told, again. */
  readonly onReceipt: (receipt: CrawlReceipt, host: string, ms: number) => void;
  readonly isStopped: () => boolean;
}

/** URLs of a host that are read at once. */
const CHUNK = 24;
/** A check begins only when the hold on its host outlives it: two requests, and what it takes to keep the result. */
const LEAST_HOLD_MS = 2 * CRAWL_TIMEOUT_MS + 2_000;
/** While others hold the rest, one of them may die. */
const LOOK_AGAIN_MS = 1_000;

/** Works on hosts until none is left, or until it is stopped. Any number of workers may do this for one run. */
export async function probeHosts(runId: string, owner: string, parts: ProbeHostsParts): Promise<void> {
  const keeper = findingsKeeper({ runId, owner }, parts);
  const active = new Set<Promise<void>>();
  const faults: unknown[] = [];
  const note = (fault: unknown) => void faults.push(fault);
  const isStopped = () => faults.length > 0 || parts.isStopped();
  const lookAgain = oneAtATime(() => parts.wait(LOOK_AGAIN_MS));
  const ended = bell();
  for (;;) {
    const room = isStopped() ? 0 : parts.hostsAtOnce - active.size;
    const from = parts.stopwatch();
    const taken = room > 0 ? await parts.work.take(runId, owner, room, HOLD_MS).catch(note) : [];
    for (const { host, left } of taken ?? []) {
      const held = { hold: { runId, host, owner }, left, heldUntil: from + HOLD_MS };
      const begun = probeHost(held, keeper, { ...parts, isStopped })
        .catch(note)
        .finally(() => {
          active.delete(begun);
          ended.ring();
        });
      active.add(begun);
    }
    if (active.size > 0) {
      await (active.size < parts.hostsAtOnce ? Promise.race([ended.rung(), lookAgain()]) : ended.rung());
      continue;
    }
    if (faults.length > 0) throw faults[0];
    if (parts.isStopped() || (await parts.work.progress(runId)).urlsLeft === 0) return;
    if (taken?.length === 0) await lookAgain();
  }
}

/** Waiting for any of many, again and again: a race would leave something on each that never ends. */
function bell(): { ring(): void; rung(): Promise<void> } {
  let ring = () => {};
  let next: Promise<void> | null = null;
  return {
    ring() {
      next = null;
      ring();
    },
    rung() {
      next ??= new Promise((resolve) => {
        ring = resolve;
      });
      return next;
    },
  };
}

interface Held extends Pick<HeldHost, 'left'> {
  readonly hold: HostHold;
  /** By the stopwatch, and never later than by the clock of the store. */
  readonly heldUntil: number;
}

/** All URLs of one host, three at a time. What cannot begin any more is left for whoever has the host next. */
async function probeHost(held: Held, keeper: FindingsKeeper, parts: ProbeHostsParts): Promise<void> {
  const { hold, left } = held;
  const urls = urlsOf(hold, left, parts.work);
  const lease = leaseOn(held, parts);
  const prober = parts.openHost(hold.host);
  const state = { kept: 0, hasFailed: false };
  const lane = async (): Promise<void> => {
    for (let next = await urls.next(); next !== undefined; next = await urls.next()) {
      if (state.hasFailed || !(await lease.mayBegin())) return;
      // Kept before the next one begins: a crash then repeats what was in flight and nothing else.
      const heldUntil = await keeper.keep(find(next, hold, prober, parts));
      lease.extend(heldUntil);
      if (heldUntil === null) return;
      state.kept += 1;
    }
  };
  const fail = (fault: unknown): never => {
    state.hasFailed = true;
    throw fault;
  };
  const lanes = Array.from({ length: CRAWL_REQUESTS_PER_HOST }, () => lane().catch(fail));
  const ends = await Promise.allSettled(lanes);
  prober.close();
  const broken = ends.find((end) => end.status === 'rejected');
  if (broken !== undefined) throw broken.reason;
  // A host with nothing left is never taken again.
  if (state.kept < left) await parts.work.release(hold);
}

async function find(
  { urlKey, endpoint }: Listed,
  { runId, host }: HostHold,
  prober: Prober,
  { now, stopwatch, onReceipt }: ProbeHostsParts,
): Promise<Finding> {
  const from = stopwatch();
  const receipt = await checkListed(runId, endpoint, { prober, now });
  onReceipt(receipt, host, stopwatch() - from);
  return { host, normalized: endpoint.target.normalized, row: { urlKey, receipt } };
}

function leaseOn({ hold, heldUntil }: Held, { work, stopwatch, isStopped }: ProbeHostsParts) {
  const state = { heldUntil, isLost: false };
  const isLong = () => !state.isLost && !isStopped() && state.heldUntil - stopwatch() > LEAST_HOLD_MS;
  const extend = (until: number | null) => {
    if (until === null) state.isLost = true;
    else state.heldUntil = Math.max(state.heldUntil, until);
  };
  const renew = oneAtATime(async () => {
    const from = stopwatch();
    extend((await work.renew(hold, HOLD_MS)) ? from + HOLD_MS : null);
  });
  return {
    extend,
    async mayBegin(): Promise<boolean> {
      if (!isLong() && !state.isLost && !isStopped()) await renew();
      return isLong();
    },
  };
}

interface Listed {
  readonly urlKey: string;
  readonly endpoint: ListedEndpoint;
}

/** The URLs that are left of a host, read chunk by chunk, each handed out once. */
function urlsOf({ runId, host }: HostHold, left: number, work: CrawlWork) {
  const waiting: Listed[] = [];
  const state: { toCome: number; after: string | null } = { toCome: left, after: null };
  const read = oneAtATime(async () => {
    const chunk = await work.left(runId, host, state.after, CHUNK);
    state.after = chunk.at(-1)?.urlKey ?? null;
    state.toCome = chunk.length < CHUNK ? 0 : state.toCome - chunk.length;
    waiting.push(...chunk);
  });
  return {
    async next(): Promise<Listed | undefined> {
      while (waiting.length === 0 && state.toCome > 0) await read();
      return waiting.shift();
    },
  };
}

/** Whoever asks while it is under way gets the same. */
function oneAtATime(work: () => Promise<void>): () => Promise<void> {
  let underWay: Promise<void> | null = null;
  return () => {
    underWay ??= work().finally(() => {
      underWay = null;
    });
    return underWay;
  };
}
