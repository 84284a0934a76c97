import { isPathTemplate } from '../url/path-template.ts';
import { parseTargetUrl, type TargetUrl } from '../url/target-url.ts';
import type { ProbeMethod } from '../verdict/probe-outcome.ts';
import { EXAMPLE_BODY_MAX_BYTES } from './list-limits.ts';
import type { ListedEndpoint } from './listed-endpoint.ts';

export interface PlannedRequest {
  readonly kind: 'request';
  readonly target: TargetUrl;
  readonly method: ProbeMethod;
  /** JSON; only with POST. */
  readonly body: string | null;
}

/** A URL with placeholders cannot be called, so nothing is sent (gap G72). */
export type FirstStep = PlannedRequest | { readonly kind: 'path_template' };

/** The bare URL first. */
export function firstRequest({ target, method }: ListedEndpoint): FirstStep {
  if (isPathTemplate(pathOf(target))) return { kind: 'path_template' };
  return { kind: 'request', target, method, body: method === 'POST' ? EMPTY_BODY : null };
}

/** After a 4xx other than 402, exactly one more request with the listing's example parameters (gap G71). */
export function secondRequest(
  { target, method, example }: ListedEndpoint,
  status: number,
): PlannedRequest | null {
  if (status < 400 || status > 499 || status === 402 || example === null) return null;
  if (method === 'POST') {
    // Tested here, too: the row may have been stored by a release that took larger ones.
    const isSmall = example.body !== null && Buffer.byteLength(example.body) <= EXAMPLE_BODY_MAX_BYTES;
    return isSmall ? { kind: 'request', target, method, body: example.body } : null;
  }
  const withQuery = withExampleQuery(target, example.query);
  return withQuery === null ? null : { kind: 'request', target: withQuery, method, body: null };
}

const EMPTY_BODY = '{}';

function pathOf({ pathAndQuery }: TargetUrl): string {
  return pathAndQuery.split('?', 1).join('');
}

/** Parsed again: a listing's example is as untrusted as its URL. */
function withExampleQuery(
  target: TargetUrl,
  query: readonly (readonly [string, string])[],
): TargetUrl | null {
  if (query.length === 0) return null;
  const added = new URLSearchParams(query.map(([name, value]): [string, string] => [name, value]));
  const reading = parseTargetUrl(`${target.href}${target.href.includes('?') ? '&' : '?'}${added}`);
  return reading.kind === 'target' ? reading.target : null;
}
