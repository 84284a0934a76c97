import { setTimeout as wait } from 'node:timers/promises';
import type { Facilitator } from '../../ports/facilitator.ts';
import type { LoopbackAnswer, LoopbackRequest } from '../loopback-server.ts';
import { deliverThanks, type MakeGoods } from './known-answers.ts';
import type { SaleTerms } from './sale-terms.ts';
import { sell } from './sell.ts';
import type { Versions } from './seller-challenge.ts';

/** How a seller answers a request. */
export type Behave = (request: LoopbackRequest, context: SellerContext) => Promise<LoopbackAnswer>;

/** The seller's side of a request. */
export interface SellerContext {
  /** The seller's address, without a query. */
  readonly url: string;
  /** Its description of its goods. */
  readonly about: string;
  readonly versions: Versions;
  readonly facilitator: Facilitator;
  /** Milliseconds of any clock. */
  readonly now: () => number;
}

export function selling(terms: SaleTerms, makeGoods: MakeGoods = deliverThanks): Behave {
  return (request, context) => sell(request, { ...context, terms, makeGoods });
}

export function answering(status: number, headers: Readonly<Record<string, string>> = {}): Behave {
  return async () => ({ kind: 'json', status, body: '{}', headers });
}

export const hangingUp: Behave = async () => ({ kind: 'hang_up' });

/** Delays another behaviour. */
export function after(milliseconds: number, behave: Behave): Behave {
  return async (request, context) => {
    // Must not keep the process alive.
    await wait(milliseconds, undefined, { ref: false });
    return behave(request, context);
  };
}

/** Switches behaviour this long after the first call. Stateful: one instance per seller. */
export function drifting(milliseconds: number, first: Behave, then: Behave): Behave {
  let askedAt: number | null = null;
  return (request, context) => {
    askedAt ??= context.now();
    return (context.now() - askedAt < milliseconds ? first : then)(request, context);
  };
}
