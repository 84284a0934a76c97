import { headerValues } from '../../core/header-values.ts';
import { ACCEPTS_MAX_ENTRIES } from '../../core/limits.ts';
import { trimBlanks } from '../../core/trim-blanks.ts';
import type { ProbeAnswer } from '../../core/verdict/probe-outcome.ts';
import { decodeBase64Text, decodeUtf8, encodeBase64Text } from '../../core/x402/base64.ts';
import type { ReadableChallenge } from '../../core/x402/challenge.ts';
import { isJsonObject, type JsonObject, member, parseJson } from '../../core/x402/read-json.ts';

/** The documents of a 402 that a payer may read: PAYMENT-REQUIRED, the body, or both. */
export interface ChallengeForm {
  readonly header: JsonObject | null;
  readonly body: JsonObject | null;
}

/** Null when the body beside the header is in doubt, which the judge refuses. */
export function formOf(answer: ProbeAnswer, { source, bodyOffers }: ReadableChallenge): ChallengeForm | null {
  if (source === 'body') return { header: null, body: documentOf(decodeUtf8(answer.body)) };
  const [value = ''] = headerValues(answer.headers, 'payment-required').map(trimBlanks);
  const header = documentOf(decodeBase64Text(value) ?? '');
  if (bodyOffers === null) return { header, body: null };
  return bodyOffers.length === 0 ? null : { header, body: documentOf(decodeUtf8(answer.body)) };
}

/** What the seller said, as evidence: PAYMENT-REQUIRED, or the body where there is no header. */
export function rawChallenge({ headers, body }: ProbeAnswer): string {
  return headerValues(headers, 'payment-required')[0] ?? decodeUtf8(body);
}

function documentOf(text: string): JsonObject | null {
  const document = parseJson(text);
  return isJsonObject(document) ? document : null;
}

/** Entries beyond those that the judge reads are not passed on. */
export function entriesOf(document: JsonObject | null): readonly JsonObject[] {
  const accepts = document === null ? undefined : member(document, 'accepts');
  return Array.isArray(accepts) ? accepts.slice(0, ACCEPTS_MAX_ENTRIES).filter(isJsonObject) : [];
}

/** The form with other entries, changed one by one; a body without any left says nothing. */
export function withEntries(
  { header, body }: ChallengeForm,
  change: (entries: readonly JsonObject[], place: 'header' | 'body') => readonly JsonObject[],
): ChallengeForm {
  const changed = (document: JsonObject | null, place: 'header' | 'body') => {
    if (document === null) return null;
    const accepts = change(entriesOf(document), place);
    return accepts.length === 0 ? null : { ...document, accepts };
  };
  return { header: changed(header, 'header'), body: changed(body, 'body') };
}

/** A 402 as text: what the judge reads, and what the payer gets. */
export interface Written402 {
  readonly paymentRequired: string | null;
  readonly body: string;
}

export function writeForm({ header, body }: ChallengeForm): Written402 {
  return {
    paymentRequired: header === null ? null : encodeBase64Text(JSON.stringify(header)),
    body: body === null ? '{}' : JSON.stringify(body),
  };
}
