import { type CrawlReceipt, networkOf } from '../../../core/receipt/crawl-receipt.ts';
import { priceGap } from '../../../core/receipt/price-gap.ts';
import { hostOf } from '../../../core/receipt/skip-filter.ts';
import type { Tables } from '../engine/tables.ts';

export type SkipColumns = Pick<
  Tables['crawl_receipts'],
  'code' | 'source_list' | 'network' | 'host' | 'gap_rank'
>;

/** The columns by which skips are filtered and sorted. */
export function skipColumns(receipt: CrawlReceipt): SkipColumns {
  const gap = priceGap(receipt);
  return {
    code: receipt.code,
    source_list: indexed(receipt.sourceList),
    network: networkOf(receipt),
    host: indexed(hostOf(receipt.url)),
    gap_rank: gap === null ? null : -Number(gap > GAP_MAX ? GAP_MAX : gap),
  };
}

/** PostgreSQL limits an index row to 2,704 bytes, and the URL is part of it. No host name is longer than this. */
function indexed(text: string): string {
  return text.length > INDEXED_MAX ? '' : text;
}

const INDEXED_MAX = 255;
/** Wider gaps count as this one. */
const GAP_MAX = BigInt(Number.MAX_SAFE_INTEGER);
