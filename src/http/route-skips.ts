import { readSkipsRequest } from '../wire/receipts-request.ts';
import { answerBadRequest } from './answer.ts';
import type { CrawlPages } from './crawl-pages.ts';
import type { Handler } from './exchange.ts';

/** GET /v1/skips for people, and /v1/skips.json or ?format=json for programs. */
export function skipsRoute(crawlPages: CrawlPages, form: 'html' | 'json'): Handler {
  return async (exchange) => {
    const reading = readSkipsRequest(exchange.query);
    if (reading.kind === 'bad_request') return answerBadRequest(exchange, reading);
    const { format, page } = reading.value;
    const json = form === 'json' || format === 'json';
    return crawlPages.answer(exchange, json ? 'skips' : 'skips_html', page);
  };
}
