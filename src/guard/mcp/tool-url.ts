import { isJsonObject } from '../../core/x402/read-json.ts';
import { sha256 } from '../sha256.ts';

const WEB: Readonly<Record<string, string>> = { 'ws:': 'http:', 'wss:': 'https:' };

/**
 * Where the guard says a server is: hosts, limits and listings go by it, and what was paid is its own. Two servers must not share
 * an address, so one that neither the caller nor the transport can name is refused.
 */
export function serverUrl(given: string | undefined, transport: object): URL {
  if (given !== undefined) {
    const url = httpUrl(given);
    if (url === null) throw new TypeError('guard: server is not an http or https URL');
    return url;
  }
  // The SDK's transports keep theirs in members of their own.
  const { _url, url = _url, _serverParams } = isJsonObject(transport) ? transport : {};
  const own =
    (url instanceof URL || typeof url === 'string' ? httpUrl(String(url)) : null) ?? commandIn(_serverParams);
  if (own === null)
    throw new TypeError('guard: the transport does not say which server it reaches; name it in server');
  return own;
}

function commandIn(started: unknown): URL | null {
  if (!isJsonObject(started) || typeof started['command'] !== 'string') return null;
  const args = Array.isArray(started['args']) ? started['args'] : [];
  return commandUrl([started['command'], ...args.map(String)]);
}

/** Of a server that is a process of this machine. */
export function commandUrl(command: readonly string[]): URL {
  return new URL(`http://stdio.invalid/${sha256(JSON.stringify(command)).slice(0, HASH_CHARS)}`);
}

/** Enough to tell the servers of one program apart; what is longer looks like a secret in the ledger. */
const HASH_CHARS = 8;

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
