import { type Dispatcher, errors } from 'undici';
import { type HeaderFields, headerValues } from '../../core/header-values.ts';
import {
  ANSWER_DRAIN_BYTES_MAX,
  ANSWER_DRAIN_MS,
  ANSWER_HEADER_FIELDS_MAX,
  ANSWER_INFORMATIONAL_MAX,
  CHALLENGE_BODY_MAX_BYTES,
  REFUSAL_BODY_MAX_BYTES,
} from '../../core/limits.ts';
import { decodeUtf8 } from '../../core/x402/base64.ts';
import { mayBecomeObject } from '../../core/x402/read-document.ts';
import { boundedBody } from './bounded-body.ts';
import { contentCodings } from './decode-body.ts';

/** One request and its answer over one connection, as far as it got. */
export type Exchange =
  | Answer
  | { readonly kind: 'headers_too_large' }
  | { readonly kind: 'kept_waiting' }
  | { readonly kind: 'broken'; readonly cause: 'connection_failed' | 'not_http' };

export interface Answer {
  readonly kind: 'answer';
  readonly status: number;
  readonly headers: HeaderFields;
  /** As received, still encoded. */
  readonly body: Uint8Array;
  readonly bodyComplete: boolean;
}

export interface AnswerReader {
  readonly handler: Dispatcher.DispatchHandler;
  readonly outOfTime: () => void;
}

export interface AnswerReaderParts {
  /** Whether another request may follow: then a body that nobody reads is let through, if it is short. */
  readonly drains: boolean;
  /** Told once. `isPlain`: the answer came to its end, and nothing came before it. */
  readonly settle: (exchange: Exchange, isPlain: boolean) => void;
}

/** `enough`: the rest of the body is not read, because nobody needs it. */
type End = 'whole' | 'enough' | 'cut_off';

/**
 * Reads no more than it needs: a body stops at its limit, and without a 402 the status is all, except that a refusal of the input
 * may name what is missing.
 */
export function answerReader({ drains, settle }: AnswerReaderParts): AnswerReader {
  const body = boundedBody(CHALLENGE_BODY_MAX_BYTES);
  const state = { informational: 0, drained: 0, isSettled: false };
  let head: Pick<Answer, 'status' | 'headers'> | null = null;
  let drainTimer: NodeJS.Timeout | undefined;
  const once = (exchange: Exchange, isPlain = false): void => {
    clearTimeout(drainTimer);
    if (state.isSettled) return;
    state.isSettled = true;
    settle(exchange, isPlain && state.informational === 0);
  };
  const finish = (end: End, otherwise: Exchange): void => {
    const isPlain = end === 'whole';
    const bodyComplete = end !== 'cut_off';
    const received = body.bytes();
    if (head === null) once(otherwise);
    else if (head.status !== 402) {
      // Half of an explanation is none.
      const said = isPlain && state.drained <= REFUSAL_BODY_MAX_BYTES ? received : new Uint8Array();
      once({ kind: 'answer', ...head, body: said, bodyComplete: true }, isPlain);
    } else if (bodyComplete || isBodyIrrelevant(head.headers, received)) {
      once({ kind: 'answer', ...head, body: received, bodyComplete }, isPlain);
    } else once(otherwise);
  };
  const enough = () => finish('enough', KEPT_WAITING);
  const handler: Dispatcher.DispatchHandler = {
    onRequestStart() {},
    onResponseStart(controller, status) {
      const headers = headerPairs(controller.rawHeaders);
      if (status < 200) {
        state.informational += 1;
        if (state.informational > ANSWER_INFORMATIONAL_MAX) once(KEPT_WAITING);
      } else if (headers.length > ANSWER_HEADER_FIELDS_MAX) {
        once({ kind: 'headers_too_large' });
      } else {
        head = { status, headers };
        if (status === 402) return;
        if (drains || explainsItself(status)) drainTimer = setTimeout(enough, ANSWER_DRAIN_MS);
        else enough();
      }
    },
    onResponseData(controller, chunk) {
      if (head === null) return;
      if (head.status !== 402) {
        state.drained += chunk.byteLength;
        if (explainsItself(head.status) && state.drained <= REFUSAL_BODY_MAX_BYTES) body.append(chunk);
        if (state.drained <= (drains ? ANSWER_DRAIN_BYTES_MAX : REFUSAL_BODY_MAX_BYTES)) return;
        enough();
      } else if (body.append(chunk)) return;
      else once({ kind: 'answer', ...head, body: body.bytes(), bodyComplete: false });
      controller.pause();
    },
    onResponseEnd() {
      finish('whole', KEPT_WAITING);
    },
    onResponseError(_controller, fault) {
      finish('cut_off', failureOf(fault));
    },
  };
  return { handler, outOfTime: () => finish('cut_off', KEPT_WAITING) };
}

/** The statuses with which validators refuse input. */
function explainsItself(status: number): boolean {
  return status === 400 || status === 422;
}

const KEPT_WAITING = { kind: 'kept_waiting' } as const;

function failureOf(fault: Error): Exchange {
  if (fault instanceof errors.HeadersOverflowError) return { kind: 'headers_too_large' };
  return {
    kind: 'broken',
    cause: fault instanceof errors.HTTPParserError ? 'not_http' : 'connection_failed',
  };
}

/**
 * Terms in a complete header are known, and the rest need not be waited for when it is visibly no challenge. What may
 * still become one is: it could ask older clients for something else.
 */
function isBodyIrrelevant(headers: HeaderFields, beginning: Buffer): boolean {
  const hasTerms = headerValues(headers, 'payment-required').some((value) => value.trim() !== '');
  return hasTerms && contentCodings(headers).length === 0 && !mayBecomeObject(decodeUtf8(beginning));
}

/** Fields in the order they came, repeated ones apart; bytes are shown as Latin-1. */
function headerPairs(raw: unknown): [string, string][] {
  const parts = Array.isArray(raw)
    ? raw.map((part) => (Buffer.isBuffer(part) ? part.toString('latin1') : String(part)))
    : [];
  return Array.from({ length: Math.floor(parts.length / 2) }, (_, index) => [
    (parts[2 * index] ?? '').toLowerCase(),
    parts[2 * index + 1] ?? '',
  ]);
}
