import { type HeaderFields, headerValues } from '../../core/header-values.ts';
import { trimBlanks } from '../../core/trim-blanks.ts';
import type { ProbeAnswer } from '../../core/verdict/probe-outcome.ts';
import { decodeBase64Text, decodeUtf8, encodeBase64Text } from '../../core/x402/base64.ts';
import { readChallenge } from '../../core/x402/challenge.ts';
import { isJsonObject, type JsonObject, member, parseJson } from '../../core/x402/read-json.ts';

/** The documents of a 402 that a payer may read: PAYMENT-REQUIRED, the body, or both. */
export interface ChallengeForm {
  readonly header: JsonObject | null;
  readonly body: JsonObject | null;
  /** Header fields that the judge looks at besides. */
  readonly fields: HeaderFields;
}

/** Null when the judge refuses it as it is: nothing claims terms, they cannot be read, or the body is in doubt. */
export function formOf(answer: ProbeAnswer): ChallengeForm | null {
  const challenge = readChallenge(answer);
  if (challenge.kind !== 'readable') return null;
  const fields = answer.headers.filter(([name]) => !CARRIED.has(name.toLowerCase()));
  if (challenge.source === 'body') return { header: null, body: documentOf(decodeUtf8(answer.body)), fields };
  const [value = ''] = headerValues(answer.headers, 'payment-required').map(trimBlanks);
  const header = documentOf(decodeBase64Text(value) ?? '');
  if (challenge.bodyOffers === null) return { header, body: null, fields };
  if (challenge.bodyOffers.length === 0) return null;
  return { header, body: documentOf(decodeUtf8(answer.body)), fields };
}

/** What the seller said, as evidence: PAYMENT-REQUIRED, or the body where there is no header. */
export function rawChallenge({ headers, body }: ProbeAnswer): string {
  return headerValues(headers, 'payment-required')[0] ?? decodeUtf8(body);
}

const CARRIED: ReadonlySet<string> = new Set(['payment-required', 'content-type', 'content-length']);

function documentOf(text: string): JsonObject | null {
  const document = parseJson(text);
  return isJsonObject(document) ? document : null;
}

export function entriesOf(document: JsonObject | null): readonly JsonObject[] {
  const accepts = document === null ? undefined : member(document, 'accepts');
  return Array.isArray(accepts) ? accepts.filter(isJsonObject) : [];
}

/** The form with other entries, changed one by one; a body without any left says nothing. */
export function withEntries(
  { header, body, fields }: ChallengeForm,
  change: (entries: readonly JsonObject[], place: 'header' | 'body') => readonly JsonObject[],
): ChallengeForm {
  const changed = (document: JsonObject | null, place: 'header' | 'body') => {
    if (document === null) return null;
    const accepts = change(entriesOf(document), place);
    return accepts.length === 0 ? null : { ...document, accepts };
  };
  return { header: changed(header, 'header'), body: changed(body, 'body'), fields };
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

export function answerOf({ paymentRequired, body }: Written402, fields: HeaderFields): ProbeAnswer {
  return {
    kind: 'answered',
    status: 402,
    headers: paymentRequired === null ? fields : [...fields, ['payment-required', paymentRequired]],
    body: new TextEncoder().encode(body),
    bodyComplete: true,
  };
}
