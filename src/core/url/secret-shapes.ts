import { isSecretName } from './secret-names.ts';

/**
 * What a value tells by its shape. `public` names something that everybody may see, such as a wallet; `doubtful` may be either: a
 * UUID is an order in one service and a key in another.
 */
export type Shape = 'plain' | 'public' | 'doubtful' | 'secret';

/** The value is decoded. */
export function shapeOf(value: string): Shape {
  if (VENDOR_SHAPES.some((shape) => shape.test(value)) || isSeedPhrase(value) || hidesSecret(value))
    return 'secret';
  if (PUBLIC_SHAPES.some((shape) => shape.test(value))) return 'public';
  if (DOUBTFUL_SHAPES.some((shape) => shape.test(value))) return 'doubtful';
  return randomness(value);
}

/** None that consists of letters, digits and `._~-` is shorter than ten: redactUrl skips paths of shorter words. */
const VENDOR_SHAPES: readonly RegExp[] = [
  /^eyJ[A-Za-z0-9_-]{5,}\.[A-Za-z0-9_-]+\./, // JSON web token
  /^(?:sk|pk|rk|sess|whsec|rzp|gsk|hf|npm|r8|ntn|lin_api|lin_oauth|figd|glsa|shp[a-z]{2}|sntry[su]|dckr_pat|do[opr]_v1|pat|key|secret|fal|phc|sbp|tskey)_[A-Za-z0-9_]{8,}/,
  // Model vendors and their like. Words with hyphens have no digits.
  /^(?:sk|pk|pplx|tvly|xai|nvapi|key|pypi|glpat|PMAK|NRAK|sq0[a-z]{3}|tskey|csk|fc)-(?=[A-Za-z_-]*[0-9])[A-Za-z0-9_-]{12,}/,
  /^(?:AKIA|ASIA|AGPA|AIDA|AROA)[A-Z0-9]{12,}/,
  /^(?:ya29\.|AIza|hvs\.|SG\.|ATATT3|EAA[A-Z]|1\/\/0)[A-Za-z0-9._-]{6,}/,
  /^(?:gh[opsur]|github_pat|xox[abeprs]|xapp)[_-][A-Za-z0-9_-]{8,}/,
  /^(?:AC|SK|dapi)[0-9a-f]{32}$/,
  /^(?:bot)?[0-9]{6,12}:[A-Za-z0-9_-]{30,}$/, // chat bots
  /^[MNO][A-Za-z0-9_-]{22,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,}$/,
  /^(?:bearer|basic)\s/i,
  /^[a-z]{2,10}:\/\/[^/@\s]*@/i, // a link with a user name
  /^(?:[xyzt]prv|AGE-SECRET-KEY-1|nsec1)[A-Za-z0-9]{20,}/,
  /^[5KL][1-9A-HJ-NP-Za-km-z]{50,51}$/, // private key of a wallet, in its import format
  /^[1-9A-HJ-NP-Za-km-z]{86,88}$/, // Solana key pair
  /-----BEGIN/,
];

const PUBLIC_SHAPES: readonly RegExp[] = [
  /^0x[0-9a-fA-F]{40}$/, // EVM address
  /^Qm[1-9A-HJ-NP-Za-km-z]{44}$|^baf[a-z2-7]{50,}$/, // content of IPFS
  /^(?:eip155|solana):[A-Za-z0-9]{1,44}$/, // network
  /^\d{4}-\d\d-\d\d(?:[T ][0-9:.]{5,15}(?:Z|[+-]\d\d:?\d\d)?)?$/,
];

const DOUBTFUL_SHAPES: readonly RegExp[] = [
  /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i,
  /^0x[0-9a-fA-F]{64}$/, // a transaction, or a private key
  /^[1-9A-HJ-NP-Za-km-z]{42,44}$/, // Solana address, or 32 random bytes
  /@/,
];

/** Wallets are restored from such a number of short words. */
function isSeedPhrase(value: string): boolean {
  if (!SEED_PHRASE.test(value)) return false;
  return [12, 15, 18, 21, 24].includes(value.split(/[\s,-]+/).length);
}

const SEED_PHRASE = /^[a-z]{3,8}(?:[\s,-]+[a-z]{3,8}){11,23}$/;

/** A link or a list of parameters with a secret inside. */
function hidesSecret(value: string): boolean {
  if (!value.includes('=')) return false;
  return [...value.matchAll(INNER_PARAMETER)].some(([, name = '']) => isSecretName(name));
}

const INNER_PARAMETER = /(?:^|[?&;])([^?&;=#]{1,64})=[^?&;#]/g;

const KEY_CHARS_MIN = 20;
const DOUBT_CHARS_MIN = 10;

/** Keys mix letters and digits all over; words, dates and versions hardly do. */
function randomness(value: string): Shape {
  if (/^[0-9a-f]{32,}$/i.test(value)) return 'secret';
  let worst: Shape = 'plain';
  for (const part of value.split(/[\s,;:/|]+/)) {
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
