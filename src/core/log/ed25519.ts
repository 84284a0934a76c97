import { createPublicKey, verify } from 'node:crypto';

export const PUBLIC_KEY_BYTES = 32;
export const SIGNATURE_BYTES = 64;

// The fixed DER prefix of an Ed25519 key in SubjectPublicKeyInfo form (RFC 8410).
const SPKI_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');

export function isSignedBy(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  const key = createPublicKey({
    key: Buffer.concat([SPKI_PREFIX, publicKey]),
    format: 'der',
    type: 'spki',
  });
  return signature.length === SIGNATURE_BYTES && verify(null, message, key, signature);
}
