import type { CrawlReceipt } from '../../../core/receipt/crawl-receipt.ts';
import { addressKey } from '../../../core/x402/address.ts';
import type { PartShare } from '../../../ports/crawl-runs.ts';

/** Payees in the spelling of the first receipt that has them. */
export function spelledAs(
  shares: readonly PartShare[],
  receipts: readonly CrawlReceipt[],
): readonly PartShare[] {
  const spellings = new Map<string | null, string>();
  for (const { payTo } of receipts) {
    const key = payTo === null ? null : addressKey(payTo);
    if (payTo !== null && !spellings.has(key)) spellings.set(key, payTo);
  }
  return shares.map(({ name, endpoints }) => ({ name: spellings.get(name) ?? name, endpoints }));
}
