const PREFIX = '/_host/';
/** In the mode `path` the driver's own server is this host, wherever no other one is named. */
const HOST_OF_THE_SERVER = 'provider.test';
const NAMED_HOST = /^\/_host\/([A-Za-z0-9._-]{1,253})(?:\/|$)/;

/**
 * The host that a request is sent to, by its URL alone: what a 402 says about itself is not believed. In the mode `path` all hosts
 * share an origin and are named in the path. Null when there is none.
 */
export function paidHost(url: URL, mode: string | undefined): string | null {
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return null;
  if (mode !== 'path') return url.hostname;
  const named = NAMED_HOST.exec(url.pathname)?.[1];
  if (named !== undefined) return named.toLowerCase();
  // Another spelling of the prefix is not left to the server to read.
  return decoded(url.pathname).includes(PREFIX.slice(1, -1)) ? null : HOST_OF_THE_SERVER;
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path).toLowerCase();
  } catch {
    return PREFIX;
  }
}
