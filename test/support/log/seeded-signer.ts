import { createPrivateKey, createPublicKey, hash, sign } from 'node:crypto';
import { type NoteSigner, noteKey } from '../../../src/core/log/note.ts';

// The fixed DER prefix of an Ed25519 seed in PKCS #8 form (RFC 8410).
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');

/** A signer whose key depends on nothing but its arguments, so that failures repeat. */
export function seededSigner(name: string, type: 1 | 4 = 1, seed: string | Uint8Array = name): NoteSigner {
  const secret = typeof seed === 'string' ? hash('sha256', seed, 'buffer') : seed;
  const key = createPrivateKey({
    key: Buffer.concat([PKCS8_PREFIX, secret]),
    format: 'der',
    type: 'pkcs8',
  });
  const publicKey = createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-32);
  return { key: noteKey(name, type, publicKey), sign: (message) => sign(null, message, key) };
}
