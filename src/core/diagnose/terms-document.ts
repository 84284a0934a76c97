import { ACCEPTS_MAX_ENTRIES, CHALLENGE_HEADER_MAX_CHARS } from '../limits.ts';
import { decodeBase64Text, decodeUtf8 } from '../x402/base64.ts';
import { type ChallengeCarrier, isInOtherCharset, wholeText } from '../x402/challenge.ts';
import { otherSpellings } from '../x402/fold-key.ts';
import {
  CLAIMING_SPELLINGS,
  type DocumentReading,
  mayBecomeObject,
  readDocument,
  UNREPEATED_KEYS,
} from '../x402/read-document.ts';
import { type JsonObject, member, parseJson } from '../x402/read-json.ts';
import { guardKeys, scanJson } from '../x402/scan-json.ts';
import type { Diagnostic, DiagnosticCode } from './diagnostic.ts';

/** The entries of a document that can be looked at one by one, or none with the faults that prevent it. */
export interface TermsDocument {
  readonly source: 'header' | 'body';
  readonly version: unknown;
  /** Those that the judge reads; the path of each is its index. */
  readonly entries: readonly unknown[];
  readonly hasMoreEntries: boolean;
  readonly faults: readonly Diagnostic[];
}

type Source = TermsDocument['source'];

export function headerDocument(value: string): TermsDocument {
  if (value.length > CHALLENGE_HEADER_MAX_CHARS) return nothing('header', 'header_too_long');
  const text = decodeBase64Text(value);
  if (text === null)
    return nothing('header', /^[[{]/.test(value) ? 'header_plain_json' : 'header_not_base64');
  const document = readDocument(text);
  if (document.kind === 'object') return termsOf(document, text, 'header');
  return nothing('header', document.kind === 'other' ? 'json_not_object' : brokenBy(text));
}

/** What the body holds when there is no header, or beside one. */
export function bodyDocument(carrier: ChallengeCarrier): TermsDocument {
  const text = wholeText(carrier);
  if (text === null) {
    const mayHoldTerms = mayBecomeObject(decodeUtf8(carrier.body));
    return mayHoldTerms ? nothing('body', 'body_too_large') : withoutTerms([]);
  }
  const document = readDocument(text);
  if (document.kind === 'other') return withoutTerms([]);
  if (document.kind === 'object' && document.claimsTerms)
    return isInOtherCharset(carrier) ? nothing('body', 'body_too_large') : termsOf(document, text, 'body');
  if (document.kind === 'object') return withoutTerms([]);
  const broken: Diagnostic = { code: brokenBy(text), source: 'body', path: null };
  return document.namesTerms ? { ...withoutTerms([]), faults: [broken] } : withoutTerms([broken]);
}

function nothing(source: Source, code: DiagnosticCode): TermsDocument {
  return {
    source,
    version: undefined,
    entries: [],
    hasMoreEntries: false,
    faults: [{ code, source, path: null }],
  };
}

function withoutTerms(why: readonly Diagnostic[]): TermsDocument {
  const none = nothing('body', 'no_terms');
  return { ...none, faults: [{ code: 'no_terms', source: 'answer', path: null }, ...why] };
}

function brokenBy(text: string): DiagnosticCode {
  if (scanJson(text, guardKeys([])) === 'too_deep') return 'json_too_deep';
  return parseJson(text) === undefined ? 'json_invalid' : 'json_not_object';
}

type ObjectReading = Extract<DocumentReading, { kind: 'object' }>;

function termsOf({ members, ambiguous }: ObjectReading, text: string, source: Source): TermsDocument {
  // What two readers see differently is not looked into: either reading could be the wrong one.
  if (ambiguous) {
    return { ...nothing(source, 'escaped_name'), faults: ambiguities(members, text, source) };
  }
  const accepts = member(members, 'accepts');
  const faults = [...versionFaults(members, source), ...acceptsFaults(accepts, source)];
  const entries: readonly unknown[] = Array.isArray(accepts) ? accepts : [];
  return {
    source,
    version: member(members, 'x402Version'),
    entries: entries.slice(0, ACCEPTS_MAX_ENTRIES),
    hasMoreEntries: entries.length > ACCEPTS_MAX_ENTRIES,
    faults,
  };
}

function ambiguities(members: JsonObject, text: string, source: Source): Diagnostic[] {
  const respelled = new Set(otherSpellings(members, CLAIMING_SPELLINGS).map(({ key }) => key));
  const repeated = isRepeated(text, UNREPEATED_KEYS) ? repeatedKeys(text, UNREPEATED_KEYS) : [];
  const found: Diagnostic[] = [
    ...[...respelled].map((key): Diagnostic => ({ code: 'misspelled_name', source, path: `$.${key}` })),
    ...repeated.map((key): Diagnostic => ({ code: 'repeated_member', source, path: `$..${key}` })),
  ];
  return found.length > 0 ? found : [{ code: 'escaped_name', source, path: null }];
}

/** One of these keys is repeated; halving finds it in three scans of a text that may be long. */
function repeatedKeys(text: string, keys: readonly string[]): readonly string[] {
  if (keys.length <= 1) return keys;
  const half = keys.slice(0, keys.length / 2);
  return repeatedKeys(text, isRepeated(text, half) ? half : keys.slice(half.length));
}

function isRepeated(text: string, keys: readonly string[]): boolean {
  return scanJson(text, guardKeys(keys)) === 'duplicate_key';
}

function versionFaults(members: JsonObject, source: Source): Diagnostic[] {
  const path = '$.x402Version';
  const version = member(members, 'x402Version');
  if (version === undefined) return [{ code: 'version_missing', source, path }];
  if (version === 1) return source === 'header' ? [{ code: 'v1_in_header', source, path }] : [];
  if (version !== 2) return [{ code: 'version_invalid', source, path }];
  const inBody: Diagnostic[] = source === 'body' ? [{ code: 'v2_in_body', source, path }] : [];
  const resource = member(members, 'resource') ?? null;
  return resource === null ? [...inBody, { code: 'resource_missing', source, path: '$.resource' }] : inBody;
}

function acceptsFaults(accepts: unknown, source: Source): Diagnostic[] {
  const path = '$.accepts';
  if (accepts === undefined || accepts === null) return [{ code: 'accepts_missing', source, path }];
  if (!Array.isArray(accepts)) return [{ code: 'accepts_not_list', source, path }];
  return accepts.length === 0 ? [{ code: 'accepts_empty', source, path }] : [];
}
