import { createPublicKey, type KeyObject, verify } from 'node:crypto';
import type { VerifySignature } from '../../ports/seller.ts';

export const verifyEd25519: VerifySignature = ({ message, key, signature }) => {
  const publicKey = publicKeyOf(key);
  return publicKey !== null && verify(null, message, publicKey, signature);
};

function publicKeyOf(raw: Uint8Array): KeyObject | null {
  try {
    const x = Buffer.from(raw).toString('base64url');
    return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  } catch {
    return null;
  }
}
