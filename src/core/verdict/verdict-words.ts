import { reasonWords } from './reason-words.ts';
import type { Hint, Verdict } from './verdict.ts';

/** The words of a receipt: those of the reason, or what only the service finds out: what the request lacked, what others saw. */
export function verdictWords(verdict: Verdict): string {
  if (verdict.reason === 'terms_differ')
    return 'The seller shows different terms to different visitors: another point of view saw another payment.';
  if (verdict.reason === 'unconfirmed') return unconfirmedWords(verdict);
  if (verdict.reason !== 'no_paywall' || verdict.hint === null) return reasonWords(verdict);
  return hintWords(verdict.status, verdict.hint);
}

function unconfirmedWords({ agreed, needed }: Extract<Verdict, { reason: 'unconfirmed' }>): string {
  const count = `${agreed} of the ${needed} needed agreed`;
  return `Other points of view did not see the same (${count}); check again later.`;
}

function hintWords(status: number, hint: Hint): string {
  switch (hint.kind) {
    case 'needs_input':
      return `The endpoint answered HTTP ${status} and asked for no payment yet; it may need input first. Check it again with the input that it needs.`;
    case 'wrong_method':
      return `The endpoint answered HTTP ${status} and asked for no payment; it may want ${hint.other}. Check it again with method ${hint.other}.`;
    case 'needs_login':
      return `The endpoint answered HTTP ${status} without asking for payment; it may want a login or a key.`;
  }
}
