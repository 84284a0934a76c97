import { keySpellings, MONEY_KEYS, otherSpellings } from './fold-key.ts';
import { isJsonObject, type JsonObject, parseJson } from './read-json.ts';
import { guardKeys, scanJson } from './scan-json.ts';

/** A text that may hold a challenge, as strict and lenient readers see it. */
export type DocumentReading =
  /** Clearly something else: a web page, plain text, a list of something else, nothing. */
  | { readonly kind: 'other' }
  /** Starts like an object and is none for us; a lenient reader may still find one. */
  | { readonly kind: 'broken'; readonly namesTerms: boolean }
  | {
      readonly kind: 'object';
      readonly members: JsonObject;
      /** Two readers could see different demands in it. */
      readonly ambiguous: boolean;
      /** It has one of the members that make a challenge, in any spelling. */
      readonly claimsTerms: boolean;
    };

/** Keys that must not be repeated: two readers could see different demands. */
export const UNREPEATED_KEYS: readonly string[] = ['accepts', ...MONEY_KEYS];
const UNREPEATED = guardKeys(UNREPEATED_KEYS);
const CLAIMING_KEYS = ['accepts', 'x402Version'];
export const CLAIMING_SPELLINGS = keySpellings(CLAIMING_KEYS);

/** Scanned before it is parsed, because deep nesting is what makes parsing slow. */
export function readDocument(text: string): DocumentReading {
  if (!mayBeObject(text)) return { kind: 'other' };
  const scan = scanJson(text, UNREPEATED);
  if (scan === 'too_deep')
    return { kind: 'broken', namesTerms: CLAIMING_KEYS.some((key) => text.includes(`"${key}"`)) };
  const members = parseJson(text);
  if (!isJsonObject(members)) return { kind: 'broken', namesTerms: false };
  const respelled = otherSpellings(members, CLAIMING_SPELLINGS).length > 0;
  const claims = respelled || CLAIMING_KEYS.some((key) => Object.hasOwn(members, key));
  return {
    kind: 'object',
    members,
    ambiguous: respelled || scan !== 'clean',
    claimsTerms: claims || scan === 'disguised_key',
  };
}

/**
 * The start of an object, also in UTF-16 and UTF-32, which some readers detect; those show as NUL or U+FFFD. Some take a list of its
 * members for it, of which the version is the first.
 */
const OBJECT_START = /^[ \t\r\n]*(?:[{\0\ufffd]|\[[ \t\r\n]*1\b)/;
const BLANK = /^[ \t\r\n]*(?:\[[ \t\r\n]*)?$/;

function mayBeObject(text: string): boolean {
  return OBJECT_START.test(text);
}

/** The beginning of a text whose end was not received. */
export function mayBecomeObject(beginning: string): boolean {
  return mayBeObject(beginning) || BLANK.test(beginning);
}
