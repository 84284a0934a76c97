import { countingOutcome } from '../../core/lint/lint.ts';
import type { Inspect, Inspection, Look, Seen } from '../../core/lint/seen.ts';
import type { TargetUrl } from '../../core/url/target-url.ts';
import type { ProbeMethod, ProbeOutcome } from '../../core/verdict/probe-outcome.ts';
import type { Prober } from '../../ports/prober.ts';

/** How a lint reaches its target: probes as everywhere, and the few requests that only a lint sends. */
export interface LintOutbound {
  readonly prober: Prober;
  readonly inspect: Inspect;
}

export interface Asked {
  readonly target: TargetUrl;
  readonly method: ProbeMethod;
  /** JSON for a second POST. */
  readonly input: string | null;
}

export interface LookedAround {
  readonly seen: Seen;
  readonly requests: number;
}

/** At most seven requests, one after the other; without a 402 only the first ones. */
export async function lookAround(
  { target, method, input }: Asked,
  { prober, inspect }: LintOutbound,
  stop: AbortSignal,
): Promise<LookedAround> {
  const sent = { requests: 0 };
  const probe = (body?: string): Promise<ProbeOutcome> => {
    sent.requests += 1;
    return prober.probe({ target, method, ...(body === undefined ? {} : { body }) });
  };
  const look = async (inspection: Inspection): Promise<Look | null> => {
    if (stop.aborted) return null;
    sent.requests += 1;
    return inspect(inspection);
  };
  const bare = await probe();
  const isReached = bare.kind === 'answered' && !stop.aborted;
  const withInput = isReached && input !== null ? await probe(input) : null;
  const counting = countingOutcome({ bare, withInput });
  const nothing = { browser: null, preflight: null, head: null, openapi: null, wellKnown: null };
  const seen = { target, method, hasHeaders: true, bare, withInput, ...nothing };
  if (counting.kind !== 'answered' || counting.status !== 402) return { seen, requests: sent.requests };
  const body = counting === withInput && input !== null ? input : '{}';
  const all: Seen = {
    ...seen,
    browser: await look({ kind: 'browser', target, method, body }),
    preflight: await look({ kind: 'preflight', target, method }),
    // HEAD stands for GET and says nothing about POST.
    head: method === 'GET' ? await look({ kind: 'head', target }) : null,
    openapi: await look({ kind: 'document', target, path: '/openapi.json' }),
    wellKnown: await look({ kind: 'document', target, path: '/.well-known/x402' }),
  };
  return { seen: all, requests: sent.requests };
}
