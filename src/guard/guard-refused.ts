import type { Reason } from '../core/verdict/verdict.ts';

/** Why nothing was bought: a reason of the judge, or one that only the buyer's side can know. */
export type RefusalCode = Reason | GuardCode;

export type GuardCode = keyof typeof GUARD_WORDS;

/** One sentence for each code: what happened, and what to do about it. No text of a seller. */
const GUARD_WORDS = {
  over_payment_limit: 'The price is above the limit for one payment.',
  over_day_limit: 'The price would exceed what may be spent in 24 hours.',
  over_host_limit: 'The price would exceed what may be spent at this host in 24 hours.',
  over_task_limit: 'The price would exceed what may be spent on this task.',
  host_not_allowed: 'This host is not on the list of hosts that may be paid.',
  terms_changed: 'The payee is not the one paid here before, or the same request costs more than before.',
  service_disagrees: 'The service does not approve these payment terms.',
  service_unavailable: 'Nobody who was to be asked about these terms knows them.',
  not_approved: 'This payment was not approved.',
  something_else_was_signed: 'The payment that was signed is not one that was approved; it was not sent.',
  second_payment: 'Another payment was signed for this purchase; the second one was not sent.',
  bought_already: 'The same request was paid for already. Name a new purchase to buy it again.',
  asked_again_after_payment: 'The seller was paid and asks for payment again; no second payment was made.',
  outcome_unknown:
    'The payment was sent and no answer arrived. The same request sends the same payment again while it is valid.',
  redirected_elsewhere: 'The seller redirects to another address; no payment goes there.',
  clock_wrong: "This machine's clock differs from the seller's by more than five minutes.",
  ledger_unavailable: 'The ledger of purchases cannot be read or written.',
  frozen: 'Payments are frozen in this ledger.',
} as const;

/** Thrown by `guard.fetch`. Wherever possible nothing was signed; what was signed and refused was never sent. */
export class GuardRefused extends Error {
  readonly code: RefusalCode;
  readonly purchaseId: string | null;

  constructor(code: RefusalCode, { purchaseId = null, words }: RefusedBecause = {}) {
    super(`${code}: ${words ?? (isGuardCode(code) ? GUARD_WORDS[code] : 'The live 402 is not to be paid.')}`);
    this.name = 'GuardRefused';
    this.code = code;
    this.purchaseId = purchaseId;
  }
}

export interface RefusedBecause {
  readonly purchaseId?: string | null;
  /** A more exact sentence than that of the code, in our own words. */
  readonly words?: string;
}

function isGuardCode(code: RefusalCode): code is GuardCode {
  return Object.hasOwn(GUARD_WORDS, code);
}
