import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { GatewayProblem } from './problem.ts';

/** Passes an answer on as it comes. Rejects when either side goes away; the head is out then, so nothing else can be said. */
export async function writeAnswer(answer: Response, response: ServerResponse, method: string): Promise<void> {
  const { body, isDecoded } = method === 'HEAD' ? NO_BODY : await bodyOf(answer);
  for (const [name, value] of answeredHeaders(answer, isDecoded)) response.appendHeader(name, value);
  response.writeHead(answer.status);
  if (body === null) {
    answer.body?.cancel().catch(() => {});
    response.end();
    return;
  }
  // The head of a stream is worth something before its first event.
  response.flushHeaders();
  await pipeline(Readable.from(chunksOf(body)), response);
}

const NO_BODY = { body: null, isDecoded: false };

/** The types of Node and of fetch do not agree on what a stream is. */
async function* chunksOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of body) yield chunk;
}

export function writeProblem(problem: GatewayProblem, response: ServerResponse): void {
  const body = JSON.stringify(problem);
  response.writeHead(problem.status, problemHeaders(body)).end(body);
}

export function problemHeaders(body: string): Record<string, string> {
  return {
    'content-type': 'application/problem+json',
    'content-length': String(Buffer.byteLength(body)),
  };
}

const HOP_BY_HOP: ReadonlySet<string> = new Set([
  ...['connection', 'keep-alive', 'proxy-authenticate', 'proxy-authorization', 'proxy-connection'],
  ...['te', 'trailer', 'transfer-encoding', 'upgrade', 'alt-svc'],
]);

function answeredHeaders({ headers }: Response, isDecoded: boolean): [name: string, value: string][] {
  return [...headers].filter(
    ([name]) =>
      !HOP_BY_HOP.has(name) && !(isDecoded && (name === 'content-encoding' || name === 'content-length')),
  );
}

type Body = ReadableStream<Uint8Array> | null;

/** fetch decodes what it knows and passes on anything else with its encoding. */
async function bodyOf({ headers, body }: Response): Promise<{ body: Body; isDecoded: boolean }> {
  const codings = (headers.get('content-encoding') ?? '').split(',').map((one) => one.trim().toLowerCase());
  if (body === null || codings.join() !== 'zstd') {
    return { body, isDecoded: codings.every((coding) => DECODED.has(coding)) };
  }
  const [peeked, whole] = body.tee();
  const reader = peeked.getReader();
  const { value: start = new Uint8Array() } = await reader.read();
  reader.cancel().catch(() => {});
  return { body: whole, isDecoded: ZSTD_FRAME.some((byte, at) => start[at] !== byte) };
}

const DECODED: ReadonlySet<string> = new Set(['gzip', 'x-gzip', 'deflate', 'br']);
/** Newer releases of fetch decode it, too. What is still encoded begins so (RFC 8878). */
const ZSTD_FRAME = [0x28, 0xb5, 0x2f, 0xfd];
