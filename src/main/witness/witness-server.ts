import type { IncomingMessage, Server } from 'node:http';
import type { Witness, WitnessAnswer } from '../../flows/log/witness/witness-logs.ts';
import { createPlainServer, type PlainAnswer, readText, said } from './plain-http.ts';

/** A checkpoint with sixteen signatures of 5 kB, which every verifier must accept, has half of it. */
const BODY_MAX_BYTES = 262_144;
/** A log asks once in seconds; monitors seldom. */
const REQUESTS_PER_SECOND = 50;
const ADD = '/add-checkpoint';
const CHECKPOINT = /^\/([0-9a-f]{64})\/checkpoint$/;

export interface WitnessServerParts {
  readonly witness: Witness;
  readonly stopwatch: () => number;
  /** The state cannot be read or written. */
  readonly onFault: (fault: unknown) => void;
}

/** The HTTP interface of a witness: add-checkpoint, and the last checkpoint of each log for monitors. */
export function createWitnessServer({ witness, stopwatch, onFault }: WitnessServerParts): Server {
  const answerTo = async (request: IncomingMessage): Promise<PlainAnswer> => {
    const { method = '', url = '' } = request;
    if (url === ADD) {
      if (method !== 'POST') return { ...said(405, 'POST only'), headers: { allow: 'POST' } };
      const body = await readText(request, BODY_MAX_BYTES);
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
  return createPlainServer({ answerTo, stopwatch, perSecond: REQUESTS_PER_SECOND, onFault });
}

function answerOf(answer: WitnessAnswer): PlainAnswer {
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
