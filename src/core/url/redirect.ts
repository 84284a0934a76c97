import type { ProbeMethod } from '../verdict/probe-outcome.ts';
import { hasOddCharacters, parseTargetUrl, type TargetUrl } from './target-url.ts';

const FOLLOWED: Readonly<Record<ProbeMethod, ReadonlySet<number>>> = {
  GET: new Set([301, 302, 303, 307, 308]),
  // Other redirects turn a POST into a GET, which would be another request.
  POST: new Set([307, 308]),
};

export interface RedirectAnswer {
  readonly status: number;
  readonly locations: readonly string[];
}

/**
 * Where a redirect leads, if it may be followed: to the same host and port, or from http to https on the default ports.
 * Honest sellers do that for a trailing slash or for encryption; anything else is another endpoint (gap G45).
 */
export function sameHostRedirect(
  from: TargetUrl,
  method: ProbeMethod,
  answer: RedirectAnswer,
): TargetUrl | null {
  const [location, ...more] = answer.locations;
  if (!FOLLOWED[method].has(answer.status) || location === undefined || more.length > 0) return null;
  if (hasOddCharacters(location) || WITHOUT_SLASHES.test(location)) return null;
  const absolute = resolve(location, from.href);
  const reading = absolute === null ? null : parseTargetUrl(absolute);
  if (reading === null || reading.kind === 'invalid') return null;
  return isSamePlace(from, reading.target) ? reading.target : null;
}

// The URL parser takes the rest for a path, others for a host: 'https:/thief/' leads them to the thief.
const WITHOUT_SLASHES = /^https?:(?!\/\/)/i;

function isSamePlace(from: TargetUrl, to: TargetUrl): boolean {
  if (to.host !== from.host) return false;
  if (to.scheme === from.scheme) return to.port === from.port;
  return from.scheme === 'http' && from.port === 80 && to.port === 443;
}

function resolve(location: string, base: string): string | null {
  try {
    return new URL(location, base).href;
  } catch {
    return null;
  }
}
