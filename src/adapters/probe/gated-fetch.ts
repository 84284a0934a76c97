import type { Socket } from 'node:net';
import { Agent, type buildConnector } from 'undici';
import { CHALLENGE_HEADER_MAX_CHARS } from '../../core/limits.ts';
import { blockRule } from '../../core/url/gate.ts';
import { parseTargetUrl, type TargetUrl } from '../../core/url/target-url.ts';
import { deadlineIn, unlessAborted } from './deadline.ts';
import { contentCodings, decodeBody } from './decode-body.ts';
import { FetchFault } from './fetch-fault.ts';
import { type LocateParts, locate } from './locate.ts';
import { type ConnectionParts, openConnection } from './open-connection.ts';
import { type Outgoing, type Received, sendOnce } from './send-once.ts';

export interface GatedFetchParts extends ConnectionParts, LocateParts {
  /** What a whole answer may hold, before and after decoding. */
  readonly maxBytes: number;
  readonly userAgent: string;
}

/** Rejects with a FetchFault and nothing else. */
export type GatedFetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

/** Enough for a runner that asks one after the other; a host never sees more of us at once. */
const CONNECTIONS_PER_HOST = 4;
/** Long enough for a challenge, a signature and the paid request; short enough that no server closes it while we use it. */
const KEEP_ALIVE_MS = 1_000;

/**
 * fetch that reaches the public web only: every connection goes through the gate of the prober, pinned to the checked
 * address; redirects are faults; one deadline covers everything up to the last byte of the body.
 */
export function createGatedFetch(parts: GatedFetchParts): GatedFetch {
  const underWay = callsByOrigin();
  const agent = new Agent({
    connect: gatedConnector(parts, underWay),
    connections: CONNECTIONS_PER_HOST,
    pipelining: 1,
    allowH2: false,
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MS,
    maxHeaderSize: CHALLENGE_HEADER_MAX_CHARS,
    // Idle timers bound nothing: a byte now and then keeps them from firing. The one deadline is the signal.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  return async (input, init) => {
    const { target, request } = readRequest(input, init, parts);
    const deadline = deadlineIn(parts.timeoutMs, request.signal);
    underWay.add(target);
    try {
      const outgoing = await outgoingOf(target, request, parts.userAgent, deadline.signal);
      const received = await sendOnce(agent, outgoing, parts.maxBytes, deadline.signal);
      return await responseOf(received, parts.maxBytes, deadline.signal);
    } catch (fault) {
      // The signal tells only that it is over; whether the caller ended it or the clock did is known here.
      if (fault instanceof FetchFault && fault.kind === 'timed_out' && request.signal.aborted) {
        throw new FetchFault('cancelled', fault.sent);
      }
      throw fault;
    } finally {
      underWay.remove(target);
      deadline.close();
    }
  };
}

interface CallsByOrigin {
  add(target: TargetUrl): void;
  remove(target: TargetUrl): void;
  has(target: TargetUrl): boolean;
}

function callsByOrigin(): CallsByOrigin {
  const counts = new Map<string, number>();
  const keyOf = ({ scheme, authority }: TargetUrl) => `${scheme}://${authority}`;
  return {
    add: (target) => counts.set(keyOf(target), (counts.get(keyOf(target)) ?? 0) + 1),
    remove: (target) => {
      const left = (counts.get(keyOf(target)) ?? 1) - 1;
      if (left === 0) counts.delete(keyOf(target));
      else counts.set(keyOf(target), left);
    },
    has: (target) => counts.has(keyOf(target)),
  };
}

/** The URL is read by our parser before any other sees it, and the gate's word is final. */
function readRequest(
  input: string | URL | Request,
  init: RequestInit | undefined,
  { policy }: GatedFetchParts,
): { target: TargetUrl; request: Request } {
  const reading = parseTargetUrl(input instanceof Request ? input.url : String(input));
  if (reading.kind === 'invalid') throw new FetchFault('bad_request', false);
  if (blockRule(reading.target, policy) !== null) throw new FetchFault('blocked', false);
  try {
    return {
      target: reading.target,
      request: new Request(input instanceof Request ? input : reading.target.href, init),
    };
  } catch {
    throw new FetchFault('bad_request', false);
  }
}

/** What belongs to one connection, or is ours to say. */
const OWN_HEADERS: ReadonlySet<string> = new Set([
  'accept-encoding',
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'proxy-authorization',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'user-agent',
]);

async function outgoingOf(
  target: TargetUrl,
  request: Request,
  userAgent: string,
  signal: AbortSignal,
): Promise<Outgoing> {
  const given = [...request.headers].filter(([name]) => !OWN_HEADERS.has(name));
  const headers = new Map([
    ['user-agent', userAgent],
    ['accept', 'application/json, */*;q=0.1'],
    ['accept-encoding', 'identity'],
    ...given,
  ]);
  return { target, method: request.method, headers, body: await bodyOf(request, signal) };
}

async function bodyOf(request: Request, signal: AbortSignal): Promise<Uint8Array | null> {
  if (request.body === null) return null;
  const reading = request.arrayBuffer().catch(() => {
    throw new FetchFault('bad_request', false);
  });
  const bytes = await unlessAborted(signal, reading);
  if (bytes === null) throw new FetchFault('timed_out', false);
  return new Uint8Array(bytes);
}

/** One look-up, one check and one dial per connection; whatever is asked over it later goes to the same address. */
function gatedConnector(parts: GatedFetchParts, underWay: CallsByOrigin): buildConnector.connector {
  return ({ protocol, host = '' }, callback) => {
    connectTo(`${protocol}//${host}`, parts, underWay).then(
      (socket) => callback(null, socket),
      (fault: unknown) =>
        callback(fault instanceof FetchFault ? fault : new FetchFault('unreachable', false), null),
    );
  };
}

async function connectTo(origin: string, parts: GatedFetchParts, underWay: CallsByOrigin): Promise<Socket> {
  const reading = parseTargetUrl(origin);
  if (reading.kind === 'invalid') throw new FetchFault('bad_request', false);
  // The library opens a new connection in place of one that was cut, even when nobody is waiting for it.
  if (!underWay.has(reading.target)) throw new FetchFault('cancelled', false);
  const deadline = deadlineIn(parts.timeoutMs);
  try {
    const located = await locate(reading.target, parts, deadline.signal);
    if (located.kind !== 'located') throw new FetchFault(located.kind, false);
    const connection = await openConnection(reading.target, located.addresses, parts, deadline.signal);
    if (connection.kind === 'open') return connection.socket;
    throw new FetchFault(connection.kind === 'connection_failed' ? 'unreachable' : connection.kind, false);
  } finally {
    deadline.close();
  }
}

const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

/** A Response of the platform, complete: nothing of it can arrive late or grow. */
async function responseOf(
  { status, headers, body }: Received,
  maxBytes: number,
  signal: AbortSignal,
): Promise<Response> {
  const codings = contentCodings(headers);
  const plain = await unlessAborted(signal, decodeBody(body, codings, maxBytes));
  if (plain === null) throw new FetchFault(signal.aborted ? 'timed_out' : 'undecodable', true);
  try {
    const fields = new Headers();
    for (const [name, value] of headers) fields.append(name, value);
    if (codings.length > 0) {
      fields.delete('content-encoding');
      fields.delete('content-length');
    }
    return new Response(WITHOUT_BODY.has(status) ? null : plain, { status, headers: fields });
  } catch {
    throw new FetchFault('broken', true);
  }
}
