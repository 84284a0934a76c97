import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import { type HeaderFields, headerValues } from '../../core/header-values.ts';

const DECODERS = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
} as const;

/** Names that sellers send by mistake. No client decodes anything for them. */
const NO_CODINGS: ReadonlySet<string> = new Set(['', 'identity', 'none', 'utf-8', 'utf8', 'aws-chunked']);

/** How a body is encoded, first coding first; empty when it is as it seems. */
export function contentCodings(headers: HeaderFields): string[] {
  return headerValues(headers, 'content-encoding')
    .flatMap((value) => value.split(','))
    .map((coding) => coding.trim().toLowerCase())
    .filter((coding) => !NO_CODINGS.has(coding));
}

/**
 * We ask for the plain body; a seller that encodes it all the same may do so once. The limit counts what comes out: a few
 * kilobytes of gzip can hold gigabytes. Null when it cannot be decoded within the limit.
 */
export async function decodeBody(
  body: Uint8Array,
  codings: readonly string[],
  maxBytes: number,
): Promise<Uint8Array | null> {
  const [coding, ...more] = codings;
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
