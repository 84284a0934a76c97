import { decodeUtf8 } from '../core/x402/base64.ts';
import { parseJson } from '../core/x402/read-json.ts';
import { readAtMost } from './read-at-most.ts';

/** What a stranger answered: the status and its JSON, or that there was no answer. */
export type FetchedJson =
  /** `json` is undefined when the body is too long or not JSON. */
  | { readonly kind: 'answer'; readonly status: number; readonly json: unknown }
  | { readonly kind: 'unreachable' };

export interface FetchJson {
  readonly fetch: typeof globalThis.fetch;
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

/**
 * Never rejects. Follows no redirect: an answer from elsewhere is not that of the service that was named. 'manual', because
 * Workers do not know 'error'; the status is then that of the redirect, or 0 in browsers.
 */
export async function fetchJson(
  { fetch, maxBytes, signal }: FetchJson,
  url: string,
  init: RequestInit = {},
): Promise<FetchedJson> {
  try {
    const response = await fetch(url, { ...init, redirect: 'manual', signal });
    const bytes = await readAtMost(response.body, maxBytes);
    const json = typeof bytes === 'string' ? undefined : parseJson(decodeUtf8(bytes));
    return { kind: 'answer', status: response.status, json };
  } catch {
    return { kind: 'unreachable' };
  }
}
