import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { GatewayProblem } from './problem.ts';

/** Passes an answer on as it comes. Rejects when either side goes away; the head is out then, so nothing else can be said. */
export async function writeAnswer(answer: Response, response: ServerResponse, method: string): Promise<void> {
  for (const [name, value] of answeredHeaders(answer, method)) response.appendHeader(name, value);
  response.writeHead(answer.status);
  if (answer.body === null || method === 'HEAD') {
    answer.body?.cancel().catch(() => {});
    response.end();
    return;
  }
  // The head of a stream is worth something before its first event.
  response.flushHeaders();
  await pipeline(Readable.from(chunksOf(answer.body)), response);
}

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

function answeredHeaders({ headers }: Response, method: string): [name: string, value: string][] {
  const isDecoded = method !== 'HEAD' && hasDecoded(headers.get('content-encoding'));
  return [...headers].filter(
    ([name]) =>
      !HOP_BY_HOP.has(name) && !(isDecoded && (name === 'content-encoding' || name === 'content-length')),
  );
}

const DECODED: ReadonlySet<string> = new Set(['gzip', 'x-gzip', 'deflate', 'br']);

/** fetch decodes what it knows and passes on anything else with its encoding. */
function hasDecoded(encoding: string | null): boolean {
  if (encoding === null) return false;
  return encoding.split(',').every((coding) => DECODED.has(coding.trim().toLowerCase()));
}
