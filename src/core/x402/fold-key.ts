import type { JsonObject } from './read-json.ts';

/** The members of an entry that say what is paid to whom. */
export const PAYMENT_KEYS = ['payTo', 'amount', 'maxAmountRequired', 'network', 'asset', 'scheme'] as const;

/** All that decide what is signed. */
export const MONEY_KEYS: readonly string[] = [...PAYMENT_KEYS, 'maxTimeoutSeconds', 'extra'];

/** Keys with the spellings under which a lenient reader would also find them; built once per list of keys. */
export interface KeySpellings {
  readonly exact: ReadonlySet<string>;
  readonly byFold: ReadonlyMap<string, string>;
  readonly lengths: ReadonlySet<number>;
}

export function keySpellings(keys: readonly string[]): KeySpellings {
  return {
    exact: new Set(keys),
    byFold: new Map(keys.map((key) => [foldKey(key), key])),
    lengths: new Set(keys.map((key) => key.length)),
  };
}

export interface OtherSpelling {
  /** The key as we know it. */
  readonly key: string;
  readonly value: unknown;
}

/** Own members whose key is a variant spelling of one of these keys. */
export function otherSpellings(object: JsonObject, spellings: KeySpellings): OtherSpelling[] {
  const found: OtherSpelling[] = [];
  for (const spelled of Object.keys(object)) {
    if (spellings.exact.has(spelled) || !mayFold(spelled, spellings)) continue;
    const key = spellings.byFold.get(foldKey(spelled));
    if (key !== undefined) found.push({ key, value: object[spelled] });
  }
  return found;
}

const SPELLING_MAX_CHARS = 40;

/** The length excludes nearly every key; only separators make a key longer than its fold. */
function mayFold(spelled: string, { lengths }: KeySpellings): boolean {
  if (lengths.has(spelled.length)) return true;
  return spelled.length <= SPELLING_MAX_CHARS && /[_\ufffd-]/.test(spelled);
}

/**
 * How lenient readers see a key: some ignore letter case (and fold look-alikes such as the Kelvin sign), some take
 * snake_case for camelCase. Two spellings with one fold are one key for them.
 */
function foldKey(key: string): string {
  if (PLAIN.test(key)) return key.toLowerCase();
  return key
    .toUpperCase()
    .toLowerCase()
    .replace(/[_\ufffd-]/g, '');
}

const PLAIN = /^[A-Za-z0-9]*$/;
