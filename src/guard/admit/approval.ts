import { formatUsd } from '../../core/money/micro-usd.ts';
import { mapNonEmpty, type NonEmpty } from '../../core/non-empty.ts';
import type { Call } from '../call/call.ts';
import { shownUrl } from '../call/shown-url.ts';
import type { Candidate } from '../challenge/approve-entries.ts';
import { GuardRefused } from '../guard-refused.ts';
import type { Guarding } from '../guarding.ts';
import { keepTerms } from '../ledger/purchase-terms.ts';
import { withDeadline } from '../with-deadline.ts';

/** Silence is no. */
const APPROVE_WITHIN_MS = 120_000;

export interface ToApprove {
  readonly call: Call;
  /** All at the same price, to the same payee. */
  readonly candidates: NonEmpty<Candidate>;
  readonly termsChanged: boolean;
}

/**
 * Asks the buyer's function where the policy wants it. Changed terms that nobody vouches for are always asked about. The question
 * names every entry, because only the payer knows which it can sign; so a yes is for all of them, and nothing else can be signed.
 */
export async function askApproval(
  { options: { approve }, policy }: Guarding,
  { call, candidates, termsChanged }: ToApprove,
): Promise<void> {
  const price = candidates[0].terms.amountAtomic;
  const isCheap = policy.approveAbove !== null && price <= policy.approveAbove;
  if (!termsChanged && (approve === undefined || isCheap)) return;
  if (approve === undefined) throw new GuardRefused('terms_changed');
  const choices = mapNonEmpty(candidates, ({ terms }) => keepTerms(terms));
  const purchase = {
    url: shownUrl(call.url.href),
    host: call.host,
    method: call.method,
    task: call.task,
    purchase: call.purchase,
    price: formatUsd(price),
    terms: choices[0],
    choices,
    termsChanged,
  };
  const answer: unknown = await withDeadline(APPROVE_WITHIN_MS, async () => approve(purchase));
  if (answer !== true) throw new GuardRefused('not_approved');
}
