import type { Networks } from '../../core/access/networks.ts';
import { secondsToNextUtcMinute } from '../../core/access/utc-window.ts';
import type { Problem } from '../../wire/responses/problem.ts';
import { createMinuteLimit, type MinuteLimit } from './minute-limit.ts';
import { createUnderWay } from './under-way.ts';

/** Kinds of work with a pool and a minute each, so that none can take the service from another (gap G102). */
export type Work = 'read' | 'check' | 'purchase';

export interface AdmissionLimits {
  /** Requests under way of each kind; beyond it they are refused at once, because a queue would only add latency. */
  readonly pools: Readonly<Record<Work, number>>;
  /** Requests under way of one address. */
  readonly underWayPerAddress: number;
  /** Requests of one address in a minute, of each kind, without checks and purchases that were served. */
  readonly readsPerAddressMinute: number;
}

/** Requests under way of one kind, without those that wait for their caller. */
export interface Pool {
  count: number;
}

export interface Admission {
  readonly pools: Readonly<Record<Work, Pool>>;
  /** Null when the request may begin, and then it counts as one in the minute of its kind; `leave` follows its answer. */
  enter(work: Work, networks: Networks): Problem | null;
  /** `reads` is what it counts for in the end. */
  leave(work: Work, networks: Networks, reads: number): void;
  /** Counts a request that does its work through others, such as a batch of tools, in a minute of its own. */
  countOnly(networks: Networks): Problem | null;
}

export function createAdmission(limits: AdmissionLimits, now: () => Date): Admission {
  const pools: Record<Work, Pool> = { read: { count: 0 }, check: { count: 0 }, purchase: { count: 0 } };
  const underWay = createUnderWay(limits.underWayPerAddress);
  const newMinute = () => createMinuteLimit(limits.readsPerAddressMinute);
  const minutes: Record<Work, MinuteLimit> = { read: newMinute(), check: newMinute(), purchase: newMinute() };
  const messages = newMinute();
  const readLimit = (): Problem => ({
    code: 'read_limit',
    detail: `More than ${limits.readsPerAddressMinute} requests in this minute; slow down.`,
    retryAfterSeconds: secondsToNextUtcMinute(now()),
  });
  return {
    pools,
    enter(work, networks) {
      const pool = pools[work];
      if (pool.count >= limits.pools[work]) return OVERLOADED;
      if (!minutes[work].take(networks, now())) return readLimit();
      if (!underWay.enter(networks)) return addressBusy(limits);
      pool.count += 1;
      return null;
    },
    leave(work, networks, reads) {
      pools[work].count -= 1;
      underWay.leave(networks);
      if (reads === 0) minutes[work].giveBack(networks, now());
      else if (reads > 1) minutes[work].add(networks, reads - 1, now());
    },
    countOnly: (networks) => (messages.take(networks, now()) ? null : readLimit()),
  };
}

const OVERLOADED: Problem = {
  code: 'overloaded',
  detail: 'Too many requests in progress; try again shortly.',
  retryAfterSeconds: 1,
};

/** For the last twenty statements of a URL, each as long as a stranger made it. */
export const HISTORY_READS = 5;

/** How many bytes of an answer count as one read, where a stranger decides how long it is. */
export const READ_BYTES = 65_536;

function addressBusy({ underWayPerAddress }: AdmissionLimits): Problem {
  return {
    code: 'address_busy',
    detail: `More than ${underWayPerAddress} requests of this address in progress; wait for their answers.`,
    retryAfterSeconds: 1,
  };
}
