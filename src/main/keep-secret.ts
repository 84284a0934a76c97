import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const SECRET_BYTES = 32;

/**
 * The key of every hash and cursor, made at the first start and kept beside the store: with another one, callers get their
 * quotas anew and receipts are no longer found by their URL.
 */
export function keepSecret(dataDir: string): string {
  const file = join(dataDir, 'secret');
  try {
    mkdirSync(dataDir, { recursive: true });
    // Of several processes that start together, the first writes and the others read.
    writeFileSync(file, randomBytes(SECRET_BYTES).toString('hex'), { mode: 0o600, flag: 'wx' });
  } catch (fault) {
    if (!isThere(fault))
      throw new Error(`cannot keep a secret in ${file}: ${codeOf(fault)}`, { cause: fault });
  }
  return readSecret(file);
}

function readSecret(file: string): string {
  try {
    const secret = readFileSync(file, 'utf8').trim();
    if (secret.length >= SECRET_BYTES) return secret;
  } catch (cause) {
    throw new Error(`cannot read the secret in ${file}: ${codeOf(cause)}`, { cause });
  }
  throw new Error(`the secret in ${file} is too short; remove the file to have a new one made`);
}

function isThere(fault: unknown): boolean {
  return codeOf(fault) === 'EEXIST';
}

function codeOf(fault: unknown): string {
  return fault instanceof Error && 'code' in fault ? String(fault.code) : 'unknown error';
}
