import { HOPS_MAX, type HttpCall } from '../call/read-call.ts';
import { plainContentType } from '../evidence/content-type.ts';
import { paymentResponseOf } from '../evidence/payment-response.ts';
import { GuardRefused } from '../guard-refused.ts';
import type { Guarding } from '../guarding.ts';
import {
  type Answer,
  type Attempt,
  OPEN_STATES,
  type Purchase,
  type PurchaseState,
} from '../ledger/purchase.ts';
import { keptPayment, type SentPayment } from '../payment/signed-payment.ts';
import { type Delivered, readDelivery } from './read-delivery.ts';

/** After a lost answer the same payment is sent again so often, after so long. A nonce pays once, however often it is sent. */
const SEND_AGAIN_AFTER_MS = [250, 1_000];
const ATTEMPTS_KEPT = 20;

/** Whatever is open and was signed. */
const SENDABLE: readonly PurchaseState[] = OPEN_STATES.filter((state) => state !== 'reserved');
/** The chain may say that it was paid while a stream is still under way. */
const DELIVERABLE: readonly PurchaseState[] = [...SENDABLE, 'paid_undelivered'];

/**
 * Sends the payment of a purchase until an answer comes, and writes down what came of it. What was signed just now is written
 * down together with its first sending.
 */
export async function presentPayment(
  guarding: Guarding,
  http: HttpCall,
  { purchase, signedNow }: { readonly purchase: Purchase; readonly signedNow: SentPayment | null },
): Promise<Delivered> {
  const sent = signedNow ?? keptPayment(purchase);
  if (sent === null) throw new GuardRefused('outcome_unknown', { purchaseId: purchase.id });
  // What was signed just now has been asked about already.
  if (signedNow === null && (await guarding.ledger.frozen()))
    throw new GuardRefused('frozen', { purchaseId: purchase.id });
  if (signedNow !== null && http.signal?.aborted === true) {
    // It has not left the process and never will.
    const at = guarding.now();
    await guarding.ledger.move(purchase.id, {
      from: ['signed'],
      to: 'expired',
      at,
      facts: { payment: null },
    });
    throw http.signal.reason;
  }
  let current = signedNow === null ? await noteSending(guarding, purchase) : purchase;
  for (const pauseMs of [...SEND_AGAIN_AFTER_MS, null]) {
    guarding.unfinished.add(purchase);
    guarding.report('sent', purchase);
    const answered = await attempt(() =>
      http.sendPaid(guarding.fetch, sent, purchase.redirected ? HOPS_MAX : 0),
    );
    const concluded =
      'fault' in answered ? answered : await conclude(guarding, http, current, answered.response);
    if ('response' in concluded) return concluded;
    const { fault } = concluded;
    if (http.signal?.aborted === true) {
      await note(guarding, current, 'unknown');
      throw fault;
    }
    if (pauseMs === null || isExpired(current, guarding.now(), pauseMs)) break;
    await pause(pauseMs, http.signal);
    const next = await noteNext(guarding, current);
    if (next === null) break;
    current = next;
  }
  await note(guarding, current, 'unknown');
  throw new GuardRefused('outcome_unknown', { purchaseId: purchase.id });
}

interface Lost {
  readonly fault: unknown;
}

async function attempt(send: () => Promise<Response>): Promise<{ readonly response: Response } | Lost> {
  try {
    return { response: await send() };
  } catch (fault) {
    return { fault };
  }
}

async function conclude(
  guarding: Guarding,
  http: HttpCall,
  purchase: Purchase,
  response: Response,
): Promise<Delivered | Lost> {
  const answer = answerOf(response, purchase, guarding.now());
  const answered = withStatus(purchase, response.status);
  const end = (state: PurchaseState, more: Partial<Answer> = {}) =>
    note(guarding, answered, state, { ...answer, ...more });
  if (response.type === 'opaqueredirect' || (response.status >= 300 && response.status <= 399)) {
    discard(response);
    await end('failed');
    throw new GuardRefused('redirected_elsewhere', { purchaseId: purchase.id });
  }
  if (response.status === 402) {
    discard(response);
    await end('asked_again');
    throw new GuardRefused('asked_again_after_payment', { purchaseId: purchase.id });
  }
  if (!response.ok) {
    await end('failed');
    return { response, copy: null };
  }
  try {
    return await readDelivery(response, { url: http.url.href, end });
  } catch (fault) {
    return { fault };
  }
}

function answerOf(response: Response, { payment }: Purchase, at: Date): Answer {
  const { headers } = response;
  const said = headers.get('payment-response') ?? headers.get('x-payment-response');
  return {
    at: at.toISOString(),
    status: response.status,
    contentType: plainContentType(headers.get('content-type')),
    bytes: null,
    sha256: null,
    // Without one that repeats the signature, which could be settled by whoever reads it.
    paymentResponse: said === null ? null : paymentResponseOf(said, payment).text,
  };
}

/** Before it leaves: a process that dies now must find it again. */
async function noteSending(guarding: Guarding, purchase: Purchase): Promise<Purchase> {
  const at = guarding.now();
  const attempts = [...purchase.attempts, { at: at.toISOString(), status: null }].slice(-ATTEMPTS_KEPT);
  const moved = await guarding.ledger.move(purchase.id, {
    from: SENDABLE,
    to: 'sent',
    at,
    facts: { attempts },
  });
  if (!moved) throw new GuardRefused('bought_already', { purchaseId: purchase.id });
  return { ...purchase, state: 'sent', attempts };
}

/** Null where payments are stopped, and where the ledger fails: what was sent by then is not refused any more. */
async function noteNext(guarding: Guarding, purchase: Purchase): Promise<Purchase | null> {
  try {
    return (await guarding.ledger.frozen()) ? null : await noteSending(guarding, purchase);
  } catch (fault) {
    if (fault instanceof GuardRefused && fault.code === 'ledger_unavailable') return null;
    throw fault;
  }
}

function withStatus(purchase: Purchase, status: number): Purchase {
  const attempts = purchase.attempts.map((one, at): Attempt => {
    return at === purchase.attempts.length - 1 ? { ...one, status } : one;
  });
  return { ...purchase, attempts };
}

/** The money is under way, so a fault of the ledger no longer stops anything: the purchase stays open, and can be sent again. */
async function note(
  guarding: Guarding,
  purchase: Purchase,
  to: PurchaseState,
  answer?: Answer,
): Promise<void> {
  const { attempts } = purchase;
  const facts = {
    attempts,
    ...(answer === undefined ? {} : { answer }),
    ...(to === 'delivered' ? { payment: null } : {}),
  };
  await guarding.ledger
    .move(purchase.id, { from: to === 'delivered' ? DELIVERABLE : SENDABLE, to, at: guarding.now(), facts })
    .catch(() => false);
  if (to === 'delivered') guarding.unfinished.delete(purchase);
  if (isReported(to)) guarding.report(to, purchase);
}

const REPORTED = ['delivered', 'empty', 'failed', 'asked_again', 'unknown'] as const;

function isReported(state: PurchaseState): state is (typeof REPORTED)[number] {
  return REPORTED.some((one) => one === state);
}

/** A margin for the way: a payment that expires on it is an answer that says nothing. */
function isExpired({ authorization }: Purchase, now: Date, pauseMs: number): boolean {
  return authorization === null || Number(authorization.validBefore) * 1_000 <= now.getTime() + pauseMs;
}

function discard(response: Response): void {
  response.body?.cancel().catch(() => {});
}

/** Ends early when the caller gives up. */
function pause(milliseconds: number, signal: AbortSignal | null): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    signal?.addEventListener('abort', done);
  });
}
