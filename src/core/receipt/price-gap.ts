import type { CrawlReceipt } from './crawl-receipt.ts';

/** How far the live price is from the listed one, upwards or downwards; null unless that is the reason of a skip. */
export function priceGap({ code, claimedPrice, quotedPrice }: CrawlReceipt): bigint | null {
  if (code !== 'price_mismatch' || claimedPrice === null || quotedPrice === null) return null;
  return quotedPrice > claimedPrice ? quotedPrice - claimedPrice : claimedPrice - quotedPrice;
}
