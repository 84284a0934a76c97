import { hash } from 'node:crypto';
import { type Terms, termsText } from '../x402/terms.ts';

/** Bytes of a key, and of a tag. Nobody finds a text for the tag of another; an owner may find two for one of his own (docs/snapshot.md). */
export const KEY_BYTES = 8;

/** What is asked, and how: the normalised URL of a target. */
export interface SnapshotEndpoint {
  readonly method: string;
  readonly url: string;
}

/** The key of an endpoint: the first 8 bytes of a hash that anybody can compute. */
export function snapshotKey({ method, url }: SnapshotEndpoint): Buffer {
  return firstBytes(`assay snapshot v1\n${method} ${url}`);
}

/** Binds payee, amount, asset and network to the endpoint that asked for them. */
export function termsTag(
  { method, url }: SnapshotEndpoint,
  terms: Pick<Terms, 'network' | 'asset' | 'amountAtomic' | 'payTo'>,
): Buffer {
  return firstBytes(`assay terms v1\n${method} ${url}\n${termsText(terms)}`);
}

function firstBytes(text: string): Buffer {
  return hash('sha256', text, 'buffer').subarray(0, KEY_BYTES);
}
