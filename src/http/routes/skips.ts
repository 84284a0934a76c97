import { readSkipsRequest } from '../../wire/requests/skips-request.ts';
import { answerBadRequest, type Handler } from '../exchange/answer.ts';
import type { CrawlForm, CrawlPages } from './crawl-pages.ts';

/** GET /v1/skips as a page, and its other formats; ?format=json on the page gives JSON. */
export function skipsRoute(crawlPages: CrawlPages, form: Exclude<CrawlForm, 'receipts'>): Handler {
  return (exchange) => {
    const reading = readSkipsRequest(exchange.query);
    if (reading.kind === 'bad_request') return answerBadRequest(exchange, reading);
    const { format, page, filter } = reading.value;
    const json = form === 'skips_html' && format === 'json';
    return crawlPages.answer(exchange, { form: json ? 'skips' : form, page, filter });
  };
}
