import type { Agent, Dispatcher } from 'undici';
import type { HeaderFields } from '../../core/header-values.ts';
import { ANSWER_HEADER_FIELDS_MAX, ANSWER_INFORMATIONAL_MAX } from '../../core/limits.ts';
import type { TargetUrl } from '../../core/url/target-url.ts';
import { boundedBody } from './bounded-body.ts';
import { FetchFault } from './fetch-fault.ts';

export interface Outgoing {
  readonly target: TargetUrl;
  readonly method: string;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Uint8Array | null;
}

export interface Received {
  readonly status: number;
  readonly headers: HeaderFields;
  /** As received, still encoded. */
  readonly body: Uint8Array;
}

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** Writes the request to one connection, once, and reads the whole answer. Throws a FetchFault and nothing else. */
export function sendOnce(
  agent: Agent,
  { target, method, headers, body }: Outgoing,
  maxBytes: number,
  signal: AbortSignal,
): Promise<Received> {
  if (signal.aborted) return Promise.reject(new FetchFault('timed_out', false));
  return new Promise((resolve, reject) => {
    const reader = answerReader(maxBytes, signal, { resolve, reject });
    agent.dispatch(
      {
        origin: `${target.scheme}://${target.authority}`,
        path: target.pathAndQuery,
        method,
        headers: Object.fromEntries(headers),
        body,
      },
      reader,
    );
  });
}

interface Settle {
  readonly resolve: (received: Received) => void;
  readonly reject: (fault: FetchFault) => void;
}

function answerReader(
  maxBytes: number,
  signal: AbortSignal,
  { resolve, reject }: Settle,
): Dispatcher.DispatchHandler {
  const body = boundedBody(maxBytes);
  let sending: Dispatcher.DispatchController | null = null;
  let head: Omit<Received, 'body'> | null = null;
  let informational = 0;
  const fail = (kind: FetchFault['kind']): void => {
    signal.removeEventListener('abort', outOfTime);
    const fault = new FetchFault(kind, sending !== null);
    reject(fault);
    sending?.abort(fault);
  };
  const outOfTime = () => fail('timed_out');
  signal.addEventListener('abort', outOfTime, { once: true });
  return {
    onRequestStart(controller) {
      // A request that waited for its connection too long is not sent any more, and none is sent a second time.
      if (signal.aborted || sending !== null) controller.abort(new FetchFault('timed_out', sending !== null));
      else sending = controller;
    },
    onResponseStart(_controller, status, fields) {
      if (status < 200) {
        informational += 1;
        if (informational > ANSWER_INFORMATIONAL_MAX) fail('broken');
        return;
      }
      if (REDIRECTS.has(status)) return fail('redirected');
      head = { status, headers: pairsOf(fields) };
      if (head.headers.length > ANSWER_HEADER_FIELDS_MAX) fail('too_large');
    },
    onResponseData(_controller, chunk) {
      if (!body.append(chunk)) fail('too_large');
    },
    onResponseEnd() {
      signal.removeEventListener('abort', outOfTime);
      if (head === null) fail('broken');
      else resolve({ ...head, body: body.bytes() });
    },
    onResponseError(_controller, fault) {
      fail(fault instanceof FetchFault ? fault.kind : 'broken');
    },
  };
}

function pairsOf(fields: Readonly<Record<string, string | string[] | undefined>>): [string, string][] {
  return Object.entries(fields).flatMap(([name, value = []]) =>
    [value].flat().map((one): [string, string] => [name, one]),
  );
}
