import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Rendered } from './answer.ts';
import type { Exchange } from './exchange.ts';

const pack = promisify(gzip);
/** Below it the caller gains nothing. */
const BYTES_MIN = 1_024;
const WANTED = /^\s*gzip\s*(?:;\s*q=(?:0?\.0*[1-9][0-9]*|1(?:\.0*)?)\s*)?$/i;

/** Off the event loop, for callers that say they read it. A tag names bytes, so the packed ones have another. */
export async function gzipped(content: Rendered, exchange: Pick<Exchange, 'header'>): Promise<Rendered> {
  const headers = { ...content.headers, vary: 'Accept-Encoding' };
  const isWanted = (exchange.header('accept-encoding') ?? '')
    .split(',')
    .some((coding) => WANTED.test(coding));
  if (!isWanted || Buffer.byteLength(content.body) < BYTES_MIN) return { ...content, headers };
  const etag = (content.headers['etag'] ?? '""').replace(/"$/, '-gzip"');
  return { body: await pack(content.body), headers: { ...headers, etag, 'content-encoding': 'gzip' } };
}
