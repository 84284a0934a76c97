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

/** Null when endpoint and example do not make a URL. */
export function exampleCall({ endpoint, method, example }: Service): ExampleCall | null {
  const query = new URLSearchParams(example.query ?? {}).toString();
  const joint = endpoint.href.includes('?') ? '&' : '?';
  const reading = parseTargetUrl(query === '' ? endpoint.href : `${endpoint.href}${joint}${query}`);
  if (reading.kind !== 'target') return null;
  const body = method === 'POST' ? JSON.stringify(example.body ?? {}) : null;
  return { target: reading.target, method, body };
}
