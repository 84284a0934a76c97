import { PROOF_RECORD_MAX_CHARS, PROOF_RECORDS_MAX } from './seller-limits.ts';

/** Where the owner of a host publishes its key, at the scheme, host and port of the URL. */
export const PROOF_PATH = '/.well-known/assay-verify.txt';

/** The DNS name of the TXT record that proves the same. */
export function proofName(host: string): string {
  return `_assay.${host}`;
}

/** What the owner publishes; `key` is the raw public key in base64url. */
export function tokenLine(key: string): string {
  return `assay-verify=ed25519:${key}`;
}

/** True if a line of the file is the token of this key. */
export function fileNames(text: string, key: string): boolean {
  const token = tokenLine(key);
  return text.split('\n').some((line) => line.trim() === token);
}

/** True if one of the first TXT records is the token of this key. */
export function recordsName(records: readonly string[], key: string): boolean {
  const token = tokenLine(key);
  return records
    .slice(0, PROOF_RECORDS_MAX)
    .some((record) => record.length <= PROOF_RECORD_MAX_CHARS && record.trim() === token);
}
