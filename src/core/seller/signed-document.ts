import { createHash } from 'node:crypto';
import { STATEMENT_AGE_MAX_MS } from './seller-limits.ts';

/** A request of an owner as it was signed: anybody can verify it again. */
export interface SignedDocument {
  /** JSON text, exactly as signed. */
  readonly statement: string;
  /** Ed25519 public key, raw, in base64url. */
  readonly key: string;
  /** 64 bytes in base64url. */
  readonly signature: string;
}

export const KEY_BYTES = 32;
export const SIGNATURE_BYTES = 64;

/** The prefix keeps a signature for us from being one for anything else. */
const PREFIX = 'assay-seller-v1\n';

export function signedBytes(statement: string): Uint8Array {
  return Buffer.from(PREFIX + statement, 'utf8');
}

export function statementHash(statement: string): string {
  return createHash('sha256').update(statement).digest('hex');
}

export function isCurrent(at: Date, now: Date): boolean {
  return Math.abs(now.getTime() - at.getTime()) <= STATEMENT_AGE_MAX_MS;
}
