import { type BadgePorts, badgeDecision } from '../../flows/read/receipt-history.ts';
import { badge } from '../../pages/receipt/badge.ts';
import { readByUrlRequest } from '../../wire/requests/receipts-request.ts';
import { readsOfUrl } from '../admission/admission.ts';
import { countingHistory } from '../admission/counting-history.ts';
import { answer, answerRendered, type Handler, NO_STORE, rendered } from '../exchange/answer.ts';
import { FOR_FIVE_MINUTES } from '../exchange/caching.ts';

const SVG_TYPE = 'image/svg+xml; charset=utf-8';
/** Embedded in other sites: no script may run in it, and a new verdict shows soon. */
const HEADERS = {
  ...FOR_FIVE_MINUTES,
  'content-security-policy': "default-src 'none'",
  // Any site may embed it.
  'cross-origin-resource-policy': 'cross-origin',
};

/** GET /badge.svg?url=&method=: the latest verdict on an endpoint, in words. It never probes. */
export function badgeRoute(ports: BadgePorts): Handler {
  return async (exchange) => {
    const reading = readByUrlRequest(exchange.query);
    if (reading.kind === 'bad_request') {
      exchange.facts.code = 'bad_request';
      const headers = { ...HEADERS, ...NO_STORE, 'content-type': SVG_TYPE };
      return answer(
        exchange,
        400,
        await badge(reading.field === 'url' ? 'not a URL' : 'not a method', null),
        headers,
      );
    }
    exchange.cost.reads = readsOfUrl(reading.value.target);
    const found = await badgeDecision(reading.value, countingHistory(ports, exchange));
    const day = found?.checkedAt.toISOString().slice(0, 10) ?? null;
    const drawn = await badge(found?.word ?? 'unknown', day);
    return answerRendered(exchange, rendered(drawn, SVG_TYPE, HEADERS));
  };
}
