import type { Networks } from '../../core/access/networks.ts';
import { secondsToNextUtcMinute } from '../../core/access/utc-window.ts';
import type { Problem } from '../../wire/responses/problem.ts';
import { createMinuteLimit } from './minute-limit.ts';
import { createUnderWay } from './under-way.ts';

/**
 * Kinds of work with a pool and a minute each, so that none can take the service from another (gap G102). The work of a message of
 * MCP is done by the routes that it asks, which are admitted one by one.
 */
export type Work = 'read' | 'check' | 'purchase' | 'message';

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
}

export function createAdmission(limits: AdmissionLimits, now: () => Date): Admission {
  const pools = ofEach<Pool>(() => ({ count: 0 }));
  const minutes = ofEach(() => createMinuteLimit(limits.readsPerAddressMinute));
  const routes = createUnderWay(limits.underWayPerAddress);
  // A message must not take the places that its own routes need.
  const messages = createUnderWay(limits.underWayPerAddress);
  const underWay = (work: Work) => (work === 'message' ? messages : routes);
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
      if (!underWay(work).enter(networks)) return addressBusy(limits);
      pool.count += 1;
      return null;
    },
    leave(work, networks, reads) {
      pools[work].count -= 1;
      underWay(work).leave(networks);
      if (reads === 0) minutes[work].giveBack(networks, now());
      else if (reads > 1) minutes[work].add(networks, reads - 1, now());
    },
  };
}

function ofEach<Value>(make: () => Value): Readonly<Record<Work, Value>> {
  return { read: make(), check: make(), purchase: make(), message: make() };
}

const OVERLOADED: Problem = {
  code: 'overloaded',
  detail: 'Too many requests in progress; try again shortly.',
  retryAfterSeconds: 1,
};

/** For the last twenty statements of a URL, each as long as a stranger made it; the request counts besides. */
export const HISTORY_READS = 4;

/** How many bytes of an answer count as one read, where a stranger decides how long it is. */
export const READ_BYTES = 65_536;

/** How many bytes of a message of MCP count as one: a library checks all of its members. */
export const MESSAGE_BYTES = 8_192;

const READ_URL_CHARS = 256;

/** Receipts are looked for by the redacted URL, and redacting takes the longer the longer it is. */
export function readsOfUrl({ href }: { readonly href: string }): number {
  return Math.ceil(href.length / READ_URL_CHARS);
}

function addressBusy({ underWayPerAddress }: AdmissionLimits): Problem {
  return {
    code: 'address_busy',
    detail: `More than ${underWayPerAddress} requests of this address in progress; wait for their answers.`,
    retryAfterSeconds: 1,
  };
}
