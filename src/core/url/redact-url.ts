import { URL_MAX_BYTES } from '../limits.ts';
import { isPublicName, kindOfParameter } from './secret-names.ts';
import { shapeOfNamed } from './secret-shapes.ts';
import type { Shape } from './shape.ts';

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
    const value = decoded(part);
    const shape = shapeOfNamed(isPublicName(before) ? 'public' : 'ordinary', value);
    const hidden = at > HOST_AT && isHidden(shape, origin);
    // A name that is hidden says nothing of the next part: the redacted path has to be read in the same way.
    before = hidden ? '' : value;
    return hidden ? REDACTED : part;
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
  const [name, value] = equals === -1 ? [part, ''] : [part.slice(0, equals), part.slice(equals + 1)];
  const plainName = decoded(name);
  // '?{"key":"c2VjcmV0=="}' has a part of the key before its first equals sign.
  if (isHidden(shapeOfNamed('ordinary', plainName), origin)) return REDACTED;
  const shape = shapeOfNamed(kindOfParameter(plainName), decoded(value));
  return isHidden(shape, origin) ? `${name}=${REDACTED}` : part;
}

function isHidden(shape: Shape, origin: UrlOrigin): boolean {
  return shape === 'secret' || (shape === 'doubtful' && origin === 'unlisted');
}

/** Links inside links are encoded more than once. A broken escape must not hide what precedes it. */
function decoded(text: string): string {
  let read = decodedOnce(text.replaceAll('+', ' '));
  for (let more = 2; more > 0 && ESCAPE.test(read); more -= 1) read = decodedOnce(read);
  return read.trim();
}

const ESCAPE = /%[0-9a-f]{2}/i;

function decodedOnce(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    return text.replace(/%([2-7][0-9a-f])/gi, (_, code: string) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    );
  }
}
