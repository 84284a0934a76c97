import { parseJson } from '../../core/x402/read-json.ts';

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

/** Null beyond the limit. */
async function readText(response: Response, maxBytes: number): Promise<string | null> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.byteLength;
    // Leaving the loop cancels the rest.
    if (length > maxBytes || chunks.length >= CHUNKS_MAX) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

const CHUNKS_MAX = 4_096;
