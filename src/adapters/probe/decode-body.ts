import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';

const DECODERS = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
} as const;

/**
 * We ask for the plain body; a seller that encodes it all the same may do so once. The limit counts what comes out: a few
 * kilobytes of gzip can hold gigabytes. Null when it cannot be decoded within the limit.
 */
export async function decodeBody(
  body: Uint8Array,
  encodings: readonly string[],
  maxBytes: number,
): Promise<Uint8Array | null> {
  const codings = encodings.flatMap((value) => value.split(',')).map((coding) => coding.trim().toLowerCase());
  const [coding, ...more] = codings.filter((name) => name !== '' && name !== 'identity');
  if (coding === undefined || body.byteLength === 0) return body;
  if (more.length > 0 || !isKnown(coding)) return null;
  try {
    return await DECODERS[coding](body, { maxOutputLength: maxBytes });
  } catch {
    return null;
  }
}

function isKnown(coding: string): coding is keyof typeof DECODERS {
  return Object.hasOwn(DECODERS, coding);
}
