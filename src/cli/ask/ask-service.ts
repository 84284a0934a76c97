import { parseJson } from '../../core/x402/read-json.ts';
import type { CommandContext } from '../command-context.ts';
import { assumedUrl } from './assumed-url.ts';

/** The result of a request; a network failure is a result, not an exception. */
export type Asked =
  | {
      readonly kind: 'answered';
      readonly status: number;
      /** The body, raw and parsed. */
      readonly text: string;
      readonly json: unknown;
      readonly retryAfterSeconds: number | null;
      /** The PAYMENT-RESPONSE header. */
      readonly paymentResponse: string | null;
    }
  /** Completes the sentence "the service at …". */
  | { readonly kind: 'unreachable'; readonly why: string; readonly isRedirect?: true }
  | { readonly kind: 'stopped' };

export interface Service {
  readonly server: string;
  ask(
    path: string,
    parameters: Readonly<Record<string, string | null>>,
    headers?: Readonly<Record<string, string>>,
    /** JSON; makes it a POST. */
    body?: string,
  ): Promise<Asked>;
}

/** More than a page of 500 receipts with the longest URLs. */
const BODY_MAX_BYTES = 8_388_608;

/** What the self-test key is for; nothing else gets it. */
const METERED: ReadonlySet<string> = new Set(['/v1/lookup', '/v1/products/endpoint-spot-check']);

export function serviceAt(
  server: string,
  timeoutSeconds: number,
  { fetch: send, stop }: Pick<CommandContext, 'fetch' | 'stop'>,
  key: string | null = null,
): Service {
  return {
    server,
    async ask(path, parameters, headers = {}, body = undefined) {
      const query = queryText(parameters);
      const timeout = AbortSignal.timeout(timeoutSeconds * 1_000);
      const [route = ''] = path.split('?', 1);
      const exempt = key !== null && METERED.has(route) ? { authorization: `Bearer ${key}` } : {};
      try {
        const response = await send(`${server}${path}${query}`, {
          headers: {
            ...headers,
            ...exempt,
            accept: 'application/json',
            ...(body === undefined ? {} : JSON_BODY),
          },
          ...(body === undefined ? {} : { method: 'POST', body }),
          // Only the typed address is trusted; a redirect could lead anywhere.
          redirect: 'manual',
          signal: AbortSignal.any([timeout, stop]),
        });
        return await read(response);
      } catch (fault) {
        if (stop.aborted) return { kind: 'stopped' };
        if (timeout.aborted) return unreachable(`did not answer within ${timeoutSeconds} s`);
        return unreachable(`cannot be reached${codeOf(fault)}`);
      }
    },
  };
}

/** The service in this process. */
export function serviceHere({ askHere }: Pick<CommandContext, 'askHere'>): Service {
  return {
    server: 'this machine',
    async ask(path, parameters) {
      const { status, text } = await askHere(`${path}${queryText(parameters)}`);
      return {
        kind: 'answered',
        status,
        text,
        json: parseJson(text),
        retryAfterSeconds: null,
        paymentResponse: null,
      };
    },
  };
}

const JSON_BODY = { 'content-type': 'application/json' };

function queryText(parameters: Readonly<Record<string, string | null>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) if (value !== null) query.append(name, value);
  return query.size === 0 ? '' : `?${query}`;
}

async function read(response: Response): Promise<Asked> {
  const { status, headers } = response;
  if (status >= 300 && status <= 399) {
    await response.body?.cancel();
    const why = 'redirects elsewhere; pass its final address with --server';
    return { kind: 'unreachable', why, isRedirect: true };
  }
  const text = await bodyOf(response);
  if (text === null) return unreachable('sent an answer that is too large');
  const json = parseJson(text);
  if (json === undefined) return unreachable('does not answer in JSON; is it an Assay service?');
  const seconds = headers.get('retry-after') ?? '';
  const retryAfterSeconds = /^[0-9]{1,6}$/.test(seconds) ? Number(seconds) : null;
  const paymentResponse = headers.get('payment-response');
  return { kind: 'answered', status, text, json, retryAfterSeconds, paymentResponse };
}

async function bodyOf({ body }: Response): Promise<string | null> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > BODY_MAX_BYTES) return null; // Leaving the loop closes the connection.
    chunks.push(chunk);
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}

function unreachable(why: string): Asked {
  return { kind: 'unreachable', why };
}

/** The system's error code, such as ECONNREFUSED; never a library's message. */
function codeOf(fault: unknown): string {
  const cause = fault instanceof Error ? fault.cause : null;
  const code = cause instanceof Error && 'code' in cause ? cause.code : null;
  return typeof code === 'string' && /^[A-Z0-9_]{2,40}$/.test(code) ? ` (${code})` : '';
}

/** The address of a service: an origin, without a path or a password. */
export function readServer(text: string): string | null {
  const address = assumedUrl(text) ?? text;
  if (!URL.canParse(address)) return null;
  const { protocol, pathname, search, hash, username, password, origin } = new URL(address);
  const bare = pathname === '/' && [search, hash, username, password].join('') === '';
  return bare && (protocol === 'http:' || protocol === 'https:') ? origin : null;
}
