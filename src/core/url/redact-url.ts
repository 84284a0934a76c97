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
  return replaced(withoutFragment(href), HIDES[origin]);
}

/**
 * Whether a URL holds what can only be a credential, so that no third party should be asked about it. A word under the name of one
 * is redacted in what is published, which costs little; but an endpoint that nobody may be asked about cannot be bought.
 */
export function holdsCredential(href: string): boolean {
  const plain = withoutFragment(href);
  return replaced(plain, (shape) => shape === 'secret') !== plain;
}

/** The same for all receipts of one spelling of a URL, whether or not a list had it at the time. */
export function commonSpelling(url: string): string {
  return redactUrl(url, 'unlisted').slice(0, URL_MAX_BYTES);
}

type Hides = (shape: Shape) => boolean;

const HIDES: Readonly<Record<UrlOrigin, Hides>> = {
  listed: (shape) => shape === 'secret' || shape === 'likely',
  unlisted: (shape) => shape !== 'plain',
};

function withoutFragment(href: string): string {
  const fragmentAt = href.indexOf('#');
  return fragmentAt === -1 ? href : href.slice(0, fragmentAt);
}

function replaced(href: string, hides: Hides): string {
  const queryAt = href.indexOf('?');
  if (queryAt === -1) return redactPath(href, hides);
  const path = redactPath(href.slice(0, queryAt), hides);
  return path + href.slice(queryAt).replace(QUERY_PART, (part) => redactPart(part, hides));
}

/** Scheme and host stay as they are. */
function redactPath(place: string, hides: Hides): string {
  if (PLAIN_PLACE.test(place)) return place;
  let before = '';
  const redacted = (part: string, at: number) => {
    const value = decoded(part);
    const shape = shapeOfNamed(isPublicName(before) ? 'public' : 'ordinary', value);
    const hidden = at > HOST_AT && hides(shape);
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

function redactPart(part: string, hides: Hides): string {
  const equals = part.indexOf('=');
  const [name, value] = equals === -1 ? [part, ''] : [part.slice(0, equals), part.slice(equals + 1)];
  const plainName = decoded(name);
  // '?{"key":"c2VjcmV0=="}' has a part of the key before its first equals sign.
  if (hides(shapeOfNamed('ordinary', plainName))) return REDACTED;
  const shape = shapeOfNamed(kindOfParameter(plainName), decoded(value));
  return hides(shape) ? `${name}=${REDACTED}` : part;
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
