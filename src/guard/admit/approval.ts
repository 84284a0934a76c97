import { formatUsd } from '../../core/money/micro-usd.ts';
import type { NonEmpty } from '../../core/non-empty.ts';
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
  /** All at the same price. */
  readonly candidates: NonEmpty<Candidate>;
  readonly termsChanged: boolean;
}

/**
 * Asks the buyer's function where the policy wants it. Changed terms that nobody vouches for are always asked about. A yes is for
 * the one entry that the question names; the others are left out.
 */
export async function askApproval(
  { options: { approve }, policy }: Guarding,
  { call, candidates, termsChanged }: ToApprove,
): Promise<NonEmpty<Candidate>> {
  const [first] = candidates;
  const { terms } = first;
  const isCheap = policy.approveAbove !== null && terms.amountAtomic <= policy.approveAbove;
  if (!termsChanged && (approve === undefined || isCheap)) return candidates;
  if (approve === undefined) throw new GuardRefused('terms_changed');
  const purchase = {
    url: shownUrl(call.url.href),
    host: call.url.hostname,
    method: call.method,
    task: call.task,
    purchase: call.purchase,
    price: formatUsd(terms.amountAtomic),
    terms: keepTerms(terms),
    termsChanged,
  };
  const answer: unknown = await withDeadline(APPROVE_WITHIN_MS, async () => approve(purchase));
  if (answer !== true) throw new GuardRefused('not_approved');
  return [first];
}
