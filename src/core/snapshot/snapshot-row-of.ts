import { URL_MAX_BYTES } from '../limits.ts';
import type { CrawlReceipt } from '../receipt/crawl-receipt.ts';
import { isRedacted, redactUrl } from '../url/redact-url.ts';
import { parseTargetUrl } from '../url/target-url.ts';
import { mainnetOf } from '../x402/networks.ts';
import { hasTag, SNAPSHOT_CODES } from './snapshot-codes.ts';
import { type SnapshotEndpoint, snapshotKey, termsTag } from './snapshot-key.ts';
import type { SnapshotRow } from './snapshot-rows.ts';

/** Null for a receipt that must not or cannot be in a snapshot. */
export function snapshotRowOf(receipt: CrawlReceipt, keyOf = snapshotKey): SnapshotRow | null {
  const url = knownUrl(receipt.url);
  if (url === null) return null;
  const endpoint = { method: receipt.method, url };
  const code = SNAPSHOT_CODES[receipt.code];
  if (!hasTag(code)) return { key: keyOf(endpoint), code, tag: null };
  const tag = tagOf(endpoint, receipt);
  return tag === null ? null : { key: keyOf(endpoint), code, tag };
}

/**
 * The normalised URL; null where the receipt shows another one than was requested. That one holds a secret, and a hash without a
 * key would let anybody try guesses. A text of full length may have lost the mark of a redaction at its end.
 */
function knownUrl(url: string): string | null {
  if (isRedacted(url) || url.length >= URL_MAX_BYTES || redactUrl(url, 'listed') !== url) return null;
  const reading = parseTargetUrl(url);
  return reading.kind === 'target' ? reading.target.normalized : null;
}

/** A `pay` asks for canonical USDC, so that receipts need not name the asset. */
function tagOf(endpoint: SnapshotEndpoint, { network, quotedPrice, payTo }: CrawlReceipt): Buffer | null {
  const mainnet = mainnetOf(network);
  if (mainnet === null || quotedPrice === null || payTo === null) return null;
  return termsTag(endpoint, {
    network: mainnet.network,
    asset: mainnet.usdc,
    amountAtomic: quotedPrice,
    payTo,
  });
}
