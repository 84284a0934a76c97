import { mayReplay, replayCounter } from '../../core/payment/replay.ts';
import { type Purchase, paidRequestKey, payerIdentifier, paymentKey } from '../../core/x402/paid-request.ts';
import type { Payment } from '../../core/x402/payment-payload.ts';
import type { Clock } from '../../ports/clock.ts';
import type { CounterStore } from '../../ports/counter-store.ts';
import type { FrozenAnswer, PaidRequest, PaymentLedger, Standing } from '../../ports/payment-ledger.ts';

/** What a payment has led to, as far as the ledger knows. */
export type KnownOutcome =
  | { readonly kind: 'answered'; readonly answer: FrozenAnswer; readonly replayed: boolean }
  /** The payment, or its identifier, was for another request, or its answer is no longer kept. */
  | { readonly kind: 'reused' }
  /** Its answer was delivered, and to somebody else (gap G97). */
  | { readonly kind: 'delivered' }
  /** It has brought back its answer too often this hour. */
  | { readonly kind: 'replay_limit' }
  | Reverted
  /** The outcome is not known yet; only the same payment may be sent again. */
  | { readonly kind: 'pending' };

/** The transaction of the payment failed on the chain: nothing was charged, and it buys nothing any more. */
export interface Reverted {
  readonly kind: 'reverted';
}

/** The ledger, the counter of replays, and a clock to wait with. */
export interface LedgerPorts {
  readonly ledger: Pick<PaymentLedger, 'look' | 'lookAndEnd'>;
  readonly counters: Pick<CounterStore, 'reserve'>;
  readonly clock: Pick<Clock, 'now' | 'wait'>;
}

/** What says nothing about a call that is free for this caller. */
const NO_MATTER: ReadonlySet<string> = new Set(['reused', 'delivered', 'reverted']);

/**
 * The answer that this payment has bought or is buying; null when it bought nothing here. After null the answer may be
 * given away: `lookAndEnd` has ended any attempt that could still charge for it.
 */
export async function boughtBefore(
  request: PaidRequest,
  ports: LedgerPorts,
): Promise<Exclude<KnownOutcome, Reverted> | null> {
  const { ledger, clock } = ports;
  const standing = await untilDecided(() => ledger.lookAndEnd(request, clock.now()), clock);
  const outcome = standing === null ? null : await outcomeOf(standing, request, ports);
  return outcome === null || outcome.kind === 'reverted' || NO_MATTER.has(outcome.kind) ? null : outcome;
}

/** What the ledger knows of this payment; null when it can be claimed. */
export async function knownOutcome(request: PaidRequest, ports: LedgerPorts): Promise<KnownOutcome | null> {
  const { ledger, clock } = ports;
  const standing = await untilDecided(() => ledger.look(request, clock.now()), clock);
  return standing === null ? null : outcomeOf(standing, request, ports);
}

/** `from` is who presents the payment. */
export function paidRequest(purchase: Purchase, payment: Payment, from: string): PaidRequest {
  return {
    key: paymentKey(payment),
    requestKey: paidRequestKey(purchase, payment),
    identifier: payerIdentifier(payment),
    from,
  };
}

export async function outcomeOf(
  standing: Standing,
  request: PaidRequest,
  ports: Pick<LedgerPorts, 'counters' | 'clock'>,
): Promise<KnownOutcome> {
  switch (standing.kind) {
    case 'other_request':
      return { kind: 'reused' };
    case 'pending':
      return { kind: 'pending' };
    case 'reverted':
      return standing;
    case 'settled':
      return replay(standing, request, ports);
  }
}

/** Strangers are refused before anything is counted: they must not use up the buyer's replays. */
async function replay(
  { answer, presented }: Extract<Standing, { kind: 'settled' }>,
  request: PaidRequest,
  { counters, clock }: Pick<LedgerPorts, 'counters' | 'clock'>,
): Promise<KnownOutcome> {
  if (answer === null) return { kind: 'reused' };
  if (!mayReplay(presented, request)) return { kind: 'delivered' };
  const { granted } = await counters.reserve([replayCounter(request.key, clock.now())]);
  return granted ? { kind: 'answered', answer, replayed: true } : { kind: 'replay_limit' };
}

/** How long a repeated payment waits for the first attempt. */
const PATIENCE_MS = 15_000;
const PAUSE_MS = { first: 20, longest: 500 };

/** Polls while another attempt works on the payment. A settlement without an outcome is not waited for. */
export async function untilDecided<Answer extends { readonly kind: string } | null>(
  ask: () => Promise<Answer>,
  clock: Pick<Clock, 'wait'>,
): Promise<Answer> {
  let pause = PAUSE_MS.first;
  for (let waited = 0; ; ) {
    const answer = await ask();
    if (answer === null || !isUnderWay(answer) || waited >= PATIENCE_MS) return answer;
    await clock.wait(pause);
    waited += pause;
    pause = Math.min(2 * pause, PAUSE_MS.longest);
  }
}

function isUnderWay(answer: { readonly kind: string; readonly state?: string }): boolean {
  return answer.kind === 'pending' && answer.state !== 'unknown';
}
