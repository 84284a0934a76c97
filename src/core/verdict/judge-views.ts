import type { Views } from '../vantage/view.ts';
import { isSameAddress } from '../x402/address.ts';
import type { Terms } from '../x402/terms.ts';
import type { Expected } from './expected-terms.ts';
import type { Judgement } from './judge-offers.ts';
import { type AskedRequest, judgeRequest } from './judge-request.ts';
import type { Seen } from './observation.ts';
import type { Verdict } from './verdict.ts';

/** A judgement that others may have changed. */
export interface ViewedJudgement extends Omit<Judgement, 'verdict'> {
  readonly verdict: Verdict;
}

/**
 * The judge, with what others saw of the same request at the same time; null where nobody was asked. Their views never make a
 * `pay`: they can only keep us from one, and from refusing what they would pay.
 */
export function judgeViews(
  seen: Seen,
  others: Views | null,
  asked: AskedRequest,
  expected: Expected,
  probedAt: Date,
): ViewedJudgement {
  const own = judgeRequest(seen, asked, expected, probedAt);
  if (others === null) return own;
  const views = others.views.map((view) => ({
    isReadable: isReadable(view.seen),
    // As of our own moment: the clock of a stranger decides nothing.
    verdict: judgeRequest(view.seen, asked, expected, probedAt).verdict,
  }));
  const { verdict } = own;
  if (verdict.verdict === 'pay') return { ...own, verdict: confirmed(verdict, views, others.needed) };
  if (!isRefusal(verdict)) return own;
  return { ...own, verdict: contradicted(verdict, isReadable(seen), views, others.needed) };
}

interface JudgedView {
  readonly isReadable: boolean;
  readonly verdict: Verdict;
}

/** A view of another payment proves that there is one; a view of none only fails to confirm ours. */
function confirmed(
  pay: Extract<Verdict, { verdict: 'pay' }>,
  views: readonly JudgedView[],
  needed: number,
): Verdict {
  const agreed = views.filter(({ verdict }) => isSamePayment(verdict, pay.terms)).length;
  const differ = views.some(
    ({ isReadable, verdict }) =>
      isReadable && verdict.verdict !== 'recheck' && !isSamePayment(verdict, pay.terms),
  );
  if (differ) return TERMS_DIFFER;
  return agreed >= needed ? pay : { verdict: 'recheck', reason: 'unconfirmed', agreed, needed };
}

function contradicted(
  refusal: Verdict,
  showsTerms: boolean,
  views: readonly JudgedView[],
  needed: number,
): Verdict {
  if (!views.some(({ verdict }) => verdict.verdict === 'pay')) return refusal;
  if (showsTerms) return TERMS_DIFFER;
  const agreed = views.filter(({ verdict }) => isRefusal(verdict)).length;
  return { verdict: 'recheck', reason: 'unconfirmed', agreed, needed };
}

/** The crawl publishes a name that does not resolve as a skip, too (gap G75). */
function isRefusal(verdict: Verdict): boolean {
  const isGone = verdict.reason === 'unreachable' && verdict.cause === 'name_not_found';
  return verdict.verdict === 'skip' || isGone;
}

const TERMS_DIFFER: Verdict = { verdict: 'skip', reason: 'terms_differ' };

function isReadable(seen: Seen): boolean {
  return seen.kind === 'answered' && seen.challenge.kind === 'readable';
}

/** The time to sign may differ: ours is the one that is approved. */
function isSamePayment(verdict: Verdict, { network, asset, amountAtomic, payTo }: Terms): boolean {
  if (verdict.verdict !== 'pay') return false;
  const { terms } = verdict;
  const isSameAmount =
    terms.network === network && terms.asset === asset && terms.amountAtomic === amountAtomic;
  return isSameAmount && isSameAddress(terms.payTo, payTo);
}
