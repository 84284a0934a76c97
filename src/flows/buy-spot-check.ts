import { addressKey, type Caller } from '../core/access/caller-key.ts';
import { type Counter, paidCheckCounter } from '../core/access/quota.ts';
import { secondsToNextUtcHour, utcHour } from '../core/access/utc-window.ts';
import { QUOTE_SECONDS, SPOT_CHECK_PRICE_MAX } from '../core/limits.ts';
import { type MicroUsd, microUsd } from '../core/money/micro-usd.ts';
import { spotCheckPrice } from '../core/money/prices.ts';
import { isTransportRecheck } from '../core/verdict/verdict.ts';
import { purchaseKey } from '../core/x402/paid-request.ts';
import type { Payment } from '../core/x402/payment-payload.ts';
import { quotedPrice } from '../core/x402/terms.ts';
import type { CounterStore } from '../ports/counter-store.ts';
import type { QuoteStore } from '../ports/quote-store.ts';
import type { BoughtBefore, Charged, ChargeFor, Quoted } from './charge.ts';
import type { Decision, DecisionParts } from './decide.ts';
import { makeReceipt } from './decide.ts';
import {
  type CheckRequest,
  type Look,
  type LookOptions,
  type LookParts,
  lookAtEndpoint,
} from './look-at-endpoint.ts';

export interface BuyParts extends LookParts, DecisionParts {
  readonly chargeFor: ChargeFor;
  readonly boughtBefore: BoughtBefore;
  readonly quotes: QuoteStore;
  readonly counters: CounterStore;
  readonly secret: string;
  readonly pricedProbesPerHour: number;
  readonly paidChecksPerHour: number;
}

/** A payment for a check, and how its answer is written. */
export interface CheckPurchase {
  readonly payment: Payment;
  readonly payTo: string;
  /** The answer without its settlement fields. */
  readonly render: (decision: Decision) => string;
}

/** Why a check was not sold; the payment is still the buyer's. */
export type Unsold =
  /** The target could not be heard, and that is not worth money (gap G40). */
  | ({ readonly kind: 'uncharged' } & Decision)
  | { readonly kind: 'blocked' }
  | { readonly kind: 'rate_limited'; readonly retryAfterSeconds: number; readonly by: 'target' | 'quotes' };

/** The check that this payment has bought, or is buying. */
export function checkBoughtBefore(
  request: CheckRequest,
  { payment }: CheckPurchase,
  parts: BuyParts,
): Promise<Charged<never> | null> {
  return parts.boughtBefore({ payment, operation: 'spot_check', parameters: parametersOf(request, parts) });
}

/** A price that was named before is honoured; else the target is looked at for one (gap G47). */
export function buySpotCheck(
  request: CheckRequest,
  caller: Caller,
  { payment, payTo, render }: CheckPurchase,
  parts: BuyParts,
): Promise<Charged<Unsold>> {
  const parameters = parametersOf(request, parts);
  const offered = microUsd(payment.authorization.value);
  const seen: { look?: Look } = {};
  return parts.chargeFor<Unsold>({
    payment,
    payTo,
    operation: 'spot_check',
    parameters,
    limit: (payer) => paidCheckCounter(payer, parts.now(), parts.paidChecksPerHour),
    async quote(): Promise<Quoted<Unsold>> {
      if (await isOpenQuote(offered, parameters, parts)) return { kind: 'price', price: offered };
      const looked = await lookForPrice(request, caller, parts);
      if (looked.kind !== 'looked') return { kind: 'stopped', because: looked };
      seen.look = looked.look;
      return { kind: 'price', price: looked.price };
    },
    async work() {
      const look = seen.look ?? (await lookAtEndpoint(request, parts));
      if (look.kind !== 'looked') return { kind: 'stopped', because: unsold(look) };
      const decision = { look, receipt: makeReceipt(request, look, parts) };
      const kept = { receipt: decision.receipt, urlKey: parts.keyOf(request.target.normalized) };
      if (isTransportRecheck(look.verdict)) {
        const isWithin = await countUncharged(payment, parts);
        if (!isWithin) return { kind: 'stopped', because: tooManyUncharged(parts.now()) };
        await parts.receipts.add(kept.receipt, kept.urlKey);
        return { kind: 'stopped', because: { kind: 'uncharged', ...decision } };
      }
      return { kind: 'done', answer: { body: render(decision), receipt: kept } };
    },
  });
}

/** A buyer may sign any number; no store is asked for one that was never a price. */
async function isOpenQuote(
  amount: MicroUsd,
  parameters: readonly (string | null)[],
  { quotes, now }: BuyParts,
): Promise<boolean> {
  if (amount > SPOT_CHECK_PRICE_MAX) return false;
  return quotes.isOpen({ key: purchaseKey({ operation: 'spot_check', parameters }), amount }, now());
}

/** An answer that costs nothing leaves a receipt for ever: one payment must not make any number of them. */
async function countUncharged({ authorization }: Payment, parts: BuyParts): Promise<boolean> {
  const key = `uncharged:${authorization.from}`;
  const counter = { key, window: utcHour(parts.now()), limit: parts.pricedProbesPerHour };
  return (await parts.counters.reserve([counter])).granted;
}

function tooManyUncharged(now: Date): Unsold {
  return { kind: 'rate_limited', retryAfterSeconds: secondsToNextUtcHour(now), by: 'quotes' };
}

type Priced =
  | { readonly kind: 'looked'; readonly look: Look; readonly price: MicroUsd }
  | Exclude<Unsold, { kind: 'uncharged' }>;

/** Names a price that stays payable for a while. Such looks are free, so an address gets only so many new ones an hour. */
export async function lookForPrice(
  request: CheckRequest,
  caller: Caller,
  parts: BuyParts,
  options: Pick<LookOptions, 'known'> = {},
): Promise<Priced> {
  const look = await lookAtEndpoint(request, parts, { ...options, budget: quoteBudget(caller, parts) });
  if (look.kind !== 'looked') return unsold(look);
  const price = spotCheckPrice(look.offer === null ? null : quotedPrice(look.offer));
  const key = purchaseKey({ operation: 'spot_check', parameters: parametersOf(request, parts) });
  const until = new Date(parts.now().getTime() + QUOTE_SECONDS * 1_000);
  await parts.quotes.remember({ key, amount: price }, until);
  return { kind: 'looked', look, price };
}

function unsold(look: Exclude<Awaited<ReturnType<typeof lookAtEndpoint>>, Look>) {
  return look.kind === 'blocked'
    ? look
    : ({ ...look, by: look.by === 'caller' ? 'quotes' : 'target' } as const);
}

/** The URL as a keyed hash: no store holds one that could carry a secret. */
function parametersOf({ target, method, claim, ref, task }: CheckRequest, { keyOf }: BuyParts) {
  const { price, payTo, network } = claim;
  return [keyOf(target.normalized), method, price === null ? null : String(price), payTo, network, ref, task];
}

function quoteBudget({ address }: Caller, { secret, now, pricedProbesPerHour }: BuyParts): Counter {
  return { key: `quotes:${addressKey(address, secret)}`, window: utcHour(now()), limit: pricedProbesPerHour };
}
