import type { Claim } from '../verdict/expected-terms.ts';
import type { Verdict } from '../verdict/verdict.ts';

/** For wherever a verdict is shown. Not a part of the statement, whose words are those of its rules version. */
export const UNCOMPARED_WORDS =
  'Nothing was compared: price, payee and network are only what the live 402 says.';

export interface Judged {
  readonly verdict: Verdict['verdict'];
  readonly expected: Claim;
}

/** A `pay` without a claim and without a listing: the terms are sound, and nobody knows whether they are the right ones. */
export function isUncompared({ verdict, expected: { price, payTo, network } }: Judged): boolean {
  return verdict === 'pay' && price === null && payTo === null && network === null;
}

/** The words of a verdict, with a warning where nothing was compared. */
export function shownReason(receipt: Judged & { readonly reasonText: string }): string {
  return isUncompared(receipt) ? `${receipt.reasonText} ${UNCOMPARED_WORDS}` : receipt.reasonText;
}
