import { sha256 } from '@noble/hashes/sha2';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils';

/** Lower-case hexadecimal, of the UTF-8 bytes. */
export function textSha256(text: string): string {
  return bytesToHex(sha256(utf8ToBytes(text)));
}
