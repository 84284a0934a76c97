import { isNonEmpty, mapNonEmpty, type NonEmpty } from '../../core/non-empty.ts';
import type { ProbeAnswer } from '../../core/verdict/probe-outcome.ts';
import { RULES_VERSION } from '../../core/verdict/verdict.ts';
import { type Call, endpointOf } from '../call/call.ts';
import { shownUrl } from '../call/shown-url.ts';
import {
  approveEntries,
  type Candidate,
  narrow402,
  refuseContradiction,
  type Standard,
} from '../challenge/approve-entries.ts';
import { rawChallenge, type Written402 } from '../challenge/form.ts';
import { GuardRefused } from '../guard-refused.ts';
import type { Guarding } from '../guarding.ts';
import type { Ledger, SpendingLimit } from '../ledger/ledger.ts';
import type { ApprovedEntry, Purchase, Witness } from '../ledger/purchase.ts';
import { keepTerms, termsSha256Of } from '../ledger/purchase-terms.ts';
import { isAllowedHost } from '../policy.ts';
import { randomId } from '../sha256.ts';
import { askApproval } from './approval.ts';
import { readExpectation } from './read-expectation.ts';
import { unchangedTerms } from './terms-drift.ts';
import { witnessTerms } from './witness-terms.ts';

export type Admitted =
  | { readonly kind: 'reserved'; readonly purchase: Purchase; readonly shown: Written402 }
  /** Signed meanwhile by somebody else on this ledger. */
  | { readonly kind: 'open'; readonly purchase: Purchase };

export interface Seen402 {
  readonly answer: ProbeAnswer;
  readonly redirected: boolean;
  /** Of the caller. For one that has given up, nobody is asked and nothing is reserved. */
  readonly signal: AbortSignal | null;
}

/** Decides about a 402 and reserves its price. Nothing is signed yet, and the payer sees only what was approved. */
export async function admitPurchase(
  guarding: Guarding,
  call: Call,
  { answer, redirected, signal }: Seen402,
): Promise<Admitted> {
  const { policy, ledger, now } = guarding;
  if (await ledger.frozen()) throw new GuardRefused('frozen');
  if (!isAllowedHost(call.host, policy.hosts)) throw new GuardRefused('host_not_allowed');
  const { sameKey, delivered } = await boughtBefore(guarding, call);
  refuseRepeated(guarding, sameKey);
  const expected = await readExpectation(guarding.options, call);
  const max = call.maxPrice !== null && call.maxPrice < policy.perPayment ? call.maxPrice : policy.perPayment;
  const standard: Standard = { ...policy, expected, max, now: now() };
  const { seen, candidates } = approveEntries(answer, standard);
  const endpoint = endpointOf(call);
  const unchanged = await unchangedTerms(candidates, { delivered, endpoint, expected, ledger });
  const termsChanged = !isNonEmpty(unchanged);
  const offered = isNonEmpty(unchanged) ? unchanged : candidates;
  signal?.throwIfAborted();
  const witness = await witnessTerms(guarding, { call, candidates: offered, expected, termsChanged });
  const approved = witnessed(offered, witness);
  refuseContradiction(seen, approved, standard);
  signal?.throwIfAborted();
  await askApproval(guarding, {
    call,
    candidates: approved,
    termsChanged: termsChanged && witness === null,
  });
  signal?.throwIfAborted();
  const shown = narrow402(seen, approved, standard);
  const purchase = newPurchase(call, {
    approved,
    witness,
    redirected,
    endpoint,
    challenge: rawChallenge(answer),
    at: now(),
  });
  const reserved = await ledger.reserve(purchase, limitsOf(guarding, call));
  if (reserved.kind === 'over') throw new GuardRefused(reserved.limit.code);
  if (reserved.kind === 'open') return reserved;
  await refuseOvertaken(guarding, call, purchase);
  guarding.report('approved', purchase);
  return { kind: 'reserved', purchase, shown };
}

/** The newest that the same request has bought under this name, and that was delivered under any. */
interface Bought {
  readonly sameKey: Purchase | null;
  readonly delivered: Purchase | null;
}

/** One row says it all, unless purchases of the request have names. */
async function boughtBefore({ ledger }: Guarding, call: Call): Promise<Bought> {
  const { request, key } = call;
  const [newest] = await ledger.find({ request, state: 'bought', limit: 1 });
  if (newest === undefined) return { sameKey: null, delivered: null };
  const sameKey = newest.key === key ? newest : await lastWithKey(ledger, call);
  if (newest.state === 'delivered') return { sameKey, delivered: newest };
  const [delivered = null] = await ledger.find({ request, state: 'delivered', limit: 1 });
  return { sameKey, delivered };
}

/** The request says nothing that its key does not; ledgers have an index of it. */
async function lastWithKey(ledger: Ledger, { request, key }: Call): Promise<Purchase | null> {
  const [last = null] = await ledger.find({ request, key, state: 'bought', limit: 1 });
  return last;
}

/** The same request again, right after it was paid for: a payer that retries, not a second purchase. */
function refuseRepeated({ policy, now }: Guarding, last: Purchase | null): void {
  if (last !== null && now().getTime() - last.updatedAt.getTime() < policy.repeatAfterMs) {
    throw new GuardRefused('bought_already', { purchaseId: last.id });
  }
}

/**
 * Another process may have bought the same between the look at the ledger and the reservation. After it, whatever is signed under
 * this key is seen: what was signed before is open or delivered, and nothing else can be signed.
 */
async function refuseOvertaken(guarding: Guarding, call: Call, { id }: Purchase): Promise<void> {
  try {
    refuseRepeated(guarding, await lastWithKey(guarding.ledger, call));
  } catch (refusal) {
    await guarding.ledger.move(id, { from: ['reserved'], to: 'expired', at: guarding.now() });
    throw refusal;
  }
}

function witnessed(candidates: NonEmpty<Candidate>, witness: Witness | null): NonEmpty<Candidate> {
  if (witness === null) return candidates;
  const seen = candidates.filter(({ terms }) => termsSha256Of(terms) === witness.termsSha256);
  if (!isNonEmpty(seen)) throw new GuardRefused('service_disagrees');
  return seen;
}

interface NewPurchase {
  readonly approved: NonEmpty<Candidate>;
  readonly witness: Witness | null;
  readonly redirected: boolean;
  readonly endpoint: string;
  readonly challenge: string;
  readonly at: Date;
}

function newPurchase(
  call: Call,
  { approved, witness, redirected, endpoint, challenge, at }: NewPurchase,
): Purchase {
  const entries = mapNonEmpty(approved, ({ entry, terms }): ApprovedEntry => {
    return { entry, terms: keepTerms(terms), termsSha256: termsSha256Of(terms) };
  });
  return {
    id: `pur_${randomId()}`,
    key: call.key,
    state: 'reserved',
    request: call.request,
    endpoint,
    host: call.host,
    url: shownUrl(call.url.href),
    method: call.method,
    bodySha256: call.bodySha256,
    credentials: call.credentials,
    redirected,
    task: call.task,
    name: call.purchase,
    terms: entries[0].terms,
    termsSha256: entries[0].termsSha256,
    // All of them cost the same.
    amount: approved[0].terms.amountAtomic,
    approved: entries,
    challenge,
    rulesVersion: RULES_VERSION,
    witness,
    authorization: null,
    payment: null,
    attempts: [],
    answer: null,
    chain: null,
    createdAt: at,
    updatedAt: at,
  };
}

const A_DAY_MS = 86_400_000;

function limitsOf({ policy, now }: Guarding, { host, task }: Call): readonly SpendingLimit[] {
  const since = new Date(now().getTime() - A_DAY_MS);
  const limits: SpendingLimit[] = [{ code: 'over_day_limit', max: policy.perDay, since }];
  if (policy.perHostDay !== null) {
    limits.push({ code: 'over_host_limit', max: policy.perHostDay, since, host });
  }
  if (policy.perTask !== null && task !== null)
    limits.push({ code: 'over_task_limit', max: policy.perTask, task });
  return limits;
}
