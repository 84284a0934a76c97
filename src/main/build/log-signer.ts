import { hkdfSync } from 'node:crypto';
import { ed25519Signer } from '../../adapters/log/ed25519-signer.ts';
import type { NoteSigner } from '../../core/log/note.ts';

const SEED_BYTES = 32;
const PURPOSE = 'assay log v1';

/** The key of the log. All processes of a service have its secret, and with it the same key. */
export function logSigner({ baseUrl }: { readonly baseUrl: string | null }, secret: string): NoteSigner {
  const host = baseUrl === null ? 'localhost' : new URL(baseUrl).host;
  return ed25519Signer(`${host}/log`, Buffer.from(hkdfSync('sha256', secret, '', PURPOSE, SEED_BYTES)));
}
