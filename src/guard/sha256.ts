import { sha256 as digest } from '@noble/hashes/sha2';
import { bytesToHex } from '@noble/hashes/utils';

/** In plain JavaScript: WebCrypto cannot hash a stream, and hashing there is asynchronous. */
export function sha256(data: string | Uint8Array): string {
  return bytesToHex(digest(data));
}

/** The hash of bytes that come in pieces. */
export interface RunningHash {
  add(bytes: Uint8Array): void;
  readonly bytes: number;
  end(): string;
}

export function runningSha256(): RunningHash {
  const hash = digest.create();
  let bytes = 0;
  return {
    add(piece) {
      hash.update(piece);
      bytes += piece.byteLength;
    },
    get bytes() {
      return bytes;
    },
    end: () => bytesToHex(hash.digest()),
  };
}

/** For names that nobody can guess. Unlike `crypto.randomUUID`, it also works in pages that came over plain HTTP. */
export function randomHex(bytes: number): string {
  return bytesToHex(crypto.getRandomValues(new Uint8Array(bytes)));
}
