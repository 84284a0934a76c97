import { isSecretKey, looksSecret } from './secret-shapes.ts';

/**
 * Receipts are public for ever (gap G53): what looks like a credential is replaced before a URL is stored or logged.
 * The rest of the URL stays as it was, and a keyed hash of the exact URL is kept beside it for look-ups.
 */
export function redactUrl(href: string): string {
  const withoutFragment = href.split('#', 1).join('');
  const queryAt = withoutFragment.indexOf('?');
  const place = queryAt === -1 ? withoutFragment : withoutFragment.slice(0, queryAt);
  const query = queryAt === -1 ? '' : withoutFragment.slice(queryAt);
  const [scheme, , host, ...segments] = place.split('/');
  const path = segments.map((segment) => (looksSecret(segment) ? REDACTED : segment));
  return [scheme, '', host, ...path].join('/') + query.replace(QUERY_PART, redactPart);
}

const REDACTED = 'REDACTED';

/** True when something of a stored URL may be hidden, so that it cannot be requested or looked up as it stands. */
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

/** A contract is everybody's: '?token=0x…' names a coin. And 'max_tokens=100' is a number. */
function isPublicValue(key: string, value: string): boolean {
  return /token/i.test(key) && (/^0x[0-9a-fA-F]{40}$/.test(value) || /^[0-9]{1,9}$/.test(value));
}
