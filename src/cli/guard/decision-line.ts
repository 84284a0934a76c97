import { formatUsd } from '../../core/money/micro-usd.ts';
import type { Decision } from '../../guard/guard-options.ts';
import { amountOf } from '../../guard/ledger/purchase-terms.ts';
import { plainText, shortAddress } from '../show/plain-text.ts';

const WORDS: Readonly<Record<Exclude<Decision['kind'], 'refused'>, string>> = {
  approved: 'approved',
  sent: 'sent the payment',
  delivered: 'delivered',
  empty: 'no body came',
  failed: 'the seller answered with an error',
  asked_again: 'the seller asked for payment again; nothing more is paid',
  unknown: 'no answer arrived; the same request sends the same payment again',
};

/** What the guard decided, as one line of a log. */
export function decisionLine(decision: Decision): string {
  const at = decision.at.toISOString().slice(11, 19);
  const what = `${decision.method} ${plainText(decision.url)}`;
  if (decision.kind === 'refused') {
    const id = decision.purchaseId === null ? '' : ` (${decision.purchaseId})`;
    return `${at} refused ${decision.code}: ${what}${id}`;
  }
  const { terms, purchaseId, kind } = decision;
  const price = `$${formatUsd(amountOf(terms))} to ${shortAddress(terms.payTo)}`;
  return `${at} ${WORDS[kind]}: ${what}, ${price} (${purchaseId})`;
}
