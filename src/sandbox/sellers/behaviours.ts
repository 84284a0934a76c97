import { setTimeout as wait } from 'node:timers/promises';
import type { Facilitator } from '../../ports/facilitator.ts';
import type { LoopbackAnswer, LoopbackRequest } from '../loopback-server.ts';
import { deliverThanks, type Work } from './known-answers.ts';
import type { SaleTerms } from './sale-terms.ts';
import { sell } from './sell.ts';
import type { Versions } from './seller-challenge.ts';

/** What a seller does when it is called. */
export type Behave = (request: LoopbackRequest, stall: Stall) => Promise<LoopbackAnswer>;

/** Where it does so. */
export interface Stall {
  /** The seller's address, without a query. */
  readonly url: string;
  /** What it says that it sells. */
  readonly about: string;
  readonly versions: Versions;
  readonly facilitator: Facilitator;
  /** Milliseconds of any clock. */
  readonly now: () => number;
}

export function selling(terms: SaleTerms, work: Work = deliverThanks): Behave {
  return (request, stall) => sell(request, { ...stall, terms, work });
}

export function answering(status: number, headers: Readonly<Record<string, string>> = {}): Behave {
  return async () => ({ kind: 'json', status, body: '{}', headers });
}

export const hangingUp: Behave = async () => ({ kind: 'hang_up' });

/** Does it, but only after a while. */
export function after(milliseconds: number, behave: Behave): Behave {
  return async (request, stall) => {
    // Nobody who stops the sandbox has to wait for it.
    await wait(milliseconds, undefined, { ref: false });
    return behave(request, stall);
  };
}

/** One thing at first, another one from so long after the first call on. It remembers, so it is good for one seller. */
export function drifting(milliseconds: number, first: Behave, then: Behave): Behave {
  let askedAt: number | null = null;
  return (request, stall) => {
    askedAt ??= stall.now();
    return (stall.now() - askedAt < milliseconds ? first : then)(request, stall);
  };
}
