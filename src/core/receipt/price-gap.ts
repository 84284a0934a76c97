import type { CrawlReceipt } from './crawl-receipt.ts';

/** The absolute difference of live and listed price; null unless it is the reason of a skip. */
export function priceGap({ code, claimedPrice, quotedPrice }: CrawlReceipt): bigint | null {
  if (code !== 'price_mismatch' || claimedPrice === null || quotedPrice === null) return null;
  return quotedPrice > claimedPrice ? quotedPrice - claimedPrice : claimedPrice - quotedPrice;
}
