import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Witness, WitnessAnswer } from '../../flows/log/witness/witness-logs.ts';
import { createRequestRate } from './request-rate.ts';

/** A checkpoint with sixteen signatures of 5 kB, which every verifier must accept, has half of it. */
const BODY_MAX_BYTES = 262_144;
const HEADERS_MAX_BYTES = 16_384;
const REQUEST_MS = 10_000;
/** Clients keep their connections (c2sp.org/tlog-witness). */
const KEEP_ALIVE_MS = 65_000;
const CONNECTIONS_MAX = 1_000;
const ADD = '/add-checkpoint';
const CHECKPOINT = /^\/([0-9a-f]{64})\/checkpoint$/;

export interface WitnessServerParts {
  readonly witness: Witness;
  readonly stopwatch: () => number;
  /** The state cannot be read or written. */
  readonly onFault: (fault: unknown) => void;
}

interface Answer {
  readonly status: number;
  readonly body: string;
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The HTTP interface of a witness: add-checkpoint, and the last checkpoint of each log for monitors. */
export function createWitnessServer({ witness, stopwatch, onFault }: WitnessServerParts): Server {
  const rate = createRequestRate(stopwatch);
  const answerTo = async (request: IncomingMessage): Promise<Answer> => {
    if (!rate.admits(request.socket.remoteAddress ?? '')) {
      return { ...said(429, 'too many requests'), headers: { 'retry-after': '1', connection: 'close' } };
    }
    const { method = '', url = '' } = request;
    if (url === ADD) {
      if (method !== 'POST') return { ...said(405, 'POST only'), headers: { allow: 'POST' } };
      const body = await readBody(request);
      return typeof body === 'string' ? ANSWERS[body] : answerOf(witness.add(body.text));
    }
    const name = CHECKPOINT.exec(url)?.[1];
    if (name === undefined) return said(404, 'not found');
    if (method !== 'GET' && method !== 'HEAD') {
      return { ...said(405, 'GET only'), headers: { allow: 'GET, HEAD' } };
    }
    const note = witness.checkpoint(name);
    return note === null ? said(404, 'no checkpoint of such a log') : { status: 200, body: note };
  };
  const server = createServer(
    {
      maxHeaderSize: HEADERS_MAX_BYTES,
      headersTimeout: REQUEST_MS,
      requestTimeout: REQUEST_MS,
      connectionsCheckingInterval: 1_000,
      keepAliveTimeout: KEEP_ALIVE_MS,
    },
    (request, response) => {
      answerTo(request)
        .catch((fault: unknown) => {
          onFault(fault);
          return said(500, 'the witness cannot keep its state');
        })
        .then((answer) => send(response, answer, server.listening && request.complete))
        .catch(() => response.destroy());
    },
  );
  server.maxConnections = CONNECTIONS_MAX;
  return server;
}

function answerOf(answer: WitnessAnswer): Answer {
  switch (answer.kind) {
    case 'cosigned':
      return { status: 200, body: answer.lines };
    case 'conflict':
      return { status: 409, body: `${answer.size}\n`, type: 'text/x.tlog.size' };
    default:
      return ANSWERS[answer.kind];
  }
}

const ANSWERS = {
  malformed: said(400, 'the body is not an old size, a proof and a checkpoint'),
  unsigned: said(403, 'no valid signature of a known key of this log'),
  unknown_log: said(404, 'this log is not witnessed'),
  too_large: { ...said(413, `a body has at most ${BODY_MAX_BYTES} bytes`), headers: { connection: 'close' } },
  inconsistent: said(422, 'the checkpoint does not continue the last one'),
} as const;

function said(status: number, line: string): Answer {
  return { status, body: `${line}\n` };
}

function send(response: ServerResponse, answer: Answer, canStay: boolean): void {
  const { status, body, type = 'text/plain; charset=utf-8', headers = {} } = answer;
  const length = Buffer.byteLength(body);
  const close = canStay ? {} : { connection: 'close' };
  response.writeHead(status, {
    'content-type': type,
    'content-length': length,
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    ...headers,
    ...close,
  });
  response.end(body);
}

/** Bytes that are not UTF-8 are no note. */
async function readBody(
  request: IncomingMessage,
): Promise<{ readonly text: string } | 'malformed' | 'too_large'> {
  if (Number(request.headers['content-length'] ?? 0) > BODY_MAX_BYTES) return 'too_large';
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request) {
    const bytes = Buffer.from(chunk);
    length += bytes.byteLength;
    if (length > BODY_MAX_BYTES) return 'too_large';
    chunks.push(bytes);
  }
  try {
    return { text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.concat(chunks)) };
  } catch {
    return 'malformed';
  }
}
