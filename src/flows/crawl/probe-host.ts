import { singleFlight } from '../../core/concurrency/single-flight.ts';
import type { ListedEndpoint } from '../../core/crawl/listed-endpoint.ts';
import { CRAWL_SLOTS_PER_TARGET, CRAWL_TIMEOUT_MS, VANTAGE_TIMEOUT_MS } from '../../core/limits.ts';
import type { CrawlWork, HeldHost, HostHold } from '../../ports/crawl-work.ts';
import type { Place, ProbeRequest } from '../../ports/prober.ts';
import { checkListed } from './check-listed.ts';
import type { CrawlAddresses } from './crawl-addresses.ts';
import type { ProbePorts } from './crawl-ports.ts';
import { crawlSlots } from './crawl-slots.ts';
import type { LeaseTimes } from './held-slots.ts';
import { type Finding, type FindingsKeeper, HOLD_MS } from './keep-findings.ts';
import { type ListeningProber, listeningTo } from './silent-host.ts';

export interface HostLease extends Pick<HeldHost, 'left'> {
  readonly hold: HostHold;
  /** By the stopwatch; never later than by the clock of the store. */
  readonly heldUntil: number;
}

/** URLs of a host that are read from the store at once. */
const CHUNK = 24;
/** A check starts only if the leases outlast it: two requests, what others take, and the time to store the result. */
export function leaseTimes({ vantages }: Pick<ProbePorts, 'vantages'>): LeaseTimes {
  const othersMs = vantages === undefined ? 0 : VANTAGE_TIMEOUT_MS;
  return { leaseMs: HOLD_MS, leastLeaseMs: 2 * CRAWL_TIMEOUT_MS + othersMs + 2_000 };
}

/** Probes all URLs of one host, two at a time. What cannot start any more is left to the next worker. */
export async function probeHost(
  held: HostLease,
  keeper: FindingsKeeper,
  addresses: CrawlAddresses,
  ports: ProbePorts,
): Promise<void> {
  const { hold, left } = held;
  const state = { kept: 0, hasFailed: false };
  const lease = leaseOn(held, ports);
  const mayBegin = async () => !state.hasFailed && (await lease.mayBegin());
  const urls = urlsOf(hold, left, ports.work);
  const slots = crawlSlots(hold.owner, { ...leaseTimes(ports), mayBegin }, ports);
  const atAddresses = addresses.open();
  const prober = listeningTo(ports.openHost(hold.host));
  /** False when nothing more can be done. */
  const probeNext = async (): Promise<boolean> => {
    const next = await urls.next();
    if (next === undefined) return false;
    const { target } = next.endpoint;
    const place = await prober.locate(target);
    // The longer wait first, many hosts may be on one address: the lease at the host is looked at last.
    const leaveAddresses = await atAddresses.enter(place, mayBegin);
    if (leaveAddresses === null) return false;
    try {
      const leave = await slots.enter(target);
      return leave === null ? false : await probeAt(next, place).finally(leave);
    } finally {
      leaveAddresses();
    }
  };
  const probeAt = async (next: Listed, place: Place): Promise<boolean> => {
    const placed = {
      isSilent: prober.isSilent,
      probe: (request: ProbeRequest) => prober.probe(request, place),
    };
    // Stored before the next one starts: a crash repeats only what was in flight.
    const heldUntil = await keeper.keep(find(next, hold, placed, ports));
    lease.extend(heldUntil);
    if (heldUntil === null) return false;
    state.kept += 1;
    return true;
  };
  const worker = async (): Promise<void> => {
    try {
      while (await probeNext());
    } catch (fault) {
      state.hasFailed = true;
      throw fault;
    }
  };
  const ends = await Promise.allSettled(Array.from({ length: CRAWL_SLOTS_PER_TARGET }, worker));
  prober.close();
  await slots.freeAll();
  await atAddresses.close();
  const failed = ends.find((end) => end.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
  // A host with nothing left is never taken again.
  if (state.kept < left) await ports.work.release(hold);
}

async function find(
  { urlKey, endpoint }: Listed,
  { runId, host }: HostHold,
  prober: Pick<ListeningProber, 'probe' | 'isSilent'>,
  ports: ProbePorts,
): Promise<Finding> {
  const from = ports.stopwatch();
  const receipt = await checkListed(runId, endpoint, { ...ports, prober });
  ports.onReceipt(receipt, host, ports.stopwatch() - from);
  return { host, normalized: endpoint.target.normalized, row: { urlKey, receipt } };
}

function leaseOn({ hold, heldUntil }: HostLease, ports: ProbePorts) {
  const { work, stopwatch, isStopped } = ports;
  const { leastLeaseMs } = leaseTimes(ports);
  const state = { heldUntil, isLost: false };
  const goesOn = () => !state.isLost && !isStopped();
  const isLong = () => goesOn() && state.heldUntil - stopwatch() > leastLeaseMs;
  const extend = (until: number | null) => {
    if (until === null) state.isLost = true;
    else state.heldUntil = Math.max(state.heldUntil, until);
  };
  const renewing = singleFlight<'renew', void>();
  const renew = () =>
    renewing('renew', async () => {
      const from = stopwatch();
      extend((await work.renew(hold, HOLD_MS)) ? from + HOLD_MS : null);
    });
  return {
    extend,
    async mayBegin(): Promise<boolean> {
      if (!isLong() && goesOn()) await renew();
      return isLong();
    },
  };
}

interface Listed {
  readonly urlKey: string;
  readonly endpoint: ListedEndpoint;
}

/** The remaining URLs of a host, read in chunks, each returned once. */
function urlsOf({ runId, host }: HostHold, left: number, work: CrawlWork) {
  const waiting: Listed[] = [];
  const state: { toCome: number; after: string | null } = { toCome: left, after: null };
  const reading = singleFlight<'read', void>();
  const read = () =>
    reading('read', async () => {
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
