import { sha256 as digest } from '@noble/hashes/sha2';

/**
 * Plain JavaScript where there is nothing else: WebCrypto can neither hash a stream nor answer at once. Where Node's own is
 * there, which is ten times as fast, it is used without an import that a browser would stumble over.
 */
const native = globalThis.process?.getBuiltinModule?.('node:crypto');

/** As small as it gets: that of the library has a table for whole files. */
function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

export function sha256(data: string | Uint8Array): string {
  return native === undefined ? hexOf(digest(data)) : native.hash('sha256', data, 'hex');
}

/** The hash of bytes that come in pieces. */
export interface RunningHash {
  add(bytes: Uint8Array): void;
  readonly bytes: number;
  end(): string;
}

export function runningSha256(): RunningHash {
  const hash = native === undefined ? digest.create() : native.createHash('sha256');
  let bytes = 0;
  return {
    add(piece) {
      hash.update(piece);
      bytes += piece.byteLength;
    },
    get bytes() {
      return bytes;
    },
    end: () => hexOf(hash.digest()),
  };
}

/** 32 hexadecimal digits that cannot be guessed. Pages that came over plain HTTP have no `crypto.randomUUID`. */
export function randomId(): string {
  if (native !== undefined) return native.randomUUID().replaceAll('-', '');
  return hexOf(crypto.getRandomValues(new Uint8Array(16)));
}
