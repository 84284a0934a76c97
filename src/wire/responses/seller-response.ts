import * as z from 'zod';
import type { SellerRequest } from '../../core/seller/seller-request.ts';
import type { RetestResult } from '../../flows/seller/retest.ts';
import type { WatchResult } from '../../flows/seller/watch.ts';
import type { Reply } from '../../ports/seller.ts';
import { type Links, skipRowUrl, watchFeedUrl } from './links.ts';
import { moment, probeMethod, verdict } from './shapes.ts';

/** The answer to a re-test. */
export const retestAnswer = z.object({
  action: z.literal('retest').describe('The action of the statement.'),
  url: z.string().describe('The endpoint.'),
  method: probeMethod,
  verdict,
  reason: z.string().describe('Why, in plain words.'),
  checked_at: moment.describe('Time of the new check, UTC.'),
  receipt_url: z.string().describe('URL of its public receipt.'),
  skips_row: z.string().nullable().describe('Its row on the page of skips; null if it has none.'),
});

export function retestJson(
  { decision: { receipt }, skipRow }: Extract<RetestResult, { kind: 'retested' }>,
  links: Links,
): z.infer<typeof retestAnswer> {
  return {
    action: 'retest',
    url: receipt.url,
    method: receipt.method,
    verdict: receipt.verdict,
    reason: receipt.reasonText,
    checked_at: receipt.checkedAt.toISOString(),
    receipt_url: links.receipt(receipt.id),
    skips_row: skipRow === null ? null : skipRowUrl(links, skipRow.id, skipRow.page),
  };
}

/** The answer to a reply. */
export const replyAnswer = z.object({
  action: z.literal('reply').describe('The action of the statement.'),
  url: z.string().describe('The endpoint.'),
  note: z.string().describe('The reply as it is shown.'),
  at: moment.describe('Time in the statement, UTC.'),
});

export function replyAnswerJson({ target, at }: SellerRequest, note: string): z.infer<typeof replyAnswer> {
  return { action: 'reply', url: target.href, note, at: at.toISOString() };
}

/** The answer to a withdrawal. */
export const withdrawnAnswer = z.object({
  action: z.literal('withdraw_reply').describe('The action of the statement.'),
  url: z.string().describe('The endpoint.'),
  withdrawn: z.boolean().describe('False if there was no reply.'),
});

export function withdrawnJson(
  { target }: SellerRequest,
  withdrawn: boolean,
): z.infer<typeof withdrawnAnswer> {
  return { action: 'withdraw_reply', url: target.href, withdrawn };
}

/** The answer to a watch. */
export const watchedAnswer = z.object({
  action: z.literal('watch').describe('The action of the statement.'),
  url: z.string().describe('The endpoint.'),
  method: probeMethod.nullable().describe('The watched method; null: the listed one, else GET.'),
  watch_id: z.string().describe('Id of the watch.'),
  webhook: z.string().describe('URL that is notified of changes.'),
  signing_key: z.string().describe('Key of the HMAC in Assay-Signature; given here and never again.'),
  until: moment.describe('When the watch ends, UTC.'),
  feed: z.string().describe('URL of an Atom feed of the same changes.'),
});

export function watchedJson(
  { watch, signingKey }: Extract<WatchResult, { kind: 'watched' }>,
  links: Links,
): z.infer<typeof watchedAnswer> {
  const { id, url, method, webhook, until } = watch;
  return {
    action: 'watch',
    url,
    method,
    watch_id: id,
    webhook,
    signing_key: signingKey,
    until: until.toISOString(),
    feed: watchFeedUrl(links, url, method),
  };
}

/** The answer to the end of a watch. */
export const unwatchedAnswer = z.object({
  action: z.literal('unwatch').describe('The action of the statement.'),
  url: z.string().describe('The endpoint.'),
  ended: z.int().nonnegative().describe('Watches that were ended.'),
});

export function unwatchedJson({ target }: SellerRequest, ended: number): z.infer<typeof unwatchedAnswer> {
  return { action: 'unwatch', url: target.href, ended };
}

/** What the owner of an endpoint says about it (gap L112). Their words, not ours. */
export const replyShape = z
  .object({
    note: z.string().describe('Words of the seller: untrusted text.'),
    at: moment.describe('Time in the statement, UTC.'),
    key: z.string().describe('The Ed25519 key that the host published, base64url.'),
    signature: z.string().describe('Over "assay-seller-v1", a line feed and the statement, base64url.'),
    statement: z.string().describe('The JSON text that was signed.'),
  })
  .describe('A public reply of the seller; absent without one.');

export function replyJson({ note, at, signed }: Reply): z.infer<typeof replyShape> {
  const { key, signature, statement } = signed;
  return { note, at: at.toISOString(), key, signature, statement };
}
