import { type Admitted, admitPurchase } from './admit/admit-purchase.ts';
import { type Call, type CallScope, endpointOf } from './call/call.ts';
import type { FetchInput } from './call/read-body.ts';
import { type GuardedInit, HOPS_MAX, type HttpCall, readCall } from './call/read-call.ts';
import { isSameCaller, refuseOtherCaller } from './call/refuse-other-caller.ts';
import { read402, refuseWrongClock, response402 } from './challenge/read-402.ts';
import { GuardRefused } from './guard-refused.ts';
import { asRefusal, type Guarding } from './guarding.ts';
import type { Purchase } from './ledger/purchase.ts';
import type { SentPayment } from './payment/signed-payment.ts';
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
 * through as it is, without a look at the ledger.
 */
export function guardedFetch(
  guarding: Guarding,
  flights: Flights<SharedAnswer>,
  scope: CallScope,
): GuardedFetch {
  return async (input, init) => {
    const read = readCall(input, init, scope);
    const isPaid = read.paymentSignature !== null || read.xPayment !== null;
    const isAsking = !isPaid && (read.url === null || !guarding.unfinished.isAt(read));
    const response = isAsking ? await read.send(guarding.fetch) : null;
    if (response !== null && response.status !== 402) return response;
    try {
      if (read.url === null) throw refuseUnread(response);
      const purchasing = { guarding, flights, http: read, call: await identify(read) };
      if (response !== null) return await buy(purchasing, response);
      return await (isPaid ? pay(purchasing) : ask(purchasing));
    } catch (fault) {
      if (fault instanceof GuardRefused) guarding.refused(fault, read);
      throw fault;
    } finally {
      discard(response);
    }
  };
}

/** For a caller that has given up, nothing is shown, written down or sent. */
async function identify(http: HttpCall): Promise<Call> {
  const call = await http.identify();
  http.signal?.throwIfAborted();
  return call;
}

/** Where the guard cannot tell who is asked, nothing can be judged, and so nothing is paid. */
function refuseUnread(response: Response | null): GuardRefused {
  return new GuardRefused(response === null ? 'not_approved' : 'bad_challenge', { words: NOT_READ });
}

const NOT_READ = 'Nothing is paid at an address that the guard cannot read as an http or https URL.';

/** A request without a payment. If one was sent for it before, that one is sent again instead of a new one being signed. */
async function ask(purchasing: Purchasing): Promise<Response> {
  const { guarding, http, call } = purchasing;
  const place = { key: call.key, endpoint: endpointOf(call) };
  const open = guarding.unfinished.has(place) ? await sentBefore(purchasing) : null;
  // With other credentials it may cost nothing.
  if (open !== null && isSameCaller(call, open)) {
    const answer = await repeat(purchasing, open);
    if (answer !== null) return answer;
  }
  const response = await http.send(guarding.fetch);
  if (response.status !== 402) return response;
  try {
    return await buy(purchasing, response);
  } finally {
    discard(response);
  }
}

/** A 402 is never passed on as it came: what was not read of it would keep its connection. */
function discard(response: Response | null): void {
  response?.body?.cancel().catch(() => {});
}

/** A 402: the answer of a purchase that is open already, or one that the payer may sign for. */
async function buy(purchasing: Purchasing, response: Response): Promise<Response> {
  const { flights, http, call } = purchasing;
  if (!call.isRepeatable) throw new GuardRefused('not_approved', { words: NOT_REPEATABLE });
  let answer = (await share(purchasing)) ?? (await repeatOpen(purchasing));
  // Of several that got as far at once, the first has begun: the others wait, instead of asking the same of everybody.
  if (answer === null && flights.current(flightOf(call)) !== null)
    answer = (await share(purchasing)) ?? (await repeatOpen(purchasing));
  if (answer !== null) return answer;
  const flight = flights.begin(flightOf(call));
  try {
    const admitted = await unlessAborted(admit(purchasing, response), http.signal);
    refuseOtherCaller(call, admitted.purchase);
    if (admitted.kind === 'open')
      return await present(purchasing, flight, { purchase: admitted.purchase, signedNow: null });
    flight.handOver(admitted.purchase);
    return response402(admitted.shown, response.url);
  } catch (fault) {
    failed(flight, fault);
    throw fault;
  }
}

const NOT_REPEATABLE =
  'The body of the request is a stream, too large or of an unknown kind; it could not be sent again with the same payment.';

/** Before anything is signed, any fault refuses. */
async function admit({ guarding, http, call }: Purchasing, response: Response): Promise<Admitted> {
  const { redirected } = response;
  let shown = response;
  try {
    if (redirected) {
      if (new URL(response.url).origin !== http.url.origin) throw new GuardRefused('redirected_elsewhere');
      // fetch follows more than a payment may: its own way is taken once without it, and what is asked there counts.
      shown = await http.sendPaid(guarding.fetch, null, HOPS_MAX);
      if (shown.status !== 402) throw new GuardRefused('redirected_elsewhere');
    }
    refuseWrongClock(shown, guarding.now());
    const answer = await read402(shown);
    return await admitPurchase(guarding, call, { answer, redirected, signal: http.signal });
  } catch (fault) {
    discard(shown);
    throw asRefusal(fault);
  }
}

/** A request with a payment that the payer has signed. */
async function pay(purchasing: Purchasing): Promise<Response> {
  const { guarding, flights, http, call } = purchasing;
  if (!call.isRepeatable) throw new GuardRefused('not_approved', { words: NOT_REPEATABLE });
  const shown = flights.current(flightOf(call))?.shown ?? null;
  const taken = await takePayment(guarding, call, { payment: paymentIn(http), shown });
  if (taken.kind !== 'signed') {
    const shared = await share(purchasing);
    if (shared !== null) return shared;
    if (taken.kind === 'second') throw new GuardRefused('second_payment', { purchaseId: taken.purchase.id });
  }
  const flight = flights.current(flightOf(call)) ?? flights.begin(flightOf(call));
  const signedNow = taken.kind === 'signed' ? taken.sent : null;
  return present(purchasing, flight, { purchase: taken.purchase, signedNow });
}

/** The open purchase of this request that has a payment. */
async function sentBefore({ guarding, call }: Purchasing): Promise<Purchase | null> {
  const open = await guarding.ledger.open(call.key);
  if (open === null) guarding.unfinished.delete({ key: call.key, endpoint: endpointOf(call) });
  return open === null || open.authorization === null ? null : open;
}

async function repeatOpen(purchasing: Purchasing): Promise<Response | null> {
  const open = await sentBefore(purchasing);
  if (open === null) return null;
  refuseOtherCaller(purchasing.call, open);
  return repeat(purchasing, open);
}

/** The payment of an open purchase once more. Null when the chain says that it was not taken and never will be. */
async function repeat(purchasing: Purchasing, open: Purchase): Promise<Response | null> {
  const { guarding, flights, call } = purchasing;
  // Again, until nobody sends it: of several that wait, the first one does.
  while (flights.current(flightOf(call)) !== null) {
    const shared = await share(purchasing);
    if (shared !== null) return shared;
  }
  if (!isLive(open, guarding.now())) {
    const { state, id } = await settleOpen(guarding, open);
    if (state === 'never_settled') return null;
    throw new GuardRefused(state === 'paid_undelivered' ? 'bought_already' : 'outcome_unknown', {
      purchaseId: id,
    });
  }
  return present(purchasing, flights.begin(flightOf(call)), { purchase: open, signedNow: null });
}

async function present(
  { guarding, http }: Purchasing,
  flight: Flight<SharedAnswer>,
  payment: { readonly purchase: Purchase; readonly signedNow: SentPayment | null },
): Promise<Response> {
  flight.sign();
  try {
    const { response, copy } = await presentPayment(guarding, http, payment);
    flight.answer(copy);
    return response;
  } catch (fault) {
    failed(flight, fault);
    throw fault;
  }
}

/** Those who wait are refused as well, unless only the caller of the flight gave up, or has limits that they may not have. */
function failed(flight: Flight<SharedAnswer>, fault: unknown): void {
  if (fault instanceof GuardRefused && !LIMITS_OF_A_CALL.has(fault.code)) flight.fail(fault);
  else flight.leave();
}

const LIMITS_OF_A_CALL: ReadonlySet<string> = new Set(['over_payment_limit', 'over_task_limit']);

/** The answer of the same request that is under way in this process. */
async function share({ flights, call, http }: Purchasing): Promise<Response | null> {
  if (flights.current(flightOf(call)) === null) return null;
  const joined = await unlessAborted(flights.join(flightOf(call)), http.signal);
  if (joined === null) return null;
  if (joined.answer === null) throw new GuardRefused('bought_already');
  return joined.answer();
}

/** Rejects as soon as the caller gives up. The work goes on: others may wait for it. */
function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | null): Promise<T> {
  if (signal === null) return work;
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort);
    // What the abort itself has broken is no refusal.
    const fail = (fault: unknown) => reject(signal.aborted ? signal.reason : fault);
    work.then(resolve, fail).finally(() => signal.removeEventListener('abort', onAbort));
  });
}

function flightOf({ key, credentials }: Call): string {
  return credentials === null ? key : `${key} ${credentials}`;
}
