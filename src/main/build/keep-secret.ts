import { randomBytes } from 'node:crypto';
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { syncFolder, writeSynced } from '../../adapters/system/durable-file.ts';

const SECRET_BYTES = 32;

/** The secret of the settings, else the one that is kept beside the store. */
export function secretOf({ secret, dataDir }: SecretConfig): string {
  return secret ?? keepSecret(dataDir);
}

export interface SecretConfig {
  readonly secret: string | null;
  readonly dataDir: string;
}

/**
 * The key of every hash and cursor, created at the first start and kept beside the store. With another key, quotas start again
 * and receipts are no longer found by URL.
 */
export function keepSecret(dataDir: string): string {
  const file = join(dataDir, 'secret');
  if (!existsSync(file)) makeSecret(dataDir, file);
  return readSecret(file);
}

function makeSecret(dataDir: string, file: string): void {
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
    writeSynced(draft, randomBytes(SECRET_BYTES).toString('hex'), 'wx');
    publish(draft, file);
    // With another secret after a power cut, nothing that was derived from this one would be found.
    syncFolder(dataDir);
  } catch (cause) {
    throw new Error(
      `cannot keep a secret in ${file}: ${codeOf(cause)}; make the folder writable or set SECRET`,
      { cause },
    );
  }
}

/** Created atomically: of several processes that start together, one wins and all read the same key. */
function publish(draft: string, file: string): void {
  try {
    linkSync(draft, file);
  } catch (fault) {
    if (codeOf(fault) !== 'EEXIST') throw fault;
  } finally {
    rmSync(draft);
  }
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

function codeOf(fault: unknown): string {
  return fault instanceof Error && 'code' in fault ? String(fault.code) : 'unknown error';
}
