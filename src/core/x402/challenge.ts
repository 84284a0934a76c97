import { type HeaderFields, headerValues } from '../header-values.ts';
import { ACCEPTS_MAX_ENTRIES, CHALLENGE_BODY_MAX_BYTES, CHALLENGE_HEADER_MAX_CHARS } from '../limits.ts';
import { isNonEmpty, type NonEmpty } from '../non-empty.ts';
import { trimBlanks } from '../trim-blanks.ts';
import { decodeBase64Text, decodeUtf8 } from './base64.ts';
import { type Demand, signableDemands } from './demand.ts';
import { type Offer, readOffer } from './offer.ts';
import { type DocumentReading, mayBecomeObject, readDocument } from './read-document.ts';
import { member } from './read-json.ts';

/** What a 402 answer claims. */
export type Challenge =
  /** Nothing in the answer claims to be an x402 challenge (gap G34). */
  | { readonly kind: 'none' }
  /** Something claims to be one but cannot be read. */
  | { readonly kind: 'unreadable'; readonly fault: ChallengeFault }
  | ReadableChallenge;

export interface ReadableChallenge {
  readonly kind: 'readable';
  readonly source: 'header' | 'body';
  readonly x402Version: 1 | 2 | null;
  readonly offers: NonEmpty<Offer>;
  /**
   * The offers that an older client would read in the body beside a header (gap G33). Null when the body makes none;
   * empty when it may make some that we cannot read (gap L05).
   */
  readonly bodyOffers: readonly Offer[] | null;
  /** Every entry that a client could sign, in header and body (gap G95). */
  readonly demands: readonly Demand[];
  /** There are entries beyond those that are read. */
  readonly hasMoreEntries: boolean;
}

export type ChallengeFault =
  | 'repeated_header'
  | 'bad_encoding'
  | 'bad_json'
  | 'bad_version'
  | 'ambiguous_json'
  | 'too_large'
  | 'no_entries'
  | 'no_readable_entry';

/** The parts of an answer that can carry a challenge. */
export interface ChallengeCarrier {
  readonly headers: HeaderFields;
  readonly body: Uint8Array;
  /** False when reading stopped at the size limit or, with a complete header, at the deadline. */
  readonly bodyComplete: boolean;
}

/** The header takes precedence. The body counts when there is no header, and may contradict it when there is one. */
export function readChallenge(carrier: ChallengeCarrier): Challenge {
  const values = headerValues(carrier.headers, 'payment-required').map(trimBlanks);
  const value = values.find((one) => one !== '');
  if (value !== undefined && values.length > 1) return unreadable('repeated_header');
  if (value === undefined) return readBody(carrier);
  const challenge = readHeader(value);
  if (challenge.kind !== 'readable') return challenge;
  const body = bodyBesideHeader(carrier);
  if (body === 'silent') return challenge;
  if (body === 'doubtful') return { ...challenge, bodyOffers: [] };
  return {
    ...challenge,
    bodyOffers: body.offers,
    demands: [...challenge.demands, ...body.demands],
    hasMoreEntries: challenge.hasMoreEntries || body.hasMoreEntries,
  };
}

function readHeader(value: string): Exclude<Challenge, { kind: 'none' }> {
  if (value.length > CHALLENGE_HEADER_MAX_CHARS) return unreadable('too_large');
  const text = decodeBase64Text(value);
  if (text === null) return unreadable('bad_encoding');
  const document = readDocument(text);
  return document.kind === 'object' ? readTerms(document, 'header') : unreadable('bad_json');
}

function readBody(carrier: ChallengeCarrier): Challenge {
  const text = wholeText(carrier);
  if (text === null)
    return mayBecomeObject(decodeUtf8(carrier.body)) ? unreadable('too_large') : { kind: 'none' };
  const document = readDocument(text);
  if (document.kind === 'broken' && document.namesTerms) return unreadable('ambiguous_json');
  if (document.kind !== 'object' || !document.claimsTerms) return { kind: 'none' };
  return isInOtherCharset(carrier) ? unreadable('bad_encoding') : readTerms(document, 'body');
}

/** A seller must not show one payee in the header and another one to lenient clients that read the body. */
function bodyBesideHeader(carrier: ChallengeCarrier): ReadableChallenge | 'silent' | 'doubtful' {
  if (isInOtherCharset(carrier)) return 'doubtful';
  const text = wholeText(carrier);
  if (text === null) return mayBecomeObject(decodeUtf8(carrier.body)) ? 'doubtful' : 'silent';
  const document = readDocument(text);
  if (document.kind === 'other') return 'silent';
  if (document.kind === 'broken') return 'doubtful';
  if (!document.claimsTerms) return 'silent';
  const challenge = readTerms(document, 'body');
  if (challenge.kind === 'readable') return challenge;
  return !document.ambiguous && isEmptyList(member(document.members, 'accepts')) ? 'silent' : 'doubtful';
}

/** Some readers take other values for an array: '{"0":…,"length":1}' has a first entry. */
function isEmptyList(accepts: unknown): boolean {
  return accepts === undefined || accepts === null || (Array.isArray(accepts) && accepts.length === 0);
}

// Those in which JSON's own characters have the bytes that they have in UTF-8. Readers know far more of the others than can be listed.
const PLAIN_CHARSET =
  /^["'\s]*[=:]["'\s]*(?:utf-?8|(?:us-)?ascii|latin-?1|iso-?8859-\d+|(?:windows-|cp)125\d)?["'\s]*(?:[;,]|$)/;
// No JSON, whatever the charset.
const WEB_PAGE = /^\s*(?:<|$)/;

/** A reader that honours the declared charset may see other characters than we do. */
export function isInOtherCharset({ headers, body }: ChallengeCarrier): boolean {
  if (WEB_PAGE.test(decodeUtf8(body))) return false;
  return headerValues(headers, 'content-type')
    .flatMap((type) => type.toLowerCase().split('charset').slice(1))
    .some((charset) => !PLAIN_CHARSET.test(charset));
}

/** Null when the body was not received whole, or is larger than a challenge may be. */
export function wholeText({
  body,
  bodyComplete,
}: Pick<ChallengeCarrier, 'body' | 'bodyComplete'>): string | null {
  return bodyComplete && body.byteLength <= CHALLENGE_BODY_MAX_BYTES ? decodeUtf8(body) : null;
}

type ObjectReading = Extract<DocumentReading, { kind: 'object' }>;

function readTerms(
  { members, ambiguous }: ObjectReading,
  source: 'header' | 'body',
): Exclude<Challenge, { kind: 'none' }> {
  if (ambiguous) return unreadable('ambiguous_json');
  const accepts = member(members, 'accepts');
  if (!Array.isArray(accepts) || accepts.length === 0) return unreadable('no_entries');
  const version = readVersion(member(members, 'x402Version'));
  if (version === undefined) return unreadable('bad_version');
  const entries: readonly unknown[] = accepts.slice(0, ACCEPTS_MAX_ENTRIES);
  const offers = entries.map(readOffer).filter((offer) => offer !== null);
  if (!isNonEmpty(offers)) return unreadable('no_readable_entry');
  return {
    kind: 'readable',
    source,
    x402Version: version,
    offers,
    bodyOffers: null,
    demands: signableDemands(entries),
    hasMoreEntries: accepts.length > ACCEPTS_MAX_ENTRIES,
  };
}

/** 1, 2, null when it is left out, undefined when it is anything else: '2' is not a version (gap G33). */
function readVersion(value: unknown): 1 | 2 | null | undefined {
  if (value === undefined) return null;
  return value === 1 || value === 2 ? value : undefined;
}

function unreadable(fault: ChallengeFault): Extract<Challenge, { kind: 'unreadable' }> {
  return { kind: 'unreadable', fault };
}
