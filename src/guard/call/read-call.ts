import type { SentPayment } from '../payment/signed-payment.ts';
import { type Call, type CallScope, callOf } from './call.ts';
import { type AssayInit, readScope, SCOPE_HEADERS } from './call-scope.ts';
import { credentialsIn } from './credentials.ts';
import { type CallBody, type FetchInput, readBody, requestIn } from './read-body.ts';
import { baseUrl, readUrl } from './read-url.ts';

/** As many as a probe follows within an origin (gap G45). */
export const HOPS_MAX = 2;

export interface GuardedInit extends RequestInit {
  readonly assay?: AssayInit;
}

export type ReadCall = HttpCall | OtherCall;

interface AnyCall {
  /** As the caller gave it, where it is no http or https URL. */
  readonly address: string;
  readonly method: string;
  readonly paymentSignature: string | null;
  readonly xPayment: string | null;
  /** Sends the request as the caller meant it, without what was meant for the guard. */
  send(fetch: typeof globalThis.fetch): Promise<Response>;
}

/** A request to something else than HTTP, or to an address that only the fetch below can read. */
export interface OtherCall extends AnyCall {
  readonly url: null;
}

/** An HTTP request as the guard sees it. */
export interface HttpCall extends AnyCall {
  readonly url: URL;
  readonly signal: AbortSignal | null;
  /** Who it is to the ledger. Most requests cost nothing and are never asked. */
  identify(): Promise<Call>;
  /**
   * The same request with this payment, as often as necessary; null sends it without one, the same way. Follows so many redirects,
   * and only within the origin.
   */
  sendPaid(fetch: typeof globalThis.fetch, payment: SentPayment | null, hops: number): Promise<Response>;
}

export function readCall(input: FetchInput, init: GuardedInit | undefined, scope: CallScope): ReadCall {
  const request = requestIn(input);
  const base = baseUrl();
  const text = request?.url ?? String(input);
  const url = readUrl(text, base);
  const given = init?.headers === undefined ? (request?.headers ?? null) : new Headers(init.headers);
  const isChanged = init?.assay !== undefined || isForGuard(given) || isReadOnce(init?.headers);
  const headers = isChanged ? cleaned(given) : null;
  // The address that is judged is the one that is asked, whatever base the fetch below has.
  const target = url === null || request !== null || base === undefined ? input : url.href;
  const method = (init?.method ?? request?.method ?? 'GET').toUpperCase();
  const call: AnyCall = {
    address: url?.href ?? text,
    method,
    paymentSignature: given?.get('payment-signature') ?? null,
    xPayment: given?.get('x-payment') ?? null,
    send: (fetch) => (headers === null ? fetch(target, init) : fetch(target, { ...init, headers })),
  };
  if (url === null) return { ...call, url };
  const body = readBody(input, init, given);
  return {
    url,
    signal: init?.signal ?? request?.signal ?? null,
    async identify() {
      const { bodySha256, isRepeatable } = identityOf(await body);
      const credentials = credentialsIn(given);
      return callOf({
        ...readScope(init?.assay, given, scope),
        url,
        method,
        bodySha256,
        isRepeatable,
        credentials,
      });
    },
    async sendPaid(fetch, payment, hops) {
      const paid = paidInit({ init, request, given, method, body: await body, payment });
      // Through the Request itself: only it knows its proxy, its cache and whatever else it was made with.
      const response = await fetch(request ?? url, paid);
      return followWithin(fetch, { response, url, init: paid, hops });
    },
    // Last: members that follow a spread are added one by one.
    ...call,
  };
}

function identityOf(body: CallBody): Pick<Call, 'bodySha256' | 'isRepeatable'> {
  return { bodySha256: body.kind === 'bytes' ? body.sha256 : null, isRepeatable: body.kind !== 'stream' };
}

const FOR_GUARD = Object.values(SCOPE_HEADERS);

function isForGuard(headers: Headers | null): boolean {
  return headers !== null && FOR_GUARD.some((name) => headers.has(name));
}

/** An iterator is used up once its headers have been read. */
function isReadOnce(headers: RequestInit['headers']): boolean {
  return typeof headers === 'object' && 'next' in headers && Symbol.iterator in headers;
}

function cleaned(given: Headers | null): Headers {
  const headers = new Headers(given ?? undefined);
  for (const name of FOR_GUARD) headers.delete(name);
  return headers;
}

interface Paid {
  readonly init: GuardedInit | undefined;
  readonly request: Request | null;
  readonly given: Headers | null;
  readonly method: string;
  readonly body: CallBody;
  readonly payment: SentPayment | null;
}

function paidInit({ init, request, given, method, body, payment }: Paid): RequestInit {
  const headers = cleaned(given);
  headers.delete('payment-signature');
  headers.delete('x-payment');
  if (payment !== null) headers.set(payment.header, payment.value);
  if (body.kind === 'bytes' && body.type !== null && !headers.has('content-type')) {
    headers.set('content-type', body.type);
  }
  return {
    ...(request === null ? {} : { credentials: request.credentials }),
    ...init,
    method,
    headers,
    body: body.kind === 'bytes' ? body.bytes : null,
    redirect: 'manual',
    signal: init?.signal ?? request?.signal ?? null,
  };
}

interface Following {
  readonly response: Response;
  readonly url: URL;
  readonly init: RequestInit;
  readonly hops: number;
}

async function followWithin(
  fetch: typeof globalThis.fetch,
  { response, url, init, hops }: Following,
): Promise<Response> {
  const next = hops === 0 ? null : nextWithin(response, url, init.method ?? 'GET');
  if (next === null) return response;
  response.body?.cancel().catch(() => {});
  return followWithin(fetch, { response: await fetch(next, init), url: next, init, hops: hops - 1 });
}

const KEEPS_METHOD: ReadonlySet<number> = new Set([307, 308]);

/** Null unless the same request belongs to another path of the same origin. */
function nextWithin({ status, headers }: Response, url: URL, method: string): URL | null {
  const location = headers.get('location');
  if (status < 300 || status > 399 || location === null || !URL.canParse(location, url.href)) return null;
  const next = new URL(location, url);
  const isSameRequest = KEEPS_METHOD.has(status) || method === 'GET' || method === 'HEAD';
  return isSameRequest && next.origin === url.origin ? next : null;
}
