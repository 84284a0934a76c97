import type { Claim } from '../verdict/expected-terms.ts';
import type { Verdict } from '../verdict/verdict.ts';

/** For wherever a verdict is shown. Not a part of the statement, whose words are those of its rules version. */
export const UNCOMPARED_WORDS =
  'Nothing was listed or claimed to compare with the price and payee of the live 402.';

export interface Judged {
  readonly verdict: Verdict['verdict'];
  readonly expected: Claim;
}

/**
 * A `pay` for which no price and no payee is claimed or listed (gap G105): the terms are sound, and nobody knows whether they are the
 * right ones. That the network is the right one protects nobody.
 */
export function isUncompared({ verdict, expected: { price, payTo } }: Judged): boolean {
  return verdict === 'pay' && price === null && payTo === null;
}

/** The words of a verdict, with a warning where neither was compared. */
export function shownReason(receipt: Judged & { readonly reasonText: string }): string {
  return isUncompared(receipt) ? `${receipt.reasonText} ${UNCOMPARED_WORDS}` : receipt.reasonText;
}
