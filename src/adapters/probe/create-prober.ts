import { headerValues } from '../../core/header-values.ts';
import { CHALLENGE_BODY_MAX_BYTES, REDIRECTS_MAX } from '../../core/limits.ts';
import { blockRule, mayDial } from '../../core/url/gate.ts';
import { sameHostRedirect } from '../../core/url/redirect.ts';
import type { ProbeOutcome } from '../../core/verdict/probe-outcome.ts';
import type { ProbeRequest, Prober } from '../../ports/prober.ts';
import { deadlineIn, unlessAborted } from './deadline.ts';
import { contentCodings, decodeBody } from './decode-body.ts';
import { type Answer, exchange } from './exchange.ts';
import { type LocateParts, locate } from './locate.ts';
import { type ConnectionParts, openConnection } from './open-connection.ts';

/** Everything that touches the world is handed in; no setting widens the policy. */
export interface ProberParts extends ConnectionParts, LocateParts {
  /** Names the service and a page where a target can read who is knocking. */
  readonly userAgent: string;
}

/** One unpaid request that cannot be turned against anybody: checked, pinned, bounded, and over at its deadline. */
export function createProber(parts: ProberParts): Prober {
  return {
    async probe(request) {
      const deadline = deadlineIn(parts.timeoutMs);
      try {
        return await probeWithin(request, parts, deadline.signal);
      } finally {
        deadline.close();
      }
    },
  };
}

async function probeWithin(
  request: ProbeRequest,
  parts: ProberParts,
  signal: AbortSignal,
): Promise<ProbeOutcome> {
  if (blockRule(request.target, parts.policy) !== null) return { kind: 'blocked' };
  const located = await locate(request.target, parts, signal);
  if (located.kind !== 'located') return located;
  let target = request.target;
  for (let hop = 0; ; hop += 1) {
    if (signal.aborted) return { kind: 'timed_out' };
    const outcome = await ask({ ...request, target }, located.addresses, parts, signal);
    if (outcome.kind !== 'answered' || hop === REDIRECTS_MAX) return outcome;
    const answer = {
      status: outcome.status,
      locations: headerValues(outcome.headers, 'location').map(asUtf8),
    };
    const next = sameHostRedirect(target, request.method, answer);
    if (next === null) return outcome;
    // The host is the same, so its addresses are: the name is never asked a second time, but a new port is checked.
    const allowed =
      blockRule(next, parts.policy) === null && mayDial(located.addresses, next.port, parts.policy);
    if (!allowed) return { kind: 'blocked' };
    target = next;
  }
}

async function ask(
  { target, method, body = '{}' }: ProbeRequest,
  addresses: readonly string[],
  parts: ProberParts,
  signal: AbortSignal,
): Promise<ProbeOutcome> {
  const connection = await openConnection(target, addresses, parts, signal);
  if (connection.kind === 'timed_out') return connection;
  if (connection.kind !== 'open') return { kind: 'unreachable', cause: connection.kind };
  const result = await exchange(connection.socket, {
    target,
    method,
    body,
    userAgent: parts.userAgent,
    signal,
  });
  switch (result.kind) {
    case 'answer':
      return answered(result, signal);
    case 'kept_waiting':
      return { kind: 'timed_out' };
    case 'headers_too_large':
      return result;
    case 'broken':
      return { kind: 'unreachable', cause: result.cause };
  }
}

/** Only a 402 has a body that anybody reads. Decoding counts against the deadline like everything else. */
async function answered(
  { status, headers, body, bodyComplete }: Answer,
  signal: AbortSignal,
): Promise<ProbeOutcome> {
  const head = { kind: 'answered', status, headers } as const;
  if (status !== 402) return { ...head, body: new Uint8Array(), bodyComplete };
  const codings = contentCodings(headers);
  if (codings.length === 0) return { ...head, body, bodyComplete };
  const decoded = await unlessAborted(signal, decodeBody(body, codings, CHALLENGE_BODY_MAX_BYTES));
  if (decoded !== null) return { ...head, body: decoded, bodyComplete };
  // What was not decoded in time may still ask for something else, like a body that came late (gap L05).
  return signal.aborted ? { kind: 'timed_out' } : { ...head, body: new Uint8Array(), bodyComplete: false };
}

/** Sellers write addresses in UTF-8; what is not valid as such is taken byte by byte. */
function asUtf8(latin1: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(latin1, 'latin1'));
  } catch {
    return latin1;
  }
}
