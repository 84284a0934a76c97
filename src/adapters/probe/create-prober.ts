import { headerValues } from '../../core/header-values.ts';
import { CHALLENGE_BODY_MAX_BYTES, REDIRECTS_MAX } from '../../core/limits.ts';
import { blockRule, mayDial } from '../../core/url/gate.ts';
import { sameHostRedirect } from '../../core/url/redirect.ts';
import type { TargetUrl } from '../../core/url/target-url.ts';
import type { ProbeOutcome } from '../../core/verdict/probe-outcome.ts';
import type { LocatingProber, Place, ProbeRequest } from '../../ports/prober.ts';
import type { Answer, Exchange } from './answer-reader.ts';
import { deadlineIn, unlessAborted } from './deadline.ts';
import { contentCodings, decodeBody } from './decode-body.ts';
import type { ExchangeRequest } from './http-connection.ts';
import { type Located, type LocateParts, locate } from './locate.ts';
import { type Connection, type ConnectionParts, openConnection } from './open-connection.ts';

/** Everything that touches the world is handed in; no setting widens the policy. */
export interface ProberParts extends ConnectionParts, LocateParts {
  /** Names the service and a page where a target can read who sends its requests. */
  readonly userAgent: string;
}

/** How a host is found and asked. */
export interface Way {
  readonly locate: (target: TargetUrl, signal: AbortSignal) => Promise<Located>;
  /** One request to one of the addresses, all of which were checked for the port of the target. */
  readonly ask: (request: ExchangeRequest, addresses: readonly string[]) => Promise<Exchange | NoConnection>;
}

type NoConnection = Exclude<Connection, { readonly kind: 'open' }>;

/** One unpaid request that cannot be turned against anybody: checked, pinned, bounded, and over at its deadline. */
export function createProber(parts: ProberParts): LocatingProber {
  const way: Way = {
    locate: (target, signal) => locate(target, parts, signal),
    ask: (request, addresses) => askOnce(request, addresses, parts),
  };
  return {
    locate: (target) => locateBy(way, target, parts),
    probe: (request, place) => probeBy(way, request, parts, place),
  };
}

/** Its time counts towards the time limit of the probe. */
export async function locateBy(way: Way, target: TargetUrl, parts: ProberParts): Promise<Place> {
  if (blockRule(target, parts.policy) !== null) return { kind: 'nowhere', outcome: { kind: 'blocked' } };
  const from = performance.now();
  const deadline = deadlineIn(parts.timeoutMs);
  try {
    const located = await way.locate(target, deadline.signal);
    if (located.kind !== 'located') return { kind: 'nowhere', outcome: located };
    const leftMs = Math.max(0, parts.timeoutMs - (performance.now() - from));
    return { host: target.host, leftMs, ...located };
  } finally {
    deadline.close();
  }
}

/** Every probe goes this way, on whatever connections. The name is resolved once, and dialled is what was found then. */
export async function probeBy(
  way: Way,
  request: ProbeRequest,
  parts: ProberParts,
  found?: Place,
): Promise<ProbeOutcome> {
  const place = found ?? (await locateBy(way, request.target, parts));
  if (place.kind === 'nowhere') return place.outcome;
  const { target } = request;
  if (place.host !== target.host) throw new Error('the place of another host');
  const isAllowed =
    blockRule(target, parts.policy) === null && mayDial(place.addresses, target.port, parts.policy);
  if (!isAllowed) return { kind: 'blocked' };
  const deadline = deadlineIn(place.leftMs);
  try {
    return await probeWithin(way, request, place.addresses, parts, deadline.signal);
  } finally {
    deadline.close();
  }
}

async function probeWithin(
  way: Way,
  { target: asked, method, body = '{}' }: ProbeRequest,
  addresses: readonly string[],
  { policy, userAgent }: ProberParts,
  signal: AbortSignal,
): Promise<ProbeOutcome> {
  let target = asked;
  for (let hop = 0; ; hop += 1) {
    if (signal.aborted) return { kind: 'timed_out' };
    const request = { target, method, body, userAgent, signal };
    const outcome = await outcomeOf(await way.ask(request, addresses), signal);
    if (outcome.kind !== 'answered' || hop === REDIRECTS_MAX) return outcome;
    const answer = {
      status: outcome.status,
      locations: headerValues(outcome.headers, 'location').map(asUtf8),
    };
    const next = sameHostRedirect(target, method, answer);
    if (next === null) return outcome;
    // The host is the same, so its addresses are: the name is never asked a second time, but a new port is checked.
    const allowed = blockRule(next, policy) === null && mayDial(addresses, next.port, policy);
    if (!allowed) return { kind: 'blocked' };
    target = next;
  }
}

export async function askOnce(
  request: ExchangeRequest,
  addresses: readonly string[],
  parts: ProberParts,
): Promise<Exchange | NoConnection> {
  const { target, signal } = request;
  // Loaded with the first probe: the HTTP client behind it is large, and a start does not need it.
  const { httpOver } = await import('./http-connection.ts');
  const dialled = await openConnection(target, addresses, parts, signal);
  if (dialled.kind !== 'open') return dialled;
  const connection = httpOver(dialled.socket, { target, keeps: false });
  try {
    return asBroken(await connection.exchange(request));
  } finally {
    connection.close();
  }
}

/** Where there is no other connection to try, one that is gone is a broken one. */
export function asBroken(exchange: Exchange | { readonly kind: 'gone' }): Exchange {
  return exchange.kind === 'gone' ? { kind: 'broken', cause: 'connection_failed' } : exchange;
}

function outcomeOf(
  result: Exchange | NoConnection,
  signal: AbortSignal,
): ProbeOutcome | Promise<ProbeOutcome> {
  switch (result.kind) {
    case 'answer':
      return answered(result, signal);
    case 'timed_out':
    case 'kept_waiting':
      return { kind: 'timed_out' };
    case 'headers_too_large':
      return result;
    case 'broken':
      return { kind: 'unreachable', cause: result.cause };
    case 'connection_failed':
    case 'tls_failed':
      return { kind: 'unreachable', cause: result.kind };
  }
}

/** Only a 402, and a plain refusal of the input, have a body that anybody reads. Decoding counts against the deadline like everything else. */
async function answered(
  { status, headers, body, bodyComplete }: Answer,
  signal: AbortSignal,
): Promise<ProbeOutcome> {
  const head = { kind: 'answered', status, headers } as const;
  const codings = contentCodings(headers);
  if (status !== 402) return { body: codings.length === 0 ? body : new Uint8Array(), bodyComplete, ...head };
  if (codings.length === 0) return { body, bodyComplete, ...head };
  const decoded = isPlainJson(body)
    ? null
    : await unlessAborted(signal, decodeBody(body, codings, CHALLENGE_BODY_MAX_BYTES));
  if (decoded !== null) return { body: decoded, bodyComplete, ...head };
  // What was not decoded in time may still ask for something else, like a body that came late (gap L05).
  return signal.aborted ? { kind: 'timed_out' } : { ...head, body: new Uint8Array(), bodyComplete: false };
}

/** For a client that does not know the coding: an object, or a list of its members, also in UTF-16. A text can be valid brotli, too. */
function isPlainJson(encoded: Uint8Array): boolean {
  return /^\s*(?:\{|\[\s*1\b)/.test(Buffer.from(encoded).toString('latin1').replaceAll('\0', ''));
}

/** Sellers write addresses in UTF-8; what is not valid as such is taken byte by byte. */
function asUtf8(latin1: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(latin1, 'latin1'));
  } catch {
    return latin1;
  }
}
