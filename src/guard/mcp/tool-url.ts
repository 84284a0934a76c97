import { isJsonObject } from '../../core/x402/read-json.ts';

/** For a server that is a process of this machine. */
const STDIO = 'http://stdio.invalid/';

const WEB: Readonly<Record<string, string>> = { 'ws:': 'http:', 'wss:': 'https:' };

/** Where the guard says a server is: hosts, limits and listings go by it. Throws when the given address is none. */
export function serverUrl(given: string | undefined, transport: object): URL {
  if (given !== undefined) {
    const url = httpUrl(given);
    if (url === null) throw new TypeError('guard: server is not an http or https URL');
    return url;
  }
  // The SDK's transports keep theirs in a member of their own.
  const own = isJsonObject(transport) ? (transport['_url'] ?? transport['url']) : undefined;
  const text = own instanceof URL || typeof own === 'string' ? String(own) : '';
  return httpUrl(text) ?? new URL(STDIO);
}

function httpUrl(text: string): URL | null {
  if (!URL.canParse(text)) return null;
  const { protocol } = new URL(text);
  const url = new URL((WEB[protocol] ?? protocol) + text.slice(text.indexOf(':') + 1));
  return url.protocol === 'http:' || url.protocol === 'https:' ? url : null;
}

export function toolUrl(server: URL, name: string): string {
  const url = new URL(server);
  url.hash = '';
  url.pathname = `${url.pathname.replace(/\/$/, '')}/tools/${encodeURIComponent(name)}`;
  return url.href;
}
