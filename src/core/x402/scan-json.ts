import { JSON_MAX_DEPTH } from '../limits.ts';

export type JsonScan = 'clean' | 'too_deep' | 'duplicate_key' | 'disguised_key';

/** Keys of which an object may have only one, each with a bit of its own. At most 31 keys. */
export interface KeyGuard {
  readonly bits: ReadonlyMap<string, number>;
  /** Bit sets of key lengths and of first letters, each modulo 32. */
  readonly lengths: number;
  readonly beginnings: number;
}

export function guardKeys(keys: readonly string[]): KeyGuard {
  return {
    bits: new Map(keys.map((key, index) => [key, 1 << index])),
    lengths: keys.reduce((mask, key) => mask | (1 << key.length), 0),
    beginnings: keys.reduce((mask, key) => mask | beginning(key, 0), 0),
  };
}

/**
 * JSON.parse keeps the last of two equal keys, other parsers keep the first: a challenge with two payees is read one way
 * by us and another way by the wallet. JSON.parse cannot tell, so the text is scanned for it, and for its depth.
 */
export function scanJson(text: string, guard: KeyGuard): JsonScan {
  const seen: number[] = [0]; // For every object that is open, the bits of the guarded keys it has had.
  let backslash = indexFrom(text, '\\', 0);
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      if (backslash < at) backslash = indexFrom(text, '\\', at);
      const end = closingQuote(text, at, backslash);
      const isEscaped = backslash < end;
      const mayMatter = isEscaped || mayBeGuarded(text, at + 1, end, guard);
      const found = mayMatter ? noteKey(text, { start: at + 1, end, isEscaped }, guard, seen) : 'clean';
      if (found !== 'clean') return found;
      at = end;
    } else if ((code | FOLD) === OPEN_BRACE) {
      if (seen.length > JSON_MAX_DEPTH) return 'too_deep';
      seen.push(0);
    } else if ((code | FOLD) === CLOSE_BRACE) {
      seen.pop();
    }
  }
  return 'clean';
}

const QUOTE = 0x22;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
// Brackets differ from braces in this one bit.
const FOLD = 0x20;
// A letter or digit of a key is escaped only to hide the key.
const DISGUISED_LETTER = /\\u00(?:3[0-9]|4[1-9a-f]|5[0-9a]|6[1-9a-f]|7[0-9a])/i;

function indexFrom(text: string, mark: string, from: number): number {
  const index = text.indexOf(mark, from);
  return index === -1 ? text.length : index;
}

/** Jumps to the next quote; only a string with a backslash is scanned. */
function closingQuote(text: string, opening: number, backslash: number): number {
  const end = indexFrom(text, '"', opening + 1);
  if (backslash > end) return end;
  let at = backslash;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at;
    at += code === BACKSLASH ? 2 : 1;
  }
  return text.length;
}

function isKey(text: string, closing: number): boolean {
  let at = closing + 1;
  while (isBlank(text.charCodeAt(at))) at += 1;
  return text.charCodeAt(at) === COLON;
}

function isBlank(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}

/** Without slicing: hardly any string in a challenge is such a key. */
function mayBeGuarded(text: string, start: number, end: number, { lengths, beginnings }: KeyGuard): boolean {
  return (lengths & (1 << (end - start))) !== 0 && (beginnings & beginning(text, start)) !== 0;
}

function beginning(text: string, start: number): number {
  return 1 << (text.charCodeAt(start) & 31);
}

interface Quoted {
  readonly start: number;
  readonly end: number;
  readonly isEscaped: boolean;
}

function noteKey(text: string, quoted: Quoted, { bits }: KeyGuard, seen: number[]): JsonScan {
  if (!isKey(text, quoted.end)) return 'clean';
  const key = text.slice(quoted.start, quoted.end);
  if (quoted.isEscaped && DISGUISED_LETTER.test(key)) return 'disguised_key';
  const bit = bits.get(key) ?? 0;
  const innermost = seen.length - 1;
  const before = seen[innermost] ?? 0;
  if ((before & bit) !== 0) return 'duplicate_key';
  seen[innermost] = before | bit;
  return 'clean';
}
