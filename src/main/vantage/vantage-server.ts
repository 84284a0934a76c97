import type { IncomingMessage, Server } from 'node:http';
import { REQUEST_MAX_BYTES } from '../../core/vantage/vantage-limits.ts';
import type { Vantage, VantageAnswer } from '../../flows/vantage/create-vantage.ts';
import { createPlainServer, type PlainAnswer, readText, said } from '../witness/plain-http.ts';

/** Behind a proxy, all clients have one address. */
const REQUESTS_PER_SECOND = 500;

export interface VantageServerParts {
  readonly vantage: Vantage;
  readonly stopwatch: () => number;
  /** What targets read who look up the user agent. */
  readonly about: string;
  readonly onFault: (fault: unknown) => void;
}

/** The HTTP interface of a vantage. */
export function createVantageServer({ vantage, stopwatch, about, onFault }: VantageServerParts): Server {
  const answerTo = async (request: IncomingMessage): Promise<PlainAnswer> => {
    const { method = '', url = '' } = request;
    if (url === '/observe') {
      if (method !== 'POST') return { ...said(405, 'POST only'), headers: { allow: 'POST' } };
      const body = await readText(request, REQUEST_MAX_BYTES);
      return typeof body === 'string' ? ANSWERS[body] : answerOf(await vantage.answer(body.text));
    }
    const page = url === '/healthz' ? said(200, 'ok') : url === '/prober' ? said(200, about) : null;
    if (page === null) return said(404, 'not found');
    const isRead = method === 'GET' || method === 'HEAD';
    return isRead ? page : { ...said(405, 'GET only'), headers: { allow: 'GET, HEAD' } };
  };
  return createPlainServer({ answerTo, stopwatch, perSecond: REQUESTS_PER_SECOND, onFault });
}

function answerOf(answer: VantageAnswer): PlainAnswer {
  switch (answer.kind) {
    case 'observed':
      return { status: 200, body: answer.note };
    case 'busy':
      return { ...said(429, 'busy'), headers: { 'retry-after': String(answer.retryAfterSeconds) } };
    case 'too_large':
      return said(413, 'too_large');
    default:
      return ANSWERS[answer.kind];
  }
}

/** One line each. Nobody is told which clients there are. */
const ANSWERS = {
  malformed: said(400, 'the body is not the note of a request'),
  too_large: {
    ...said(413, `a body has at most ${REQUEST_MAX_BYTES} bytes`),
    headers: { connection: 'close' },
  },
  unsigned: said(403, 'no valid signature of a known client'),
  not_ours: said(403, 'the request is for another vantage'),
  clock: said(400, 'the time of the request is too far from ours'),
  replayed: said(409, 'the nonce was used before'),
  bad_url: said(400, 'the URL is not one that can be requested'),
  full: { ...said(503, 'too many nonces'), headers: { 'retry-after': '60' } },
} as const;
