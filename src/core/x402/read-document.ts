import { keySpellings, otherSpellings } from './fold-key.ts';
import { isJsonObject, type JsonObject, parseJson } from './read-json.ts';
import { guardKeys, scanJson } from './scan-json.ts';

/** A text that may hold a challenge, seen with the eyes of strict and of lenient readers. */
export type DocumentReading =
  /** Visibly something else: a web page, plain text, a list, nothing. */
  | { readonly kind: 'other' }
  /** Begins like an object and is none to us; a more lenient reader may still find one. */
  | { readonly kind: 'broken'; readonly namesTerms: boolean }
  | {
      readonly kind: 'object';
      readonly members: JsonObject;
      /** Two readers could see two different demands in it. */
      readonly ambiguous: boolean;
      /** It has one of the members that make a challenge, in any spelling. */
      readonly claimsTerms: boolean;
    };

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
const CLAIMING_KEYS = ['accepts', 'x402Version'];
const CLAIMING_SPELLINGS = keySpellings(CLAIMING_KEYS);

/** Scanned before it is parsed, because deep nesting is what makes parsing slow. */
export function readDocument(text: string): DocumentReading {
  if (!mayBeObject(text)) return { kind: 'other' };
  const scan = scanJson(text, MONEY_KEYS);
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

/** What an object begins with, also in the encodings that some readers detect: they show as NUL or U+FFFD. */
const OBJECT_START = /^[ \t\r\n]*[{\0\ufffd]/;
const BLANK = /^[ \t\r\n]*$/;

function mayBeObject(text: string): boolean {
  return OBJECT_START.test(text);
}

/** The beginning of a text whose end was not received. */
export function mayBecomeObject(beginning: string): boolean {
  return mayBeObject(beginning) || BLANK.test(beginning);
}
