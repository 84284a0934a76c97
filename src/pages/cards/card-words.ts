import { isUncompared } from '../../core/receipt/uncompared.ts';
import type { CrawlCode } from '../../core/verdict/crawl-words.ts';
import type { FoundReceipt } from '../../flows/read/read-receipts.ts';
import type { Tone } from '../frame/verdict-mark.ts';
import { dollars, type ReceiptView, receiptView } from '../receipt/receipt-view.ts';
import { shownMinute } from './shown-minute.ts';

/** Each verdict in one sentence of ours, short enough for a picture. */
const WORDS: Readonly<Record<CrawlCode, string>> = {
  price_ok: 'The live 402 asks what was expected.',
  price_mismatch: 'The live 402 asks a price other than expected.',
  network_mismatch: 'The live 402 does not offer the expected network.',
  pay_to_mismatch: 'The payee of the live 402 is not the expected payee.',
  asset_not_usdc: 'The live 402 asks for a token other than USDC.',
  network_unsupported: 'The live 402 asks for payment on a network that is not supported.',
  no_paywall: 'The endpoint answered without asking for payment.',
  needs_input: 'It needs input before it asks for payment. Not a fault.',
  bad_challenge: 'The payment terms of the live 402 cannot be used.',
  ssrf_blocked: 'The URL leads to a blocked address; nothing was sent.',
  free_trial_active: 'The endpoint announces a free trial.',
  timeout: 'The endpoint did not answer within 5 seconds.',
  server_error: 'The endpoint answered with a server error.',
  unreachable: 'The endpoint could not be reached.',
  path_template: 'The listed URL is a path template, not an endpoint.',
  name_not_found: 'The host name does not resolve.',
  terms_differ: 'The seller shows different terms to different visitors.',
  unconfirmed: 'Another point of view did not see the same.',
  host_silent: 'The host left requests unanswered; none was sent to this URL.',
};

/** The stored reason may quote the seller; these sentences are made from its code and from prices. */
export function cardWords(found: FoundReceipt, tone: Tone): readonly string[] {
  if (tone === 'expired') return ['This approval has expired. Check again before you pay.'];
  const words = findingOf(found);
  const deadline = found.kind === 'live' ? found.receipt.approvedPayment?.deadline : undefined;
  // A picture is kept for long by those who show it.
  return deadline === undefined ? [words] : [words, `Approved until ${shownMinute(deadline)} UTC.`];
}

function findingOf(found: FoundReceipt): string {
  const { verdict, needsInput, claim, claimedBy, quoted } = receiptView(found);
  const code = found.kind === 'live' ? found.receipt.reason : found.receipt.code;
  if (needsInput !== null) return WORDS.needs_input;
  if (isUncompared({ verdict, expected: claim }))
    return 'Valid terms, but no price or payee to compare with.';
  if (code === 'price_ok' && claim.price === null)
    return 'The terms match; there was no price to compare with.';
  if (code !== 'price_mismatch' || quoted === null || claim.price === null) return WORDS[code];
  const way = quoted > claim.price ? 'more' : 'less';
  const basis = claimedBy === 'Listed' ? 'listed' : 'expected';
  return `The live 402 asks ${shownPrice(quoted)}, ${way} than the ${basis} ${shownPrice(claim.price)}.`;
}

const SHOWN_MAX = 999_999_999_999n;

/** A demand of a stranger may have any number of digits. */
export function shownPrice(amount: ReceiptView['quoted']): string {
  if (amount !== null && amount > SHOWN_MAX) return 'over $999,999';
  return dollars(amount) ?? 'no price';
}
