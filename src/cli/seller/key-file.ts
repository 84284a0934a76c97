import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { type SignedDocument, signedBytes } from '../../core/seller/signed-document.ts';

/** An Ed25519 key in a PEM file (PKCS #8), as openssl writes it. */
export interface SellerKey {
  /** Raw public key in base64url. */
  readonly publicKey: string;
  sign(statement: string): SignedDocument;
}

/** Creates the file for its owner alone. False when there is one already, which stays as it is. */
export function createKeyFile(file: string): boolean {
  const { privateKey } = generateKeyPairSync('ed25519');
  try {
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' });
    writeFileSync(file, pem, { mode: 0o600, flag: 'wx', flush: true });
    return true;
  } catch (fault) {
    if (fault instanceof Error && 'code' in fault && fault.code === 'EEXIST') return false;
    throw fault;
  }
}

/** Null when the file is no Ed25519 key, or cannot be read. */
export function readKeyFile(file: string): SellerKey | null {
  const privateKey = keyIn(file);
  if (privateKey === null) return null;
  const publicKey = createPublicKey(privateKey).export({ format: 'jwk' }).x ?? '';
  return {
    publicKey,
    sign(statement) {
      const signature = sign(null, signedBytes(statement), privateKey).toString('base64url');
      return { statement, key: publicKey, signature };
    },
  };
}

function keyIn(file: string): KeyObject | null {
  try {
    const key = createPrivateKey(readFileSync(file, 'utf8'));
    return key.asymmetricKeyType === 'ed25519' ? key : null;
  } catch {
    return null;
  }
}
