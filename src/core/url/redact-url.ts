import { URL_MAX_BYTES } from '../limits.ts';
import { isPublicName, isSecretName } from './secret-names.ts';
import { shapeOf } from './secret-shapes.ts';

/** Whether the exact URL is in a public list, so that nothing in it is new to anybody. */
export type UrlOrigin = 'listed' | 'unlisted';

/**
 * Receipts are public for ever (gap G53): what looks like a credential, by its name or its shape, is replaced before a URL is
 * stored or logged. Of a URL that nobody has published, so is what may be one. The rest of the URL stays as it was, and a keyed
 * hash of the exact URL is kept beside it for look-ups.
 */
export function redactUrl(href: string, origin: UrlOrigin): string {
  const fragmentAt = href.indexOf('#');
  const withoutFragment = fragmentAt === -1 ? href : href.slice(0, fragmentAt);
  const queryAt = withoutFragment.indexOf('?');
  if (queryAt === -1) return redactPath(withoutFragment, origin);
  const path = redactPath(withoutFragment.slice(0, queryAt), origin);
  return path + withoutFragment.slice(queryAt).replace(QUERY_PART, (part) => redactPart(part, origin));
}

/** The same for all receipts of one spelling of a URL, whether or not a list had it at the time. */
export function commonSpelling(url: string): string {
  return redactUrl(url, 'unlisted').slice(0, URL_MAX_BYTES);
}

/** Scheme and host stay as they are. */
function redactPath(place: string, origin: UrlOrigin): string {
  if (PLAIN_PLACE.test(place)) return place;
  let before = '';
  const redacted = (part: string, at: number) => {
    const [name, value] = [before, decoded(part)];
    before = value;
    return at > HOST_AT && isSecret(name, value, origin) ? REDACTED : part;
  };
  return place.split('/').map(redacted).join('/');
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

function redactPart(part: string, origin: UrlOrigin): string {
  const equals = part.indexOf('=');
  if (equals === -1) return isSecret('', decoded(part), origin) ? REDACTED : part;
  const [name, value] = [decoded(part.slice(0, equals)), decoded(part.slice(equals + 1))];
  if (value === '') return part;
  const secret = isSecretName(name) ? !isPublicValue(name, value, origin) : isSecret(name, value, origin);
  return secret ? `${part.slice(0, equals)}=${REDACTED}` : part;
}

/** `name` is the parameter's, or what stands before the value in a path. */
function isSecret(name: string, value: string, origin: UrlOrigin): boolean {
  switch (shapeOf(value)) {
    case 'plain':
    case 'public':
      return false;
    case 'doubtful':
      return origin === 'unlisted' && (!isPublicName(name) || value.includes('@'));
    case 'secret':
      return !(isPublicName(name) && BARE_HASH.test(value));
  }
}

/** In '/commit/…' or '?sha256=…' it is public; elsewhere it may be a key. */
const BARE_HASH = /^[0-9a-f]{32,128}$/i;

/** '?token=0x…' names a coin, '?max_tokens=100' is a number, and '?seed=42' draws a picture. */
function isPublicValue(name: string, value: string, origin: UrlOrigin): boolean {
  if (/^[0-9]{1,9}$/.test(value)) return /token|seed/i.test(name);
  if (!/tokens?$/i.test(name)) return false;
  if (shapeOf(value) === 'public') return true;
  return origin === 'listed' && (/^[A-Z]{2,6}$/.test(value) || MINT.test(value));
}

const MINT = /^[1-9A-HJ-NP-Za-km-z]{42,44}$/;

/** Decodes as far as possible: a broken escape must not hide what precedes it. */
function decoded(text: string): string {
  const spaced = text.replaceAll('+', ' ');
  if (!spaced.includes('%')) return spaced.trim();
  try {
    return decodeURIComponent(spaced).trim();
  } catch {
    const readable = spaced.replace(/%([2-7][0-9a-f])/gi, (_, code: string) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    );
    return readable.trim();
  }
}
