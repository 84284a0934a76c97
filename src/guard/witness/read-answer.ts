import type { Claim } from '../../core/verdict/expected-terms.ts';
import { type Reason, VERDICT_OF_REASON, type Verdict } from '../../core/verdict/verdict.ts';
import { isJsonObject, type JsonObject, member, textMember } from '../../core/x402/read-json.ts';
import { isSameCheck } from './is-same-check.ts';

/** A spot-check as far as it matters here. */
export interface SpotChecked {
  readonly verdict: Verdict['verdict'];
  /** Null in the free shape, which gives its reason in words. */
  readonly reason: Reason | null;
  readonly termsSha256: string | null;
  readonly receiptId: string | null;
  readonly permalink: string | null;
  /** Null in the free shape. */
  readonly probedAt: string | null;
  /** The endpoint wants input, which the service does not have; false in the free shape, which does not say. */
  readonly needsInput: boolean;
}

/** A public receipt of a live check that ended in `pay`. */
export interface LivePay {
  readonly method: string;
  readonly receiptId: string;
  readonly permalink: string | null;
  readonly termsSha256: string;
  readonly checkedAt: string;
}

const RECEIPT_ID = /^sc-[0-9a-f]{16}$/;
const SHA256 = /^[0-9a-f]{64}$/;
const MOMENT = /^20[0-9]{2}-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9]:[0-5][0-9](?:\.[0-9]{1,9})?Z$/;
const LINK = /^https?:\/\/[\x21-\x7e]{1,500}$/;
const VERDICT = /^(?:pay|skip|recheck)$/;
const METHOD = /^(?:GET|POST)$/;
const CODE = /^[a-z_]{1,32}$/;

/** The free and the paid shape, and the problem with which a private address is refused. Null when it is none of them. */
export function readSpotCheck(json: unknown, origin: string): SpotChecked | null {
  if (!isJsonObject(json)) return null;
  const verdict = readVerdict(json);
  if (verdict === null) return null;
  const reason = readReason(json, verdict);
  const probe = member(json, 'probe');
  const checked = {
    verdict,
    reason,
    termsSha256: textMember(json, 'payment_terms_sha256', SHA256),
    receiptId: textMember(json, 'receipt_id', RECEIPT_ID),
    permalink: linkOf(json, 'receipt_url', origin),
    probedAt: isJsonObject(probe) ? momentOf(probe, 'probed_at') : null,
    needsInput: wantsInput(json),
  };
  // Words are not passed on, but a code that belongs to another verdict means that the answer contradicts itself.
  return contradicts(json, verdict) ? null : checked;
}

/** `latest_live` of the receipts of a URL. Null unless it is a `pay` of a check as this question would order it. */
export function readLatestLive(json: unknown, origin: string, asked: Partial<Claim>): LivePay | null {
  const live = isJsonObject(json) ? member(json, 'latest_live') : null;
  if (!isJsonObject(live) || readVerdict(live) !== 'pay' || member(live, 'mode') !== 'live') return null;
  if (!isSameCheck(live, asked)) return null;
  const method = textMember(live, 'method', METHOD);
  const receiptId = textMember(live, 'id', RECEIPT_ID);
  const termsSha256 = textMember(live, 'payment_terms_sha256', SHA256);
  const checkedAt = momentOf(live, 'checked_at');
  if (method === null || receiptId === null || termsSha256 === null || checkedAt === null) return null;
  return { method, receiptId, permalink: linkOf(live, 'permalink', origin), termsSha256, checkedAt };
}

/** What the receipt of a check adds to its free shape; null when the document is not that receipt. */
export function readReceiptOf(
  { receiptId, verdict }: SpotChecked,
  json: unknown,
): Pick<SpotChecked, 'reason' | 'needsInput'> | null {
  if (!isJsonObject(json) || member(json, 'id') !== receiptId || readVerdict(json) !== verdict) return null;
  return { reason: readReason(json, verdict), needsInput: wantsInput(json) };
}

function wantsInput(json: JsonObject): boolean {
  return isJsonObject(member(json, 'needs_input')) && member(json, 'reason') === 'no_paywall';
}

function readVerdict(json: JsonObject): Verdict['verdict'] | null {
  // The pattern allows these three and nothing else.
  return textMember(json, 'verdict', VERDICT) as Verdict['verdict'] | null;
}

function readReason(json: JsonObject, verdict: Verdict['verdict']): Reason | null {
  const code = textMember(json, 'reason', CODE);
  return code !== null && isReason(code) && VERDICT_OF_REASON[code] === verdict ? code : null;
}

function contradicts(json: JsonObject, verdict: Verdict['verdict']): boolean {
  const code = textMember(json, 'reason', CODE);
  return code !== null && isReason(code) && VERDICT_OF_REASON[code] !== verdict;
}

function isReason(text: string): text is Reason {
  return Object.hasOwn(VERDICT_OF_REASON, text);
}

function momentOf(json: JsonObject, name: string): string | null {
  const text = textMember(json, name, MOMENT);
  return text === null || Number.isNaN(Date.parse(text)) ? null : text;
}

/** Only a page of the service itself: another one could be anything. */
function linkOf(json: JsonObject, name: string, origin: string): string | null {
  const text = textMember(json, name, LINK);
  return text !== null && URL.canParse(text) && new URL(text).origin === origin ? text : null;
}
