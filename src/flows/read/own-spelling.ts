import { CRAWL_HISTORY } from '../../core/limits.ts';
import type { LiveReceipt } from '../../core/receipt/live-receipt.ts';
import { commonSpelling } from '../../core/url/redact-url.ts';
import type { TargetUrl } from '../../core/url/target-url.ts';
import type { LiveReceiptStore } from '../../ports/live-receipts.ts';

/**
 * The last checks of a URL in the spelling that was asked for, newest first. Without any: those of other spellings that brought
 * a readable challenge. So nobody can make a seller look dead by checking its URL oddly (gap G99).
 */
export async function checksOf(
  { href }: TargetUrl,
  urlKey: string,
  mode: 'live' | 'dry-run',
  receipts: Pick<LiveReceiptStore, 'latestOf' | 'latestSpelled'>,
  most: number = CRAWL_HISTORY,
): Promise<readonly LiveReceipt[]> {
  const own = await receipts.latestSpelled(urlKey, href, mode, most);
  if (own.length > 0) return own;
  const others = await receipts.latestOf(urlKey, mode, CRAWL_HISTORY);
  return others.filter(({ live402 }) => live402 !== null);
}

export function isSpelledSo({ url }: Pick<LiveReceipt, 'url'>, { href }: TargetUrl): boolean {
  return commonSpelling(url) === commonSpelling(href);
}
