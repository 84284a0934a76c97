import type { EndpointCheck } from '../../core/catalog/endpoint-check.ts';
import { type ExampleCall, exampleCall } from '../../core/catalog/example-call.ts';
import type { Service } from '../../core/catalog/read-catalog.ts';
import { readDeliveredBody } from '../../core/known-answer/delivered-body.ts';
import { finishedCall, unsignedCall } from '../../core/known-answer/finished-call.ts';
import { grade, type References } from '../../core/known-answer/grade.ts';
import type { KnownAnswerTest } from '../../core/known-answer/known-answer-test.ts';
import { type CallResult, noteOf } from '../../core/known-answer/open-call.ts';
import type { PaidCall } from '../../core/known-answer/paid-call.ts';
import type { MicroUsd } from '../../core/money/micro-usd.ts';
import { judge } from '../../core/verdict/judge.ts';
import type { Judgement } from '../../core/verdict/judge-offers.ts';
import { type Observation, observe } from '../../core/verdict/observation.ts';
import { keepPayment } from '../../core/x402/payment-payload.ts';
import { quotedPrice, type Terms } from '../../core/x402/terms.ts';
import type { Clock } from '../../ports/clock.ts';
import type { AuthorizationLog } from '../../ports/facilitator.ts';
import type { PaidCallStore, SpendingCaps } from '../../ports/paid-calls.ts';
import type { Prober } from '../../ports/prober.ts';
import type { Bought, Buyer, Goods, ReferenceSource } from '../../ports/verify/own-calls.ts';
import { findSettlement } from './find-settlement.ts';

export interface VerifyPorts extends Pick<Clock, 'now' | 'wait'> {
  readonly prober: Prober;
  readonly calls: PaidCallStore;
  /** Null for a dry run: everything is checked, nothing is bought. */
  readonly buyer: Buyer | null;
  readonly references: ReferenceSource;
  readonly authorizationLog: AuthorizationLog;
  readonly caps: SpendingCaps & { readonly perCall: MicroUsd };
  /** The payee of the catalog, or of the last signed rotation; null when none is named. */
  readonly payeeOf: (service: Service) => Promise<string | null>;
  readonly newId: () => string;
}

export type Verified =
  | { readonly kind: 'paid'; readonly call: PaidCall }
  /** In a dry run. */
  | { readonly kind: 'would_pay'; readonly terms: Terms }
  /** Nothing was signed. `why` is a reason code of the judge or one of this flow. */
  | { readonly kind: 'not_paid'; readonly why: string }
  /** Signed and sent, and the chain has not decided yet; a later round finishes it. */
  | { readonly kind: 'open' }
  /** The spending cap of the day, or in total, is reached. */
  | { readonly kind: 'capped'; readonly by: 'day_cap' | 'total_cap' };

/** One service: an unpaid probe, the same judge as everywhere, then a paid call that is graded and stored. */
export async function verifyService(service: Service, ports: VerifyPorts): Promise<Verified> {
  const call = exampleCall(service);
  if (call === null) return { kind: 'not_paid', why: 'bad_example' };
  const looked = await lookAt(service, call, ports);
  await ports.calls.keepCheck(service.id, looked.check);
  const { verdict } = looked.judgement;
  if (looked.payee === null) return { kind: 'not_paid', why: 'no_payee' };
  if (verdict.verdict !== 'pay') return { kind: 'not_paid', why: verdict.reason };
  const { terms } = verdict;
  if (terms.amountAtomic > ports.caps.perCall) return { kind: 'not_paid', why: 'call_cap' };
  return ports.buyer === null
    ? { kind: 'would_pay', terms }
    : buyAndStore({ service, call, terms, buyer: ports.buyer }, ports);
}

interface Looked {
  readonly judgement: Judgement;
  readonly payee: string | null;
  readonly check: EndpointCheck;
}

/** The unpaid check of a service (gap G24): its live terms against the catalog. */
async function lookAt(
  service: Service,
  { target, method, body }: ExampleCall,
  { prober, payeeOf, now }: Pick<VerifyPorts, 'prober' | 'payeeOf' | 'now'>,
): Promise<Looked> {
  const payee = await payeeOf(service);
  const observation = observe(await prober.probe({ target, method, ...(body === null ? {} : { body }) }));
  const checkedAt = now();
  const expected = { price: service.price, payTo: payee, network: service.network.network };
  const judgement = judge(observation, { ...expected, source: 'listing' }, checkedAt);
  return { judgement, payee, check: checkOf(service, observation, judgement, checkedAt) };
}

function checkOf(
  { price }: Service,
  observation: Observation,
  { offer }: Judgement,
  checkedAt: Date,
): EndpointCheck {
  const quoted = offer === null ? null : quotedPrice(offer);
  return {
    checkedAt,
    reachable: observation.kind === 'answered' || observation.kind === 'headers_too_large',
    x402Challenge: observation.kind === 'answered' && observation.challenge.kind === 'readable',
    quotedPrice: quoted,
    priceMatchesListing: quoted === null ? null : quoted === price,
  };
}

interface Purchase {
  readonly service: Service;
  readonly call: ExampleCall;
  readonly terms: Terms;
  readonly buyer: Buyer;
}

/** The call is counted and stored before signing, the signature before sending, the outcome after. */
async function buyAndStore({ service, call, terms, buyer }: Purchase, ports: VerifyPorts): Promise<Verified> {
  const { calls, caps, now } = ports;
  const id = ports.newId();
  const calledAt = now();
  const { amountAtomic: amount, payTo } = terms;
  const begun = await calls.begin({ id, serviceId: service.id, calledAt, amount, payTo }, caps);
  if (begun !== 'begun') return { kind: 'capped', by: begun };
  const asked = askReferences(service.knownAnswer, ports.references);
  const request = { url: call.target.href, method: call.method, body: call.body };
  const bought = await buyer.pay(request, terms, (payment) =>
    calls.note(id, noteOf({ payment, result: null })),
  );
  if (bought.kind === 'not_signed') {
    await calls.finish(id, unsignedCall(calledAt), NO_EVIDENCE);
    return { kind: 'not_paid', why: bought.why };
  }
  const result = resultOf(bought, service.knownAnswer, await asked, now());
  await calls.note(id, noteOf({ payment: keepPayment(bought.payment), result }));
  const settlement = await findSettlement(bought.payment, ports.authorizationLog, ports);
  if (settlement === null) return { kind: 'open' };
  const paidCall = finishedCall({ calledAt, payTo, result, settlement });
  await calls.finish(id, paidCall, { bodySha256: result.bodySha256, body: result.body });
  return { kind: 'paid', call: paidCall };
}

const NO_EVIDENCE = { bodySha256: null, body: null };

function resultOf(
  { goods, tooMuch, latencyMs }: Extract<Bought, { kind: 'signed' }>,
  test: KnownAnswerTest | null,
  references: References,
  now: Date,
): CallResult {
  const { sha256, kept, json } = readDeliveredBody(goods?.body ?? new Uint8Array());
  const isAnswer = goods !== null && goods.status >= 200 && goods.status <= 299 && sha256 !== null;
  const { quality, reason } = isAnswer
    ? grade(json, test, references, now)
    : ({ quality: 'not_graded', reason: ungradedReason(goods, tooMuch) } as const);
  return {
    // An answer beyond our size limit was delivered; the limit is not the seller's fault.
    delivered: isAnswer || tooMuch,
    quality,
    qualityReason: reason,
    httpStatus: goods?.status ?? null,
    latencyMs,
    bodySha256: sha256,
    body: kept,
  };
}

function ungradedReason(goods: Goods | null, tooMuch: boolean): string {
  if (tooMuch) return 'the answer was too large to be graded';
  return goods === null ? 'no answer came back' : 'nothing was delivered';
}

/** Requested during the call, so that answer and references are of the same moment. */
async function askReferences(test: KnownAnswerTest | null, source: ReferenceSource): Promise<References> {
  const answers = await Promise.all(
    Object.entries(test?.references ?? {}).map(
      async ([name, reference]) => [name, await source.ask(reference)] as const,
    ),
  );
  return new Map(answers.flatMap(([name, value]) => (value === null ? [] : [[name, value]])));
}
