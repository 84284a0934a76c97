import { singleFlight } from '../../core/concurrency/single-flight.ts';
import type { CursorScope } from '../../core/receipt/cursor.ts';
import { receiptKind } from '../../core/receipt/receipt-id.ts';
import { EVERY_SKIP } from '../../core/receipt/skip-filter.ts';
import {
  listReceipts,
  type ReceiptPage,
  type ReceiptPorts,
  receiptById,
  receiptsByUrl,
} from '../../flows/read/read-receipts.ts';
import { shownPlace } from '../../flows/read/shown-place.ts';
import { type NotePorts, noteOf } from '../../flows/seller/seller-notes.ts';
import type { Clock } from '../../ports/clock.ts';
import { readByUrlRequest, readReceiptsRequest } from '../../wire/requests/receipts-request.ts';
import { byUrlJson, checkNow } from '../../wire/responses/by-url-response.ts';
import type { Links } from '../../wire/responses/links.ts';
import { listedReceiptJson } from '../../wire/responses/live-receipt-json.ts';
import { publicReceiptJson } from '../../wire/responses/receipts/public-receipt-json.ts';
import { HISTORY_READS, readsOfUrl } from '../admission/admission.ts';
import { countingHistory } from '../admission/counting-history.ts';
import type { ReceiptCards } from '../cards/receipt-cards.ts';
import {
  answerBadRequest,
  answerProblem,
  answerRendered,
  type Handler,
  type Rendered,
  renderedJson,
} from '../exchange/answer.ts';
import { FOR_EVER, FOR_HALF_A_MINUTE } from '../exchange/caching.ts';
import { prefersHtml } from '../exchange/prefers-html.ts';
import { createRenderedCache } from '../exchange/rendered-cache.ts';
import { createSellerRevision } from '../exchange/seller-revision.ts';
import type { CrawlPages } from './crawl-pages.ts';
import { answerMissing, type MissingReceiptPorts } from './missing-receipt.ts';
import type { ReceiptPages } from './receipt-pages.ts';

/** A receipt never changes, so caches may keep it (gap G82). */
const IMMUTABLE = { ...FOR_EVER, vary: 'Accept' };
/** The seller may withdraw its reply. */
const REPLIED = { ...FOR_HALF_A_MINUTE, vary: 'Accept' };
/** About 2,500 receipts. */
const KEPT_BYTES = 8_000_000;

export interface ReceiptRouteParts extends Pick<Clock, 'now'> {
  readonly receipts: ReceiptPorts;
  readonly notes: NotePorts;
  readonly missing: MissingReceiptPorts;
  readonly latestRun: CrawlPages['latest'];
}

/** GET /v1/receipts/{id}: JSON for programs, a page for callers that prefer one; {id}.json is always JSON, {id}.png a picture. */
export function receiptRoute(
  { receipts, notes, now, missing, latestRun }: ReceiptRouteParts,
  pages: ReceiptPages,
  cards: ReceiptCards,
): Handler {
  const revision = createSellerRevision(notes.sellers, now);
  const kept = createRenderedCache<Rendered | null>({ maxBytes: KEPT_BYTES });
  return async (exchange, name) => {
    if (name.endsWith(PNG_ENDING)) return cards(exchange, name.slice(0, -PNG_ENDING.length));
    const isNamedJson = name.endsWith(JSON_ENDING);
    if (!isNamedJson && prefersHtml(exchange.header('accept'))) return pages(exchange, name);
    const id = isNamedJson ? name.slice(0, -JSON_ENDING.length) : name;
    // Without a question to the store, which may be down.
    if (receiptKind(id) === null) return answerProblem(exchange, NO_SUCH_RECEIPT);
    const { links } = exchange;
    const { isForModel } = exchange;
    // Another revision also means that receipts may have been withdrawn; another run, that on_page leads elsewhere.
    const run = receiptKind(id) === 'crawl' ? await latestRun() : null;
    const key = `${await revision()} ${run?.id} ${isForModel} ${links.base} ${id}`;
    const receipt = await kept(key, async () => {
      const found = await receiptById(id, receipts);
      if (found === null) return null;
      const place = await shownPlace(found, run, receipts.runs);
      const reply = isForModel ? null : ((await noteOf(found.receipt, notes))?.reply ?? null);
      const json = publicReceiptJson(found, links, { place, reply });
      return renderedJson(json, reply === null ? IMMUTABLE : REPLIED);
    });
    if (receipt !== null) return answerRendered(exchange, receipt);
    return answerMissing(exchange, id, missing, (name) => `${name}.json`);
  };
}

const NO_SUCH_RECEIPT = { code: 'not_found', detail: 'No receipt has this id.' } as const;
const JSON_ENDING = '.json';
const PNG_ENDING = '.png';

/** GET /v1/receipts/by-url */
export function receiptsByUrlRoute(parts: ReceiptPorts): Handler {
  return async (exchange) => {
    exchange.facts.route = '/v1/receipts/by-url';
    const reading = readByUrlRequest(exchange.query);
    if (reading.kind === 'bad_request') return answerBadRequest(exchange, reading);
    const { target, method } = reading.value;
    exchange.cost.reads = readsOfUrl(target);
    // Made before, so that a history counts once.
    const counting = countingHistory(parts, exchange);
    if (method !== null) exchange.cost.reads += HISTORY_READS;
    const found = await receiptsByUrl(reading.value, counting);
    if (found !== null)
      return answerRendered(exchange, renderedJson(byUrlJson(found, exchange.links), FOR_HALF_A_MINUTE));
    return answerProblem(exchange, {
      code: 'no_receipt',
      detail:
        'There is no receipt for this URL yet. check_now runs a dry run: one unpaid request and a public receipt, never an approval.',
      members: checkNow(target.href, exchange.links),
    });
  };
}

/** GET /v1/receipts: the crawl without a type, stored spot-checks with one. */
export function receiptListRoute(parts: ReceiptPorts, crawlPages: CrawlPages): Handler {
  // Shared by concurrent callers, and not kept: a receipt is listed as soon as its id is given out (gap G55).
  const once = singleFlight<string, Rendered | null>();
  return async (exchange) => {
    const reading = readReceiptsRequest(exchange.query);
    if (reading.kind === 'bad_request') return answerBadRequest(exchange, reading);
    const request = reading.value;
    if (request.kind === 'crawl')
      return crawlPages.answer(exchange, { form: 'receipts', page: request.page, filter: EVERY_SKIP });
    const { scope, cursor, limit } = request;
    const { links } = exchange;
    const key = JSON.stringify([links.base, scope.type, scope.ref, cursor, limit]);
    const listing = await once(key, async () => {
      const page = await listReceipts(scope, { cursor, limit }, parts);
      return page === null ? null : renderListing(links, scope, limit, page);
    });
    if (listing !== null) return answerRendered(exchange, listing);
    const detail = 'cursor must be a next_cursor of this listing.';
    return answerProblem(exchange, { code: 'bad_request', field: 'cursor', detail });
  };
}

function renderListing(
  links: Links,
  { type, ref }: CursorScope,
  limit: number,
  { receipts, nextCursor }: ReceiptPage,
): Rendered {
  const next = nextCursor === null ? null : nextUrl(links, { type, ref, limit, cursor: nextCursor });
  const body = {
    type,
    ref,
    limit,
    count: receipts.length,
    receipts: receipts.map((receipt) => listedReceiptJson(receipt, links)),
    next_cursor: nextCursor,
    next,
  };
  const link = next === null ? {} : { link: `<${next}>; rel="next"` };
  return renderedJson(body, { ...FOR_HALF_A_MINUTE, ...link });
}

interface NextPage extends CursorScope {
  readonly limit: number;
  readonly cursor: string;
}

function nextUrl({ receipts }: Links, { type, ref, limit, cursor }: NextPage): string {
  const query = new URLSearchParams({ type, ...(ref === null ? {} : { ref }), limit: String(limit), cursor });
  return `${receipts}?${query}`;
}
