import { type Admitted, admitPurchase } from './admit/admit-purchase.ts';
import type { Call, CallScope } from './call/call.ts';
import type { FetchInput } from './call/read-body.ts';
import { type GuardedInit, type HttpCall, readCall } from './call/read-call.ts';
import { read402, refuseWrongClock, response402 } from './challenge/read-402.ts';
import { GuardRefused } from './guard-refused.ts';
import { asRefusal, type Guarding } from './guarding.ts';
import type { Purchase } from './ledger/purchase.ts';
import type { Flight, Flights } from './present/flights.ts';
import { presentPayment } from './present/present-payment.ts';
import type { Delivered } from './present/read-delivery.ts';
import { isLive, settleOpen } from './present/settle-open.ts';
import { paymentIn, takePayment } from './present/take-payment.ts';

export type GuardedFetch = (input: FetchInput, init?: GuardedInit) => Promise<Response>;

/** A copy of a shared answer; null for a stream, which only its first caller gets. */
export type SharedAnswer = Delivered['copy'];

interface Purchasing {
  readonly guarding: Guarding;
  readonly flights: Flights<SharedAnswer>;
  readonly http: HttpCall;
  readonly call: Call;
}

/**
 * The fetch below a payer. It sees the 402 before the payer does, and the payment before the seller does. Everything else passes
 * through as it is.
 */
export function guardedFetch(
  guarding: Guarding,
  flights: Flights<SharedAnswer>,
  scope: CallScope,
): GuardedFetch {
  return async (input, init) => {
    const http = await readCall(input, init, scope);
    if (http === null) return guarding.fetch(input, init);
    const { call } = http;
    const isPaid = http.paymentSignature !== null || http.xPayment !== null;
    if (call === null) return isPaid ? refuseStream() : sendStream(guarding, http);
    const purchasing = { guarding, flights, http, call };
    try {
      return await (isPaid ? pay(purchasing) : ask(purchasing));
    } catch (fault) {
      if (fault instanceof GuardRefused) guarding.refused(fault, call);
      throw fault;
    }
  };
}

/** A request without a payment. If one was signed for it before, that one is sent instead of a new one being signed. */
async function ask(purchasing: Purchasing): Promise<Response> {
  const { guarding, http, call } = purchasing;
  // Ordinary traffic must not depend on the ledger; a 402 will meet the same fault and be refused.
  const open = await guarding.ledger.open(call.key).catch(() => null);
  if (open?.authorization != null) {
    const answer = await repeat(purchasing, open);
    if (answer !== null) return answer;
  }
  const response = await http.send(guarding.fetch);
  if (response.status !== 402) return response;
  const shared = await share(purchasing);
  if (shared !== null) {
    response.body?.cancel().catch(() => {});
    return shared;
  }
  const flight = purchasing.flights.begin(call.key);
  try {
    const admitted = await admit(purchasing, response);
    if (admitted.kind === 'reserved') {
      flight.handOver();
      return response402(admitted.form, response.url);
    }
    return await present(purchasing, admitted.purchase, flight);
  } catch (fault) {
    flight.fail(fault);
    throw fault;
  }
}

/** Before anything is signed, any fault refuses. */
async function admit({ guarding, http, call }: Purchasing, response: Response): Promise<Admitted> {
  try {
    if (response.redirected && new URL(response.url).origin !== http.url.origin) {
      throw new GuardRefused('redirected_elsewhere');
    }
    refuseWrongClock(response, guarding.now());
    const answer = await read402(response);
    return await admitPurchase(guarding, call, { answer, redirected: response.redirected });
  } catch (fault) {
    throw asRefusal(fault, null);
  }
}

/** A request with a payment that the payer has signed. */
async function pay(purchasing: Purchasing): Promise<Response> {
  const { guarding, flights, http, call } = purchasing;
  const taken = await takePayment(guarding, call, paymentIn(http));
  if (taken.kind !== 'signed') {
    const shared = await share(purchasing);
    if (shared !== null) return shared;
    if (taken.kind === 'second') throw new GuardRefused('second_payment', { purchaseId: taken.purchase.id });
  }
  const flight = flights.current(call.key) ?? flights.begin(call.key);
  flight.sign();
  try {
    return await present(purchasing, taken.purchase, flight);
  } catch (fault) {
    flight.fail(fault);
    throw fault;
  }
}

/** The payment of an open purchase once more; null when the chain says that it was never taken, and never will be. */
async function repeat(purchasing: Purchasing, open: Purchase): Promise<Response | null> {
  const { guarding, flights, call } = purchasing;
  const shared = await share(purchasing);
  if (shared !== null) return shared;
  if (!isLive(open, guarding.now())) {
    const { state, id } = await settleOpen(guarding, open);
    if (state === 'never_settled') return null;
    throw new GuardRefused(state === 'paid_undelivered' ? 'bought_already' : 'outcome_unknown', {
      purchaseId: id,
    });
  }
  if (await guarding.ledger.frozen()) throw new GuardRefused('frozen', { purchaseId: open.id });
  const flight = flights.begin(call.key);
  flight.sign();
  try {
    return await present(purchasing, open, flight);
  } catch (fault) {
    flight.fail(fault);
    throw fault;
  }
}

async function present(
  { guarding, http }: Purchasing,
  purchase: Purchase,
  flight: Flight<SharedAnswer>,
): Promise<Response> {
  const { response, copy } = await presentPayment(guarding, http, purchase);
  flight.land(copy);
  return response;
}

/** The answer of the same request that is under way in this process. */
async function share({ flights, call }: Purchasing): Promise<Response | null> {
  const joined = await flights.join(call.key);
  if (joined === null) return null;
  if (joined.answer === null) throw new GuardRefused('bought_already');
  return joined.answer();
}

async function sendStream(guarding: Guarding, http: HttpCall): Promise<Response> {
  const response = await http.send(guarding.fetch);
  return response.status === 402 ? refuseStream() : response;
}

function refuseStream(): never {
  throw new GuardRefused('not_approved', {
    words:
      'The body of the request is a stream or too large; it could not be sent again with the same payment.',
  });
}
