import { isSecretKey, looksSecret } from './secret-shapes.ts';

/**
 * Receipts are public for ever (gap G53): what looks like a credential is replaced before a URL is stored or logged.
 * The rest of the URL stays as it was, and a keyed hash of the exact URL is kept beside it for look-ups.
 */
export function redactUrl(href: string): string {
  const fragmentAt = href.indexOf('#');
  const withoutFragment = fragmentAt === -1 ? href : href.slice(0, fragmentAt);
  const queryAt = withoutFragment.indexOf('?');
  if (queryAt === -1) return redactPath(withoutFragment);
  const query = withoutFragment.slice(queryAt);
  return redactPath(withoutFragment.slice(0, queryAt)) + query.replace(QUERY_PART, redactPart);
}

/** Scheme and host stay as they are. */
function redactPath(place: string): string {
  if (PLAIN_PLACE.test(place)) return place;
  const parts = place.split('/');
  return parts.map((part, at) => (at > HOST_AT && looksSecret(part) ? REDACTED : part)).join('/');
}

/** Every secret shape without escapes has at least ten characters. */
const PLAIN_PLACE = /^https?:\/\/[^/]*(?:\/[\w.~-]{0,9})*$/;

/** The index of the host when 'https://host/path' is split at slashes. */
const HOST_AT = 2;

const REDACTED = 'REDACTED';

/** True when a stored URL may be redacted, so that it cannot be requested or looked up as it is. */
export function isRedacted(url: string): boolean {
  return url.includes(REDACTED);
}

const QUERY_PART = /[^?&;]+/g;

function redactPart(part: string): string {
  const equals = part.indexOf('=');
  if (equals === -1) return looksSecret(part) ? REDACTED : part;
  const key = part.slice(0, equals);
  const value = part.slice(equals + 1);
  if (value === '') return part;
  const secret = isSecretKey(key) ? !isPublicValue(key, value) : looksSecret(value);
  return secret ? `${key}=${REDACTED}` : part;
}

/** A contract address is public: '?token=0x…' names a coin. And 'max_tokens=100' is a number. */
function isPublicValue(key: string, value: string): boolean {
  return /token/i.test(key) && (/^0x[0-9a-fA-F]{40}$/.test(value) || /^[0-9]{1,9}$/.test(value));
}
