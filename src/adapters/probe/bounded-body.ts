/** Collects a body up to a limit in one buffer: a list of chunks would cost a hundred times its bytes when each is one byte. */
export interface BoundedBody {
  /** False once the limit is passed; from then on nothing more is taken. */
  append(chunk: Uint8Array): boolean;
  bytes(): Buffer;
}

const FIRST_BYTES = 4_096;

export function boundedBody(maxBytes: number): BoundedBody {
  let buffer = Buffer.allocUnsafe(0);
  let length = 0;
  let full = false;
  return {
    append(chunk) {
      if (full) return false;
      const fits = Math.min(chunk.byteLength, maxBytes - length);
      if (length + fits > buffer.byteLength) {
        const grown = Buffer.allocUnsafe(Math.min(maxBytes, Math.max(FIRST_BYTES, 2 * (length + fits))));
        buffer.copy(grown, 0, 0, length);
        buffer = grown;
      }
      buffer.set(chunk.subarray(0, fits), length);
      length += fits;
      full = fits < chunk.byteLength;
      return !full;
    },
    bytes: () => buffer.subarray(0, length),
  };
}
