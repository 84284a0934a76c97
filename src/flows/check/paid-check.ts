import type { Caller } from '../../core/access/caller-key.ts';
import { addressCounters, type Counter, paidCheckCounter } from '../../core/access/quota.ts';
import { secondsToNextUtcHour, utcHour } from '../../core/access/utc-window.ts';
import { QUOTE_SECONDS, SPOT_CHECK_PRICE_MAX } from '../../core/limits.ts';
import type { MicroUsd } from '../../core/money/micro-usd.ts';
import { spotCheckPrice } from '../../core/money/prices.ts';
import { isUndecided } from '../../core/verdict/verdict.ts';
import { purchaseKey } from '../../core/x402/paid-request.ts';
import type { Payment } from '../../core/x402/payment-payload.ts';
import { quotedPrice } from '../../core/x402/terms.ts';
import type { QuoteStore } from '../../ports/quote-store.ts';
import type { NothingSold, Order, Quote, Work } from '../pay/charge.ts';
import type { CheckRequest } from './check-request.ts';
import type { FreeCheckPorts } from './free-check.ts';
import { type Decision, issueReceipt, makeDecision } from './issue-receipt.ts';
import { isStillPayable, type Look, type LookRefusal, lookAtEndpoint } from './look-at-endpoint.ts';
import type { Known } from './read-known.ts';

export interface PaidCheckPorts extends FreeCheckPorts {
  readonly quotes: QuoteStore;
  readonly pricedProbesPerHour: number;
  readonly paidChecksPerHour: number;
}

/** Why a check was not sold. */
export type UnsoldCheck = LookRefusal | UnchargedCheck;

/** We could not tell, and that is not worth money (gap G40). */
export interface UnchargedCheck extends Decision {
  readonly kind: 'uncharged';
}

/** Writes the paid answer, without its settlement fields. */
export type RenderCheck = (decision: Decision) => string;

/** A check as something on sale: a look names the price, and the same look is judged when it is paid for. */
export function paidCheck(
  request: CheckRequest,
  caller: Caller,
  known: Known,
  render: RenderCheck,
  ports: PaidCheckPorts,
): Order<UnsoldCheck, Look | null> {
  const parameters = parametersOf(request, ports.keyOf);
  const keys = quoteKeys(request, ports.keyOf);
  return {
    operation: 'spot_check',
    parameters,
    limit: (payer) => paidCheckCounter(payer, ports.clock.now(), ports.paidChecksPerHour),
    async quote(offered): Promise<Quote<Look | null> | NothingSold<UnsoldCheck>> {
      if (offered !== null && (await isOpenQuote(keys, offered, ports))) {
        return { kind: 'price', price: offered, goods: null };
      }
      const look = await lookAtEndpoint(request, known, ports, quoteBudget(caller, ports));
      if (look.kind !== 'looked') return { kind: 'nothing_sold', result: look };
      return { kind: 'price', price: await quotePrice(keys, look, ports), goods: look };
    },
    async work(quoted, payment): Promise<Work | NothingSold<UnsoldCheck>> {
      // Verifying the payment took time: terms that ran out meanwhile are looked at again before anything is settled.
      const isCurrent = quoted !== null && isStillPayable(quoted, ports);
      const look = isCurrent ? quoted : await lookAtEndpoint(request, known, ports);
      if (look.kind !== 'looked') return { kind: 'nothing_sold', result: look };
      if (isUndecided(look.verdict)) {
        return { kind: 'nothing_sold', result: await unchargedCheck(request, look, payment, ports) };
      }
      const decision = makeDecision(request, look, ports);
      const receipt = { receipt: decision.receipt, urlKey: ports.keyOf(request.target.normalized) };
      return { kind: 'done', answer: { body: render(decision), receipt } };
    },
  };
}

/** All that the answer depends on. The URL is a keyed hash: no store holds one that could carry a secret. */
function parametersOf(request: CheckRequest, keyOf: PaidCheckPorts['keyOf']) {
  const { target, method, claim, ref, task, input = null } = request;
  const { price, payTo, network } = claim;
  const asked = [
    keyOf(target.normalized),
    method,
    price === null ? null : String(price),
    payTo,
    network,
    ref,
    task,
  ];
  // Left out where there is none, so that a payment from before there was input still brings its answer back.
  return input === null ? asked : [...asked, keyOf(input)];
}

/**
 * A quote is for an endpoint, whatever else was asked: a row for every new `ref` or claim would be a row for every unpaid
 * request. The prices of one endpoint are as few as its entries, and each endpoint costs a probe (gap G47).
 */
interface QuoteKeys {
  readonly ofEndpoint: string;
  /** For an answer without terms: one spelling of a URL says nothing about another (gap L13), and each costs a probe. */
  readonly ofSpelling: string;
}

function quoteKeys({ target, method }: CheckRequest, keyOf: PaidCheckPorts['keyOf']): QuoteKeys {
  const key = (parameters: readonly string[]) => purchaseKey({ operation: 'spot_check', parameters });
  return {
    ofEndpoint: key([keyOf(target.normalized), method]),
    ofSpelling: key([keyOf(target.href), method, 'no terms']),
  };
}

/** A quote stays payable for a while, also when the target has changed its price (gap G47). */
async function isOpenQuote(
  { ofEndpoint, ofSpelling }: QuoteKeys,
  amount: MicroUsd,
  { quotes, clock }: PaidCheckPorts,
): Promise<boolean> {
  // A buyer may sign any number; the store is not asked about one that never was a price.
  if (amount > SPOT_CHECK_PRICE_MAX) return false;
  if (await quotes.isOpen({ key: ofEndpoint, amount }, clock.now())) return true;
  return amount === spotCheckPrice(null) && quotes.isOpen({ key: ofSpelling, amount }, clock.now());
}

async function quotePrice(
  { ofEndpoint, ofSpelling }: QuoteKeys,
  { offer }: Look,
  { quotes, clock }: PaidCheckPorts,
): Promise<MicroUsd> {
  const quoted = offer === null ? null : quotedPrice(offer);
  const amount = spotCheckPrice(quoted);
  // An offer in another token may be the choice of one claim: a price of the endpoint it is not.
  const key = quoted === null ? ofSpelling : ofEndpoint;
  if (quoted !== null || offer === null) {
    const until = new Date(clock.now().getTime() + QUOTE_SECONDS * 1_000);
    await quotes.remember({ key, amount }, until);
  }
  return amount;
}

/** Looks for a price are free, so an address gets a limited number of new probes an hour. */
function quoteBudget(
  { address }: Caller,
  { quota, clock, pricedProbesPerHour }: PaidCheckPorts,
): readonly Counter[] {
  const hour = { window: utcHour(clock.now()), limit: pricedProbesPerHour };
  return addressCounters(address, 'quotes', hour, quota.secret);
}

/** Its receipt stays for ever, so one payer gets a limited number of them an hour. */
async function unchargedCheck(
  request: CheckRequest,
  look: Look,
  { authorization }: Payment,
  ports: PaidCheckPorts,
): Promise<UnsoldCheck> {
  const now = ports.clock.now();
  const key = `uncharged:${authorization.from}`;
  const counter = { key, window: utcHour(now), limit: ports.pricedProbesPerHour };
  const { granted } = await ports.quota.counters.reserve([counter]);
  if (!granted) return { kind: 'rate_limited', retryAfterSeconds: secondsToNextUtcHour(now), by: 'quotes' };
  return { kind: 'uncharged', ...(await issueReceipt(request, look, ports)) };
}
