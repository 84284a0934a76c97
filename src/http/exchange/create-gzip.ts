import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Rendered } from './answer.ts';
import type { Exchange } from './exchange.ts';
import { createRenderedCache } from './rendered-cache.ts';

export type Gzip = (content: Rendered, exchange: Pick<Exchange, 'header'>) => Promise<Rendered>;

const compress = promisify(gzip);
/** Smaller bodies gain nothing. */
const BYTES_MIN = 1_024;
const WANTED = /^\s*gzip\s*(?:;\s*q=(?:0?\.0*[1-9][0-9]*|1(?:\.0*)?)\s*)?$/i;

/** Compresses a body once while it is kept, off the event loop, for clients that accept gzip. */
export function createGzip(maxBytes: number): Gzip {
  const kept = createRenderedCache<Rendered>({ maxBytes });
  return async (content, exchange) => {
    const etag = content.headers['etag'];
    const plain = { ...content, headers: { ...content.headers, vary: 'Accept-Encoding' } };
    if (etag === undefined || !wantsGzip(exchange) || Buffer.byteLength(content.body) < BYTES_MIN)
      return plain;
    return kept(etag, () => compressed(plain, etag));
  };
}

function wantsGzip({ header }: Pick<Exchange, 'header'>): boolean {
  return (header('accept-encoding') ?? '').split(',').some((coding) => WANTED.test(coding));
}

/** An ETag names bytes, so the compressed ones have another. */
async function compressed({ body, headers }: Rendered, etag: string): Promise<Rendered> {
  const named = etag.replace(/"$/, '-gzip"');
  return { body: await compress(body), headers: { ...headers, etag: named, 'content-encoding': 'gzip' } };
}
