import { BROWSER_HEADERS, BROWSER_ORIGIN } from '../../core/lint/http-findings.ts';
import type { Inspect, Inspection, Look } from '../../core/lint/seen.ts';
import { FetchFault } from './fetch-fault.ts';
import { createGatedFetch, type GatedFetchParts } from './gated-fetch.ts';

const DOCUMENT_MAX_BYTES = 1_048_576;

/**
 * The only way to send HEAD and OPTIONS, for the command that a seller runs: the gate, the dial and the deadline of every other
 * request, a closed list of requests, and no redirects. No flow of the service is handed it.
 */
export function createInspector(parts: Omit<GatedFetchParts, 'maxBytes'>): Inspect {
  return async (inspection) => {
    try {
      const [url, init] = requestOf(inspection);
      // A connection for each: one that the other side is about to close would look like a missing answer.
      const response = await createGatedFetch({ ...parts, maxBytes: DOCUMENT_MAX_BYTES })(url, init);
      return {
        kind: 'answered',
        status: response.status,
        headers: [...response.headers],
        body: await response.text(),
      };
    } catch (fault) {
      if (fault instanceof FetchFault) return { kind: 'failed', fault: faultOf(fault) };
      throw fault;
    }
  };
}

function requestOf(inspection: Inspection): [url: string, init: RequestInit] {
  const { href, scheme, authority } = inspection.target;
  switch (inspection.kind) {
    case 'browser':
      return [href, asPage(inspection)];
    case 'preflight':
      return [href, { method: 'OPTIONS', headers: preflightHeaders(inspection.method) }];
    case 'head':
      return [href, { method: 'HEAD' }];
    case 'document':
      return [`${scheme}://${authority}${inspection.path}`, { method: 'GET' }];
  }
}

function asPage({ method, body }: Extract<Inspection, { kind: 'browser' }>): RequestInit {
  const headers = { origin: BROWSER_ORIGIN };
  if (method === 'GET') return { method, headers };
  return { method, headers: { ...headers, 'content-type': 'application/json' }, body };
}

/** Names in small letters, in order, as browsers send them. */
function preflightHeaders(method: 'GET' | 'POST'): Record<string, string> {
  const names = method === 'POST' ? [...BROWSER_HEADERS, 'content-type'].sort() : BROWSER_HEADERS;
  return {
    origin: BROWSER_ORIGIN,
    'access-control-request-method': method,
    'access-control-request-headers': names.join(','),
  };
}

function faultOf({ kind }: FetchFault): Extract<Look, { kind: 'failed' }>['fault'] {
  if (kind === 'redirected') return kind;
  return kind === 'too_large' ? kind : 'no_answer';
}
