import type { TaskIndex } from '../../core/catalog/task-index.ts';
import type { Withdrawal } from '../../core/statement/withdrawal-stub.ts';
import { parseTargetUrl } from '../../core/url/target-url.ts';
import type { SellPorts } from '../../flows/pay/sell.ts';
import type { QuotaLeft } from '../../flows/quota/quota-left.ts';
import { missingReceipt } from '../../flows/read/missing-receipt.ts';
import { type FoundReceipt, type ReceiptPorts, receiptById } from '../../flows/read/read-receipts.ts';
import { receiptHistory } from '../../flows/read/receipt-history.ts';
import { receiptVerification } from '../../flows/read/receipt-verification.ts';
import { shownPlace } from '../../flows/read/shown-place.ts';
import { type NotePorts, noteOf } from '../../flows/seller/seller-notes.ts';
import { retiredReceiptPage } from '../../pages/log/retired-receipt-page.ts';
import { withdrawnReceiptPage } from '../../pages/log/withdrawn-receipt-page.ts';
import { missingReceiptPage } from '../../pages/receipt/missing-receipt-page.ts';
import { receiptPage } from '../../pages/receipt/receipt-page.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Corrections } from '../../ports/log/corrections.ts';
import type { LogReader } from '../../ports/log/transparency-log.ts';
import type { Links } from '../../wire/responses/links.ts';
import { countingHistory } from '../admission/counting-history.ts';
import {
  type Answer,
  answer,
  answerRendered,
  type Headers,
  NO_STORE,
  type Rendered,
  rendered,
} from '../exchange/answer.ts';
import { cachedFor } from '../exchange/caching.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { HTML_HEADERS, HTML_TYPE, SCRIPTED_HTML_HEADERS } from '../exchange/html-headers.ts';
import { createRenderedCache } from '../exchange/rendered-cache.ts';
import type { CrawlPages } from './crawl-pages.ts';
import { answerWhyMissing, type MissingReceiptPorts } from './missing-receipt.ts';
import { freeShares } from './quota-left.ts';

export interface ReceiptPageParts extends Pick<Clock, 'now'> {
  readonly receipts: ReceiptPorts;
  readonly quotaLeft: QuotaLeft;
  readonly payments: Pick<SellPorts, 'payTo'>;
  readonly index: TaskIndex;
  readonly notes: NotePorts;
  readonly transparencyLog: Pick<LogReader, 'place'>;
  readonly corrections: Pick<Corrections, 'of'>;
  readonly missing: MissingReceiptPorts;
  readonly latestRun: CrawlPages['latest'];
}

export type ReceiptPages = (exchange: Exchange, id: string) => Promise<Answer>;

/** A receipt never changes, but its age and the history of its URL do. */
const KEEP_SECONDS = 30;
const FRESH_MS = 1_000;
/** About 800 pages of 20 kB. */
const KEPT_BYTES = 16_000_000;

/** GET /v1/receipts/{id} for callers that prefer a page. */
export function createReceiptPages(parts: ReceiptPageParts): ReceiptPages {
  const { now } = parts;
  const kept = createRenderedCache<Rendered | null>({
    maxBytes: KEPT_BYTES,
    fresh: { forMs: FRESH_MS, now },
  });
  return async (exchange, id) => {
    const { links } = exchange;
    const page = await kept(`${links.base} ${id}`, () => {
      const receipts = countingHistory(parts.receipts, exchange);
      return render(id, links, { ...parts, receipts });
    });
    if (page !== null) return answerRendered(exchange, page);
    return missing(exchange, id, parts);
  };
}

async function render(
  id: string,
  links: Links,
  { receipts, index, notes, corrections, transparencyLog, latestRun, now }: ReceiptPageParts,
): Promise<Rendered | null> {
  const found = await receiptById(id, receipts);
  if (found === null) return null;
  const { url } = found.receipt;
  const [history, note, verification, corrected, place] = await Promise.all([
    receiptHistory(url, receipts),
    noteOf(found.receipt, notes),
    receiptVerification(id, { ...receipts, transparencyLog }),
    corrections.of(id),
    shownPlace(found, await latestRun(), receipts.runs),
  ]);
  const reading = parseTargetUrl(url);
  const services = reading.kind === 'target' ? (index.byUrl.get(reading.target.normalized) ?? []) : [];
  const about = { found, history, services, note, verification, corrections: corrected, place };
  const at = now();
  const page = await receiptPage({ ...about, links, now: at });
  const until = approvedUntil(found, at);
  const headers = { ...SCRIPTED_HTML_HEADERS, ...cachingOf(until, at), vary: 'Accept' };
  return { ...rendered(page, HTML_TYPE, headers), ...(until === null ? {} : { until }) };
}

/** The end of an approval that is valid now; null without one. */
export function approvedUntil({ kind, receipt }: FoundReceipt, now: Date): Date | null {
  const deadline = kind === 'live' ? (receipt.approvedPayment?.deadline ?? null) : null;
  return deadline !== null && deadline > now ? deadline : null;
}

/** No cache may show expired terms as valid (gap L42), nor may one that gets the page as late as we keep it. */
export function cachingOf(until: Date | null, now: Date): Headers {
  if (until === null) return cachedFor(KEEP_SECONDS);
  const seconds = Math.floor((until.getTime() - now.getTime() - FRESH_MS) / 1_000);
  return seconds > 0 ? cachedFor(Math.min(seconds, KEEP_SECONDS)) : NO_STORE;
}

async function missing(exchange: Exchange, id: string, parts: ReceiptPageParts): Promise<Answer> {
  const why = await missingReceipt(id, parts.missing);
  switch (why.kind) {
    case 'withdrawn':
      return withdrawn(exchange, why.withdrawal);
    case 'retired':
      return retired(exchange, id, parts.missing);
    case 'unknown':
      return unknown(exchange, parts);
  }
}

async function unknown(exchange: Exchange, { quotaLeft, payments }: ReceiptPageParts): Promise<Answer> {
  exchange.facts.code = 'not_found';
  const page = await missingReceiptPage(await freeShares(exchange, quotaLeft, payments));
  const headers = { ...SCRIPTED_HTML_HEADERS, ...NO_STORE, 'content-type': HTML_TYPE, vary: 'Accept' };
  return answer(exchange, 404, page, headers);
}

async function withdrawn(exchange: Exchange, withdrawal: Withdrawal): Promise<Answer> {
  exchange.facts.code = 'withdrawn';
  const headers = { ...HTML_HEADERS, ...NO_STORE, 'content-type': HTML_TYPE, vary: 'Accept' };
  return answer(exchange, 410, await withdrawnReceiptPage(withdrawal), headers);
}

async function retired(exchange: Exchange, id: string, { archiveUrl }: MissingReceiptPorts): Promise<Answer> {
  if (archiveUrl !== null)
    return answerWhyMissing(exchange, id, { kind: 'retired' }, archiveUrl, (name) => `${name}.json`);
  exchange.facts.code = 'retired';
  const headers = { ...HTML_HEADERS, ...NO_STORE, 'content-type': HTML_TYPE, vary: 'Accept' };
  return answer(exchange, 410, await retiredReceiptPage(id), headers);
}
