import { createHmac } from 'node:crypto';
import type { SecretMark } from '../../ports/store-health.ts';

const FINGERPRINT_CHARS = 16;

/** Shows only whether two secrets are the same. */
export function fingerprintOf(secret: string): string {
  const hash = createHmac('sha256', secret).update('assay secret fingerprint').digest('hex');
  return hash.slice(0, FINGERPRINT_CHARS);
}

/**
 * Two secrets on one database would give every caller two quotas and hide receipts from half of the processes, and nobody would
 * notice (gap L80).
 */
export async function requireSameSecret(secret: string, mark: SecretMark): Promise<void> {
  const fingerprint = fingerprintOf(secret);
  const kept = await mark.keep(fingerprint);
  if (kept === fingerprint) return;
  throw new Error(
    `the SECRET of this process (fingerprint ${fingerprint}) is not the one of the database (${kept}): use the same one, or run assay migrate --new-secret to go on with this one`,
  );
}
