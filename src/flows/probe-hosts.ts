import type { ListedEndpoint } from '../core/crawl/listed-endpoint.ts';
import { CRAWL_REQUESTS_PER_HOST, CRAWL_TIMEOUT_MS } from '../core/limits.ts';
import type { CrawlReceipt } from '../core/receipt/crawl-receipt.ts';
import type { CrawlWork, HeldHost, HostHold } from '../ports/crawl-work.ts';
import type { ProbePlaces } from '../ports/probe-places.ts';
import type { OpenHost } from '../ports/prober.ts';
import { bell } from './bell.ts';
import { checkListed } from './crawl/check-listed.ts';
import { type Finding, type FindingsKeeper, findingsKeeper, HOLD_MS } from './crawl/keep-findings.ts';
import { type ListeningProber, listeningTo } from './crawl/silent-host.ts';
import { type HostLanes, hostLanes } from './host-lanes.ts';

export interface ProbeHostsParts {
  readonly work: CrawlWork;
  /** Callers who are at the same hosts. */
  readonly places: Pick<ProbePlaces, 'liveAt'>;
  readonly keyOf: (text: string) => string;
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
/** While others hold the rest, one of them may die; and callers may want a place at a host that is held. */
const LOOK_AGAIN_MS = 1_000;

/** Works on hosts until none is left, or until it is stopped. Any number of workers may do this for one run. */
export async function probeHosts(runId: string, owner: string, parts: ProbeHostsParts): Promise<void> {
  const keeper = findingsKeeper({ runId, owner }, parts);
  const active = new Map<string, HostLanes>();
  const faults: unknown[] = [];
  const note = (fault: unknown) => void faults.push(fault);
  const isStopped = () => faults.length > 0 || parts.isStopped();
  const lookAgain = oneAtATime(async () => {
    await parts.wait(LOOK_AGAIN_MS);
    await tendLanes(runId, active, parts).catch(note);
  });
  const ended = bell();
  for (;;) {
    const room = isStopped() ? 0 : parts.hostsAtOnce - active.size;
    const from = parts.stopwatch();
    const taken = room > 0 ? await takeHosts(runId, owner, room, parts).catch(note) : [];
    for (const { host, left, live } of taken ?? []) {
      // A host whose hold ran out may be taken by the one who is still at it.
      if (active.has(host)) continue;
      const held = { hold: { runId, host, owner }, left, live, heldUntil: from + HOLD_MS };
      const { lanes, through } = probeHost(held, keeper, { ...parts, isStopped });
      active.set(host, lanes);
      void through.catch(note).finally(() => {
        active.delete(host);
        ended.ring();
      });
    }
    if (active.size > 0) {
      await Promise.race([ended.rung(), lookAgain()]);
      continue;
    }
    if (faults.length > 0) throw faults[0];
    if (parts.isStopped() || (await parts.work.progress(runId)).urlsLeft === 0) return;
    if (taken?.length === 0) await lookAgain();
  }
}

/** Hosts, and how many callers were there after they were taken: whoever comes later sees that the crawl is there. */
async function takeHosts(
  runId: string,
  owner: string,
  limit: number,
  { work, places, keyOf }: ProbeHostsParts,
): Promise<readonly (HeldHost & { readonly live: number })[]> {
  const taken = await work.take(runId, owner, limit, HOLD_MS);
  const live = await places.liveAt(taken.map(({ host }) => keyOf(host)));
  return taken.map((held, index) => ({ ...held, live: live[index] ?? 0 }));
}

/** One question for all hosts, so that hosts which nobody wants cost nothing. */
async function tendLanes(
  runId: string,
  active: ReadonlyMap<string, HostLanes>,
  { work }: ProbeHostsParts,
): Promise<void> {
  for (const lanes of active.values()) lanes.wake();
  if (active.size === 0) return;
  const wanted = new Set(await work.wanted(runId, [...active.keys()]));
  await Promise.all([...active].map(([host, lanes]) => lanes.tend(wanted.has(host))));
}

interface Held extends Pick<HeldHost, 'left'> {
  readonly hold: HostHold;
  /** By the stopwatch, and never later than by the clock of the store. */
  readonly heldUntil: number;
  /** Callers who were there when it was taken. */
  readonly live: number;
}

/** All URLs of one host, three at a time. What cannot begin any more is left for whoever has the host next. */
function probeHost(
  held: Held,
  keeper: FindingsKeeper,
  parts: ProbeHostsParts,
): { readonly lanes: HostLanes; readonly through: Promise<void> } {
  const { hold } = held;
  const state = { kept: 0, hasFailed: false };
  const lease = leaseOn(held, parts);
  const lanes = hostLanes({
    say: lease.renew,
    live: async () => (await parts.places.liveAt([parts.keyOf(hold.host)]))[0] ?? 0,
    goesOn: () => !state.hasFailed && lease.goesOn(),
  });
  return { lanes, through: throughLanes(held, { keeper, lease, lanes, state }, parts) };
}

interface AtWork {
  readonly keeper: FindingsKeeper;
  readonly lease: Lease;
  readonly lanes: HostLanes;
  readonly state: { kept: number; hasFailed: boolean };
}

async function throughLanes(
  { hold, left, live }: Held,
  { keeper, lease, lanes, state }: AtWork,
  parts: ProbeHostsParts,
): Promise<void> {
  if (live > 0) await lanes.leave(live);
  const urls = urlsOf(hold, left, parts.work);
  const prober = listeningTo(parts.openHost(hold.host));
  /** False when there is nothing more to do. */
  const once = async (): Promise<boolean> => {
    const next = await urls.next();
    if (next === undefined || state.hasFailed || !(await lease.mayBegin())) return false;
    // Kept before the next one begins: a crash then repeats what was in flight and nothing else.
    const heldUntil = await keeper.keep(find(next, hold, prober, parts));
    lease.extend(heldUntil);
    if (heldUntil === null) return false;
    state.kept += 1;
    return true;
  };
  const lane = async (): Promise<void> => {
    for (let goesOn = await lanes.enter(); goesOn; ) {
      goesOn = await once().finally(lanes.exit);
      if (goesOn) goesOn = await lanes.enter();
    }
  };
  const fail = (fault: unknown): never => {
    state.hasFailed = true;
    lanes.wake();
    throw fault;
  };
  const running = Array.from({ length: CRAWL_REQUESTS_PER_HOST }, () => lane().catch(fail));
  const ends = await Promise.allSettled(running);
  prober.close();
  const broken = ends.find((end) => end.status === 'rejected');
  if (broken !== undefined) throw broken.reason;
  // A host with nothing left is never taken again.
  if (state.kept < left) await parts.work.release(hold);
}

async function find(
  { urlKey, endpoint }: Listed,
  { runId, host }: HostHold,
  prober: ListeningProber,
  { now, stopwatch, onReceipt }: ProbeHostsParts,
): Promise<Finding> {
  const from = stopwatch();
  const receipt = await checkListed(runId, endpoint, { prober, now });
  onReceipt(receipt, host, stopwatch() - from);
  return { host, normalized: endpoint.target.normalized, row: { urlKey, receipt } };
}

type Lease = ReturnType<typeof leaseOn>;

function leaseOn({ hold, heldUntil }: Held, { work, stopwatch, isStopped }: ProbeHostsParts) {
  const state = { heldUntil, isLost: false };
  const goesOn = () => !state.isLost && !isStopped();
  const isLong = () => goesOn() && state.heldUntil - stopwatch() > LEAST_HOLD_MS;
  const extend = (until: number | null) => {
    if (until === null) state.isLost = true;
    else state.heldUntil = Math.max(state.heldUntil, until);
  };
  const renew = async (lanes?: number) => {
    const from = stopwatch();
    extend((await work.renew(hold, HOLD_MS, lanes)) ? from + HOLD_MS : null);
  };
  const renewOnce = oneAtATime(() => renew());
  return {
    extend,
    renew,
    goesOn,
    async mayBegin(): Promise<boolean> {
      if (!isLong() && goesOn()) await renewOnce();
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
