/**
 * Receipts are public for ever (gap G53): what looks like a credential is replaced before a URL is stored or logged.
 * The rest of the URL stays as it was, and a keyed hash of the exact URL is kept beside it for look-ups.
 */
export function redactUrl(href: string): string {
  const withoutFragment = href.split('#', 1).join('');
  const queryAt = withoutFragment.indexOf('?');
  const path = queryAt === -1 ? withoutFragment : withoutFragment.slice(0, queryAt);
  const redactedPath = path.split('/').map(redactSegment).join('/');
  if (queryAt === -1) return redactedPath;
  const parts = withoutFragment.slice(queryAt + 1).split('&');
  return `${redactedPath}?${parts.map(redactPart).join('&')}`;
}

const REDACTED = 'REDACTED';

function redactSegment(segment: string): string {
  return looksSecret(segment) ? REDACTED : segment;
}

function redactPart(part: string): string {
  const equals = part.indexOf('=');
  if (equals === -1) return looksSecret(part) ? REDACTED : part;
  const key = part.slice(0, equals);
  const value = part.slice(equals + 1);
  if (value === '' || !(isSecretKey(key) ? !PUBLIC_ADDRESS.test(value) : looksSecret(value))) return part;
  return `${key}=${REDACTED}`;
}

/** Words that name a credential as a part of a key: 'api_key', 'accessToken', 'X-Amz-Signature', 'auth'. */
const SECRET_WORD =
  /^(?:auth|authorization|bearer|credentials?|hmac|jwt|otp|passphrase|pwd|sas|sessionid|session|sid|sig)$/;
/** And as the end of a longer word: 'apikey', 'authtoken'. */
const SECRET_ENDING = /(?:key|token|secret|passwd|password|signature)s?$/;

function isSecretKey(key: string): boolean {
  const words = decoded(key)
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z]+/);
  // An OAuth 'code' is a secret, a 'country_code' is not.
  if (words.length === 1 && words[0] === 'code') return true;
  return words.some((word) => SECRET_WORD.test(word) || SECRET_ENDING.test(word));
}

// Everybody's token contract is public: '?token=0x…' names a coin, not a secret.
const PUBLIC_ADDRESS = /^0x[0-9a-fA-F]{40}$/;

const SECRET_SHAPES: readonly RegExp[] = [
  /^eyJ[A-Za-z0-9_-]{5,}\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]*$/, // JSON web token
  /^(?:sk|pk|rk)[_-][A-Za-z0-9_-]{8,}$/, // payment and model vendors
  /^(?:AKIA|ASIA)[A-Z0-9]{12,}$/, // cloud access key
  /^(?:ya29\.|AIza)[A-Za-z0-9._-]{6,}$/,
  /^(?:gh[opsur]|glpat|github_pat|xox[abeprs])[_-][A-Za-z0-9_-]{8,}$/,
  /^bearer\b/i,
  /^[0-9a-f]{32,}$/i, // bare hexadecimal, as in many API keys; addresses and hashes begin with 0x
];

function looksSecret(text: string): boolean {
  const value = decoded(text);
  return SECRET_SHAPES.some((shape) => shape.test(value));
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}
