import { createPrivateKey, createPublicKey, hkdfSync, sign } from 'node:crypto';
import { type NoteSigner, noteKey } from '../../core/log/note.ts';

const SEED_BYTES = 32;
/** PKCS #8 for an Ed25519 seed (RFC 8410). */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');

/** Signs by an Ed25519 key of its own. On this thread: a thread pool takes longer to hand the work over than signing takes. */
export function ed25519Signer(name: string, seed: Uint8Array, type: 1 | 4 = 1): NoteSigner {
  if (seed.byteLength !== SEED_BYTES) throw new Error(`an Ed25519 key has ${SEED_BYTES} bytes`);
  const privateKey = createPrivateKey({ key: Buffer.concat([PKCS8, seed]), format: 'der', type: 'pkcs8' });
  const { x = '' } = createPublicKey(privateKey).export({ format: 'jwk' });
  const key = noteKey(name, type, Buffer.from(x, 'base64url'));
  return { key, sign: (message) => sign(null, message, privateKey) };
}

/** A key for one purpose, so that a replica needs no further secret. */
export function derivedSeed(secret: string, purpose: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secret, '', purpose, SEED_BYTES));
}
