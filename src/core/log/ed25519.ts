import { createPublicKey, verify } from 'node:crypto';

export const PUBLIC_KEY_BYTES = 32;
export const SIGNATURE_BYTES = 64;

// The fixed DER prefix of an Ed25519 key in SubjectPublicKeyInfo form (RFC 8410).
const SPKI_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');

/** A public key in the form that verifies. Making it takes longer than verifying, so it is made once. */
export type Verifier = ReturnType<typeof createPublicKey>;

export function verifierOf(publicKey: Uint8Array): Verifier {
  return createPublicKey({ key: Buffer.concat([SPKI_PREFIX, publicKey]), format: 'der', type: 'spki' });
}

export function isSignedBy(verifier: Verifier, message: Uint8Array, signature: Uint8Array): boolean {
  return signature.length === SIGNATURE_BYTES && verify(null, message, verifier, signature);
}
