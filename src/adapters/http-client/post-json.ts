import { parseJson } from '../../core/x402/read-json.ts';
import { readText } from './read-text.ts';

export interface Post {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
  readonly timeoutMs: number;
  readonly maxBytes: number;
}

export type Posted =
  | { readonly kind: 'answered'; readonly status: number; readonly json: unknown }
  /** No connection, timeout, too large, or a redirect: the request may still have arrived. */
  | { readonly kind: 'failed' };

/** One bounded request. Errors of the library are not passed on: they name hosts and ports. */
export async function postJson({ url, headers, body, timeoutMs, maxBytes }: Post): Promise<Posted> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
      // A payment does not follow redirects.
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    });
    const text = await readText(response, maxBytes);
    if (text === null) return { kind: 'failed' };
    return { kind: 'answered', status: response.status, json: parseJson(text) };
  } catch {
    return { kind: 'failed' };
  }
}
