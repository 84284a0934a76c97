import { isDeeperThan } from '../is-deeper-than.ts';
import { URL_MAX_BYTES } from '../limits.ts';
import { kindOfName, type NameKind } from './secret-names.ts';
import { shapeOfPairs } from './secret-pairs.ts';
import { likelyIfWord, shapeUnderSecretName } from './secret-values.ts';
import { shapeOfSeedWords } from './seed-phrase.ts';
import { isPublicShape, type Shape, worstOf } from './shape.ts';
import { hasVendorKey } from './vendor-keys.ts';

/** What a decoded value and its name tell together. */
export function shapeOfNamed(kind: NameKind, value: string): Shape {
  switch (kind) {
    case 'ordinary':
      return shapeOf(value);
    case 'public':
      return shapeUnderPublicName(value);
    case 'code':
      return value === '' ? 'plain' : worstOf(['doubtful', shapeOf(value)]);
    case 'secret':
    case 'seed':
    case 'coin':
    case 'token':
      return value === '' ? 'plain' : shapeUnderSecretName(kind, value);
  }
}

function shapeUnderPublicName(value: string): Shape {
  const shape = shapeOf(value);
  if (shape === 'secret') return BARE_HASH.test(value) ? 'plain' : 'secret';
  return shape === 'likely' || value.includes('@') ? shape : 'plain';
}

/** In '/commit/…' or '?sha256=…' it is public; elsewhere it may be a key. */
const BARE_HASH = /^[0-9a-f]{32,128}$/i;

function shapeOf(value: string): Shape {
  if (SHORT.test(value)) return 'plain';
  if (hasVendorKey(value)) return 'secret';
  const inside = worstOf([shapeOfSeedWords(value), shapeOfPairs(value)]);
  return inside === 'secret' ? 'secret' : worstOf([inside, shapeOfWhole(value)]);
}

/** Every secret shape of these characters has at least ten. */
const SHORT = /^[\w.~-]{0,9}$/;

function shapeOfWhole(value: string): Shape {
  const json = parsedJson(value);
  if (json === undefined) return shapeOfText(value);
  // What is too deep to be read may hide anything.
  return isDeeperThan(json, DEPTH_MAX) ? 'doubtful' : shapeOfJson('ordinary', json);
}

const DEPTH_MAX = 8;

function parsedJson(text: string): unknown {
  if (text.length > URL_MAX_BYTES || !QUOTED_OR_BRACKETED.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Without them a text has no structure, and a failed parse costs much. */
const QUOTED_OR_BRACKETED = /^(?:".*"|\[.*\]|\{.*\})$/s;

/** Strings inside may be JSON again; each level of that is half as long, because its quotes are escaped. */
function shapeOfJson(kind: NameKind, json: unknown): Shape {
  if (typeof json === 'string') return likelyIfWord(shapeOfNamed(kind, json), json);
  if (typeof json === 'number') return shapeOfNamed(kind, String(json));
  if (typeof json !== 'object' || json === null) return 'plain';
  if (Array.isArray(json)) return shapeOfList(kind, json);
  const members = Object.entries(json);
  const shapes = members.flatMap(([name, value]) => [shapeOf(name), shapeOfJson(kindOfName(name), value)]);
  // The members of '"credentials":{…}' may have any names.
  return worstOf(kind === 'secret' && members.length > 0 ? [...shapes, 'doubtful'] : shapes);
}

function shapeOfList(kind: NameKind, list: readonly unknown[]): Shape {
  const worst = worstOf(list.map((item) => shapeOfJson(kind, item)));
  if (worst !== 'likely') return worst;
  // One word may be any, but twelve of them may be seed words.
  return worstOf([worst, shapeOfSeedWords(list.filter((item) => typeof item === 'string').join(' '))]);
}

function shapeOfText(value: string): Shape {
  if (isPublicShape(value)) return 'plain';
  return DOUBTFUL_SHAPES.some((shape) => shape.test(value)) ? 'doubtful' : randomness(value);
}

const DOUBTFUL_SHAPES: readonly RegExp[] = [
  /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i,
  /^0x[0-9a-fA-F]{64}$/, // a transaction, or a private key
  /^[1-9A-HJ-NP-Za-km-z]{42,44}$/, // Solana address, or 32 random bytes
  /@/,
];

const KEY_CHARS_MIN = 20;
const DOUBT_CHARS_MIN = 10;

/** Keys mix letters and digits all over; words, dates and versions hardly do. */
function randomness(value: string): Shape {
  if (/^[0-9a-f]{32,}$/i.test(value)) return 'secret';
  let worst: Shape = 'plain';
  for (const part of value.split(/[\s,;:/|?&=]+/)) {
    if (isPublicShape(part)) continue;
    const { chars, changes } = mixtureOf(part);
    if (chars < DOUBT_CHARS_MIN || changes * 5 < chars || changes < 3) continue;
    if (chars >= KEY_CHARS_MIN) return 'secret';
    worst = 'doubtful';
  }
  return worst;
}

/** Letters and digits, and how often lower case, capitals and digits take turns, but for a capital that begins a word. */
function mixtureOf(part: string): { readonly chars: number; readonly changes: number } {
  let [chars, changes] = [0, 0];
  let before = '';
  let last = '';
  for (const char of part) {
    const kind = kindOf(char);
    if (kind !== '') chars += 1;
    const beginsWord = last === 'A' && before !== 'A' && kind === 'a';
    if (kind !== '' && last !== '' && kind !== last && !beginsWord) changes += 1;
    [before, last] = [last, kind];
  }
  return { chars, changes };
}

function kindOf(char: string): '' | 'a' | 'A' | '0' {
  if (char >= 'a' && char <= 'z') return 'a';
  if (char >= 'A' && char <= 'Z') return 'A';
  return char >= '0' && char <= '9' ? '0' : '';
}
