import { reasonWords } from './reason-words.ts';
import type { Hint, Verdict } from './verdict.ts';

/** The words of a receipt: those of the reason, or what the request may have lacked, which only the service finds out. */
export function verdictWords(verdict: Verdict): string {
  if (verdict.reason !== 'no_paywall' || verdict.hint === null) return reasonWords(verdict);
  return hintWords(verdict.status, verdict.hint);
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
