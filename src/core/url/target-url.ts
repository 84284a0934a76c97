import { URL_MAX_BYTES } from '../limits.ts';
import { isHostName } from './host-name.ts';
import { normalizeUrl } from './normalize-url.ts';

/** A public http(s) URL, parsed once. Gate, cache key, connection and receipt all use this. */
export interface TargetUrl {
  readonly scheme: 'http' | 'https';
  /** Lower-case ASCII name without a trailing dot, or an address; IPv6 without brackets. */
  readonly host: string;
  readonly hostKind: 'name' | 'address';
  readonly port: number;
  /** Host and port as a URL and the Host field write them: brackets around IPv6, no default port. */
  readonly authority: string;
  /** Path and query as they go on the wire. */
  readonly pathAndQuery: string;
  /** The URL without its fragment. */
  readonly href: string;
  /** The key of de-duplication, probe reuse and look-up by URL. */
  readonly normalized: string;
}

export type UrlFault =
  | 'too_long'
  | 'odd_characters'
  | 'not_a_url'
  | 'not_http'
  | 'credentials'
  | 'bad_host_name';

export type TargetUrlReading =
  | { readonly kind: 'target'; readonly target: TargetUrl }
  /** Never contains the text: a URL with a password must not appear in a message. */
  | { readonly kind: 'invalid'; readonly fault: UrlFault };

// The URL parser drops these silently, so other readers of 'http://127.0\n.0.1/' would see another URL.
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding control characters is the point.
const CONTROL_CHARACTERS = /[\u0000-\u001f\u007f-\u009f]/;

// The URL parser takes it for a slash, others for a part of a user name: 'https://seller\@thief/' leads them to the thief.
const BACKSLASH = /^[^?#]*\\/;

export function parseTargetUrl(text: string): TargetUrlReading {
  if (Buffer.byteLength(text) > URL_MAX_BYTES) return invalid('too_long');
  if (hasOddCharacters(text)) return invalid('odd_characters');
  const url = parseUrl(text);
  if (url === null) return invalid('not_a_url');
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return invalid('not_http');
  if (url.username !== '' || url.password !== '') return invalid('credentials');
  const host = hostOf(url);
  if (host === null) return invalid('bad_host_name');
  const target = targetOf(url, host);
  return target.href.length > URL_MAX_BYTES ? invalid('too_long') : { kind: 'target', target };
}

/** True for what the URL parser reads as another URL than other readers do. */
export function hasOddCharacters(text: string): boolean {
  return CONTROL_CHARACTERS.test(text) || text.trim() !== text || BACKSLASH.test(text);
}

export function originOf({ scheme, authority }: TargetUrl): string {
  return `${scheme}://${authority}`;
}

/** Without the query. */
export function pathOf({ pathAndQuery }: TargetUrl): string {
  return pathAndQuery.split('?', 1).join('');
}

function parseUrl(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}

type Host = Pick<TargetUrl, 'host' | 'hostKind'>;

const IPV4_ADDRESS = /^[0-9]{1,3}(\.[0-9]{1,3}){3}$/;

/** The parser has already decoded, lower-cased and canonicalised: '0x7f.1' arrives here as '127.0.0.1'. */
function hostOf({ hostname }: URL): Host | null {
  if (hostname.startsWith('[')) return { host: hostname.slice(1, -1), hostKind: 'address' };
  if (IPV4_ADDRESS.test(hostname)) return { host: hostname, hostKind: 'address' };
  const name = hostname.endsWith('.') ? hostname.slice(0, -1) : hostname;
  return isHostName(name) ? { host: name, hostKind: 'name' } : null;
}

function targetOf(url: URL, { host, hostKind }: Host): TargetUrl {
  // URL computes these on every access.
  const { port, pathname, search } = url;
  const scheme = url.protocol === 'https:' ? 'https' : 'http';
  const authority = (host.includes(':') ? `[${host}]` : host) + (port === '' ? '' : `:${port}`);
  const defaultPort = scheme === 'https' ? 443 : 80;
  const origin = `${scheme}://${authority}`;
  const pathAndQuery = pathname + search;
  return {
    scheme,
    host,
    hostKind,
    port: port === '' ? defaultPort : Number(port),
    authority,
    pathAndQuery,
    href: origin + pathAndQuery,
    normalized: normalizeUrl({ origin, path: pathname, query: search }),
  };
}

function invalid(fault: UrlFault): TargetUrlReading {
  return { kind: 'invalid', fault };
}
