import { changesIn } from '../../core/seller/observed-state.ts';
import { WATCH_FEED_ENTRIES } from '../../core/seller/seller-limits.ts';
import { redactUrl } from '../../core/url/redact-url.ts';
import { type NeutralPorts, neutralReceipts } from '../../flows/seller/neutral-receipts.ts';
import { ATOM_TYPE } from '../../pages/skips/skips-feed.ts';
import { watchFeed } from '../../pages/texts/watch-feed.ts';
import { readByUrlRequest } from '../../wire/requests/receipts-request.ts';
import { watchFeedUrl } from '../../wire/responses/links.ts';
import { HISTORY_READS, readsOfUrl } from '../admission/admission.ts';
import { answerBadRequest, answerRendered, type Handler, rendered } from '../exchange/answer.ts';
import { FOR_A_MINUTE } from '../exchange/caching.ts';

/** GET /v1/watch.atom?url=&method=: what has changed at one URL. It never probes. */
export function watchFeedRoute(ports: NeutralPorts): Handler {
  return async (exchange) => {
    const reading = readByUrlRequest(exchange.query);
    if (reading.kind === 'bad_request') return answerBadRequest(exchange, reading);
    const { links } = exchange;
    const { target, method } = reading.value;
    exchange.cost.reads = readsOfUrl(target) + HISTORY_READS;
    const observed = await neutralReceipts(reading.value, ports);
    const feed = await watchFeed({
      address: watchFeedUrl(links, target.href, method),
      url: redactUrl(target.href, 'unlisted'),
      newest: observed[0] ?? null,
      changes: changesIn(observed, WATCH_FEED_ENTRIES),
      links,
    });
    return answerRendered(exchange, rendered(feed, ATOM_TYPE, FOR_A_MINUTE));
  };
}
