import type { Expected } from '../../core/verdict/expected-terms.ts';
import { isSameAddress } from '../../core/x402/address.ts';
import type { Candidate } from '../challenge/approve-entries.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { Purchase } from '../ledger/purchase.ts';
import { amountOf } from '../ledger/purchase-terms.ts';

interface Before {
  /** What the same request was delivered last. */
  readonly delivered: Purchase | null;
  readonly endpoint: string;
  readonly expected: Expected;
  readonly ledger: Ledger;
}

/**
 * Candidates that ask for what was delivered before: the payee of the endpoint, and for the same request at most the same price.
 * A price may depend on the request, a payee hardly ever does. What the buyer expects explicitly is not compared.
 */
export async function unchangedTerms(
  candidates: readonly Candidate[],
  { delivered, endpoint, expected, ledger }: Before,
): Promise<readonly Candidate[]> {
  let left = candidates;
  if (expected.payTo === null) {
    const [last] = await ledger.find({ endpoint, state: 'delivered', limit: 1 });
    if (last !== undefined) left = left.filter(({ terms }) => isSameAddress(terms.payTo, last.terms.payTo));
  }
  if (expected.price === null && delivered !== null)
    left = left.filter(({ terms }) => terms.amountAtomic <= amountOf(delivered.terms));
  return left;
}
