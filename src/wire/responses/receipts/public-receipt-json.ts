import type { FoundReceipt } from '../../../flows/read/read-receipts.ts';
import type { ShownPlace } from '../../../flows/read/shown-place.ts';
import type { Reply } from '../../../ports/seller.ts';
import { singleCrawlReceiptJson } from '../crawl-receipt-json.ts';
import type { Links } from '../links.ts';
import { liveReceiptJson } from '../live-receipt-json.ts';
import { replyJson } from '../seller-response.ts';

export interface BesideReceipt {
  readonly place: ShownPlace;
  readonly reply: Reply | null;
}

/** GET /v1/receipts/{id}.json */
export function publicReceiptJson(
  found: FoundReceipt,
  links: Links,
  { place, reply }: BesideReceipt,
): object {
  const json =
    found.kind === 'live'
      ? liveReceiptJson(found.receipt, links)
      : singleCrawlReceiptJson(found.receipt, links, place);
  return reply === null ? json : { ...json, reply: replyJson(reply) };
}
