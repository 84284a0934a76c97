import { parseTargetUrl } from './target-url.ts';

const HOST_MAX_CHARS = 253;

/**
 * The host that a segment of a path names, as URLs spell it: a lower-case ASCII name or an address, IPv6 in brackets. Null for
 * every other spelling, so that each host has one address.
 */
export function hostInPath(segment: string): string | null {
  const text = decoded(segment);
  if (text === null || text.length > HOST_MAX_CHARS) return null;
  const host = text.includes(':') && !text.startsWith('[') ? `[${text}]` : text;
  const reading = parseTargetUrl(`http://${host}/`);
  return reading.kind === 'target' && reading.target.authority === host ? host : null;
}

/** As opt-outs and targets spell it: IPv6 without brackets. */
export function bareHost(host: string): string {
  return host.startsWith('[') ? host.slice(1, -1) : host;
}

function decoded(segment: string): string | null {
  try {
    return decodeURIComponent(segment);
  } catch {
    return null;
  }
}
