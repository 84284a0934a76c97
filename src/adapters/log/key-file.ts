import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { syncFolder, writeSynced } from '../system/durable-file.ts';

const SEED_BYTES = 32;

/** The Ed25519 seed in a file of 64 hexadecimal digits; a missing file is created for its owner alone. */
export function keepSeed(file: string): Uint8Array {
  try {
    writeSynced(file, `${randomBytes(SEED_BYTES).toString('hex')}\n`, 'wx');
    syncFolder(dirname(file));
  } catch (fault) {
    if (codeOf(fault) !== 'EEXIST')
      throw new Error(`cannot write the key ${file}: ${codeOf(fault)}`, { cause: fault });
  }
  const text = readSeed(file);
  if (!/^[0-9a-fA-F]{64}$/.test(text)) throw new Error(`the key ${file} must be 64 hexadecimal digits`);
  return new Uint8Array(Buffer.from(text, 'hex'));
}

function readSeed(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (cause) {
    throw new Error(`cannot read the key ${file}: ${codeOf(cause)}`, { cause });
  }
}

function codeOf(fault: unknown): string {
  return fault instanceof Error && 'code' in fault ? String(fault.code) : 'unknown error';
}
