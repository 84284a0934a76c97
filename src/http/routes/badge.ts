import { isSetAside } from '../../core/verdict/skip-codes.ts';
import type { FoundReceipt, ReceiptPorts } from '../../flows/read/read-receipts.ts';
import { badgeReceipt } from '../../flows/read/receipt-history.ts';
import { type BadgeWord, badge } from '../../pages/receipt/badge.ts';
import { readByUrlRequest } from '../../wire/requests/receipts-request.ts';
import { answer, answerRendered, type Handler, NO_STORE, rendered } from '../exchange/answer.ts';

const SVG_TYPE = 'image/svg+xml; charset=utf-8';
/** Embedded in other sites: no script may run in it, and a new verdict shows soon. */
const HEADERS = {
  'cache-control': 'public, max-age=300',
  'content-security-policy': "default-src 'none'",
  // Any site may embed it.
  'cross-origin-resource-policy': 'cross-origin',
};

/** Nothing was found against an endpoint that wants input first (gap G100). */
function wordOf({ kind, receipt }: FoundReceipt): BadgeWord {
  const needsInput = kind === 'live' ? receipt.needsInput !== null : isSetAside(receipt.code);
  return needsInput ? 'needs input' : receipt.verdict;
}

/** GET /badge.svg?url=: the latest verdict on an endpoint, in words. It never probes. */
export function badgeRoute(receipts: ReceiptPorts): Handler {
  return async (exchange) => {
    const reading = readByUrlRequest(exchange.query);
    if (reading.kind === 'bad_request') {
      exchange.facts.code = 'bad_request';
      const headers = { ...HEADERS, ...NO_STORE, 'content-type': SVG_TYPE };
      return answer(exchange, 400, await badge('not a URL', null), headers);
    }
    const found = await badgeReceipt(reading.value, receipts);
    const day = found?.receipt.checkedAt.toISOString().slice(0, 10) ?? null;
    const drawn = await badge(found === null ? 'unknown' : wordOf(found), day);
    return answerRendered(exchange, rendered(drawn, SVG_TYPE, HEADERS));
  };
}
