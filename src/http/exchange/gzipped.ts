import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { Rendered } from './answer.ts';
import type { Exchange } from './exchange.ts';
import { createRenderedCache } from './rendered-cache.ts';

export type Gzip = (content: Rendered, exchange: Pick<Exchange, 'header'>) => Promise<Rendered>;

const pack = promisify(gzip);
/** Below it the caller gains nothing. */
const BYTES_MIN = 1_024;
const WANTED = /^\s*gzip\s*(?:;\s*q=(?:0?\.0*[1-9][0-9]*|1(?:\.0*)?)\s*)?$/i;

/** Packs a body once while it is kept, off the event loop, for callers that say they read it. */
export function createGzip(maxBytes: number): Gzip {
  const kept = createRenderedCache<Rendered>({ maxBytes });
  return async (content, exchange) => {
    const etag = content.headers['etag'];
    const plain = { ...content, headers: { ...content.headers, vary: 'Accept-Encoding' } };
    if (etag === undefined || !wantsGzip(exchange) || Buffer.byteLength(content.body) < BYTES_MIN)
      return plain;
    return kept(etag, () => packed(plain, etag));
  };
}

function wantsGzip({ header }: Pick<Exchange, 'header'>): boolean {
  return (header('accept-encoding') ?? '').split(',').some((coding) => WANTED.test(coding));
}

/** A tag names bytes, so the packed ones have another. */
async function packed({ body, headers }: Rendered, etag: string): Promise<Rendered> {
  const named = etag.replace(/"$/, '-gzip"');
  return { body: await pack(body), headers: { ...headers, etag: named, 'content-encoding': 'gzip' } };
}
