import type { ListedInput } from '../input/listed-input.ts';
import { parseTargetUrl, type TargetUrl } from '../url/target-url.ts';
import type { ProbeMethod } from '../verdict/probe-outcome.ts';
import type { Service } from './read-catalog.ts';

/** The request that verifies a service. */
export interface ExampleCall {
  readonly target: TargetUrl;
  readonly method: ProbeMethod;
  /** JSON; only with POST. */
  readonly body: string | null;
}

/** The same request as input of the endpoint; null without an example. */
export function exampleInput({ method, example }: Service): ListedInput | null {
  const query = Object.entries(example.query ?? {});
  const body = example.body === undefined ? null : JSON.stringify(example.body);
  if (query.length === 0 && body === null) return null;
  return { method, example: { query, body }, built: null, path: [], required: [] };
}

/** The endpoint with its path parameters as names in braces; null when it has none. */
export function endpointTemplate({ endpoint, path_parameters }: Service): string | null {
  if (path_parameters.length === 0) return null;
  const { origin, pathname, search } = new URL(endpoint.href);
  const segments = pathname.split('/').map((segment) => {
    const known = path_parameters.find(({ example }) => example === segment);
    return known === undefined ? segment : `{${known.name}}`;
  });
  return origin + segments.join('/') + search;
}

/** Null when endpoint and example do not make a URL. */
export function exampleCall({ endpoint, method, example }: Service): ExampleCall | null {
  const query = new URLSearchParams(example.query ?? {}).toString();
  const joint = endpoint.href.includes('?') ? '&' : '?';
  const reading = parseTargetUrl(query === '' ? endpoint.href : `${endpoint.href}${joint}${query}`);
  if (reading.kind !== 'target') return null;
  const body = method === 'POST' ? JSON.stringify(example.body ?? {}) : null;
  return { target: reading.target, method, body };
}
