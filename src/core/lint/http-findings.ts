import { type HeaderFields, headerValues } from '../header-values.ts';
import type { ProbeMethod } from '../verdict/probe-outcome.ts';
import { found } from './checks.ts';
import type { Finding } from './finding.ts';
import type { Look } from './seen.ts';

/** The words of a comma-separated field, in small letters. */
function wordsOf(headers: HeaderFields, name: string): ReadonlySet<string> {
  const words = headerValues(headers, name).flatMap((value) => value.split(','));
  return new Set(words.map((word) => word.trim().toLowerCase()));
}

/** `*` stands for all, unless credentials are sent, and payers send none. */
function names(headers: HeaderFields, field: string, wanted: readonly string[]): boolean {
  const words = wordsOf(headers, field);
  return words.has('*') || wanted.every((name) => words.has(name));
}

export function browserFindings(look: Look): Finding[] {
  if (look.kind === 'failed')
    return [found(look.fault === 'redirected' ? 'redirect' : 'no_answer', 'browser')];
  if (look.status !== 402) {
    const problem = `A request with an Origin, as browsers send it, is answered with ${look.status}, not 402.`;
    return [found('browser_status', 'browser', { problem })];
  }
  const findings: Finding[] = [];
  if (!allowsPages(look.headers)) findings.push(found('cors_origin', 'browser'));
  if (!names(look.headers, 'access-control-expose-headers', ['payment-required', 'payment-response']))
    findings.push(found('cors_expose', 'browser'));
  return findings;
}

/** A name that belongs to nobody. */
export const BROWSER_ORIGIN = 'https://page.example';

/** What the paid request of a browser carries; @x402/fetch sends the first one by mistake, and browsers ask for it. */
export const BROWSER_HEADERS = ['access-control-expose-headers', 'payment-signature', 'x-payment'] as const;

export function preflightFindings(look: Look, method: ProbeMethod): Finding[] {
  if (look.kind === 'failed')
    return [found(look.fault === 'redirected' ? 'preflight_status' : 'no_answer', 'preflight')];
  const { status, headers } = look;
  if (status === 402) return [found('preflight_paywall', 'preflight')];
  if (status < 200 || status > 299) {
    const problem = `OPTIONS is answered with ${status}, not 2xx: browsers never send the paid request.`;
    return [found('preflight_status', 'preflight', { problem })];
  }
  const wanted = method === 'POST' ? [...BROWSER_HEADERS, 'content-type'] : BROWSER_HEADERS;
  return [
    ...(allowsPages(headers) ? [] : [found('preflight_origin', 'preflight')]),
    ...(names(headers, 'access-control-allow-headers', wanted)
      ? []
      : [found('preflight_headers', 'preflight')]),
  ];
}

/** Exactly one value, byte for byte: browsers refuse a list, even `*, *` of two layers that both add the field. */
function allowsPages(headers: HeaderFields): boolean {
  const [origin, ...others] = headerValues(headers, 'access-control-allow-origin');
  return others.length === 0 && (origin?.trim() === '*' || origin?.trim() === BROWSER_ORIGIN);
}

const NOT_ALLOWED: ReadonlySet<number> = new Set([405, 501]);

export function headFindings(look: Look): Finding[] {
  // A redirect is reported once.
  if (look.kind === 'failed') return look.fault === 'redirected' ? [] : [found('no_answer', 'head')];
  if (look.status === 402 || NOT_ALLOWED.has(look.status)) return [];
  const problem = `HEAD is answered with ${look.status} where GET is answered with 402.`;
  return [found('head_status', 'head', { problem })];
}

/** Without an explicit lifetime caches do not store a 402; with one they do, unless it is private. */
export function cacheFindings(headers: HeaderFields, seenAt: Date): Finding[] {
  const directives = wordsOf(headers, 'cache-control');
  const expires = headerValues(headers, 'expires').some((date) => Date.parse(date) > seenAt.getTime());
  if (headerValues(headers, 'cache-control').length === 0) {
    return [found(expires ? 'cache_storable' : 'cache_unset', 'answer')];
  }
  if (['no-store', 'private', 'no-cache'].some((word) => directives.has(word))) return [];
  const ages = [...directives].filter((word) => /^(?:s-maxage|max-age)=/.test(word));
  // The date counts only where no age replaces it.
  const hasLifetime = ages.length === 0 ? expires : ages.some((word) => /="?0*[1-9]/.test(word));
  return hasLifetime || directives.has('public') ? [found('cache_storable', 'answer')] : [];
}
