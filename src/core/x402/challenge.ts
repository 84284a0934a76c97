import { ACCEPTS_MAX_ENTRIES, CHALLENGE_BODY_MAX_BYTES, CHALLENGE_HEADER_MAX_CHARS } from '../limits.ts';
import { isNonEmpty, type NonEmpty } from '../non-empty.ts';
import { trimBlanks } from '../trim-blanks.ts';
import { decodeBase64Text, decodeUtf8 } from './base64.ts';
import { type Offer, readOffer } from './offer.ts';
import { isJsonObject, type JsonObject, member, parseJson } from './read-json.ts';
import { guardKeys, scanJson } from './scan-json.ts';

/** What a 402 answer says when it is taken at its word. */
export type Challenge =
  /** Nothing in the answer claims to be an x402 challenge (gap G34). */
  | { readonly kind: 'none' }
  /** Something claims to be one and cannot be read. */
  | { readonly kind: 'unreadable'; readonly fault: ChallengeFault }
  | ReadableChallenge;

export interface ReadableChallenge {
  readonly kind: 'readable';
  readonly source: 'header' | 'body';
  readonly x402Version: 1 | 2 | null;
  readonly offers: NonEmpty<Offer>;
  /**
   * What an older client would read in the body beside a header (gap G33). Null when the body makes no offers;
   * empty when it makes some that cannot be read, so that it vouches for none.
   */
  readonly bodyOffers: readonly Offer[] | null;
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
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Uint8Array;
  /** False when reading stopped at the size limit or, with a complete header, at the deadline. */
  readonly bodyComplete: boolean;
}

/** Keys whose repetition would let two readers see two demands. */
const MONEY_KEYS = guardKeys([
  'accepts',
  'payTo',
  'amount',
  'maxAmountRequired',
  'network',
  'asset',
  'scheme',
]);

/** The header governs; the body counts when there is no header, and may contradict it when there is one. */
export function readChallenge({ headers, body, bodyComplete }: ChallengeCarrier): Challenge {
  const values = headers
    .filter(([name]) => name.toLowerCase() === 'payment-required')
    .map(([, value]) => trimBlanks(value));
  const value = values.find((one) => one !== '');
  if (value !== undefined && values.length > 1) return unreadable('repeated_header');
  const fromBody = bodyComplete ? readBody(body) : unreadable('too_large');
  if (value === undefined) return fromBody;
  const fromHeader = readHeader(value);
  return fromHeader.kind === 'readable' ? { ...fromHeader, bodyOffers: offersOf(fromBody) } : fromHeader;
}

function readHeader(value: string): Challenge {
  if (value.length > CHALLENGE_HEADER_MAX_CHARS) return unreadable('too_large');
  const text = decodeBase64Text(value);
  if (text === null) return unreadable('bad_encoding');
  const document = readDocument(text);
  return document === null ? unreadable('bad_json') : readTerms(document, 'header');
}

function readBody(body: Uint8Array): Challenge {
  if (body.byteLength > CHALLENGE_BODY_MAX_BYTES) return unreadable('too_large');
  const document = readDocument(decodeUtf8(body));
  return document !== null && claimsTerms(document) ? readTerms(document, 'body') : { kind: 'none' };
}

/** A body speaks of x402 when one of these is its own (gap G34). */
function claimsTerms({ members }: ScannedDocument): boolean {
  return Object.hasOwn(members, 'accepts') || Object.hasOwn(members, 'x402Version');
}

interface ScannedDocument {
  readonly members: JsonObject;
  /** Two readers could see two different demands in it. */
  readonly ambiguous: boolean;
}

/** Null when the text is no JSON object. Scanned before it is parsed, because deep nesting is what makes parsing slow. */
function readDocument(text: string): ScannedDocument | null {
  if (!OBJECT_START.test(text)) return null;
  const scan = scanJson(text, MONEY_KEYS);
  if (scan === 'too_deep') return { members: namedIn(text), ambiguous: true };
  const members = parseJson(text);
  return isJsonObject(members) ? { members, ambiguous: scan !== 'clean' } : null;
}

const OBJECT_START = /^[ \t\r\n]*\{/;

/** What is too deep to parse is taken at its letters: does it name the members that make a challenge? */
function namedIn(text: string): JsonObject {
  return text.includes('"accepts"') || text.includes('"x402Version"') ? { accepts: null } : {};
}

function readTerms({ members, ambiguous }: ScannedDocument, source: 'header' | 'body'): Challenge {
  if (ambiguous) return unreadable('ambiguous_json');
  const accepts = member(members, 'accepts');
  if (!Array.isArray(accepts) || accepts.length === 0) return unreadable('no_entries');
  const version = readVersion(member(members, 'x402Version'));
  if (version === undefined) return unreadable('bad_version');
  const offers = accepts
    .slice(0, ACCEPTS_MAX_ENTRIES)
    .map(readOffer)
    .filter((offer) => offer !== null);
  if (!isNonEmpty(offers)) return unreadable('no_readable_entry');
  return { kind: 'readable', source, x402Version: version, offers, bodyOffers: null };
}

/** 1, 2, null when it is left out, undefined when it is anything else: '2' is not a version (gap G33). */
function readVersion(value: unknown): 1 | 2 | null | undefined {
  if (value === undefined) return null;
  return value === 1 || value === 2 ? value : undefined;
}

function offersOf(body: Challenge): readonly Offer[] | null {
  if (body.kind === 'readable') return body.offers;
  if (body.kind === 'none' || body.fault === 'no_entries') return null; // Normal beside a version 2 header.
  if (body.fault === 'too_large') return null; // The header is complete, the rest is not waited for.
  return [];
}

function unreadable(fault: ChallengeFault): Challenge {
  return { kind: 'unreadable', fault };
}
