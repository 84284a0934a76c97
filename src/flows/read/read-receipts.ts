import { CRAWL_HISTORY } from '../../core/limits.ts';
import type { CrawlReceipt } from '../../core/receipt/crawl-receipt.ts';
import {
  type CursorPosition,
  type CursorScope,
  decodeCursor,
  encodeCursor,
  newestPosition,
} from '../../core/receipt/cursor.ts';
import type { ListedReceipt, LiveReceipt } from '../../core/receipt/live-receipt.ts';
import { receiptKind } from '../../core/receipt/receipt-id.ts';
import type { TargetUrl } from '../../core/url/target-url.ts';
import type { ProbeMethod } from '../../core/verdict/probe-outcome.ts';
import type { Clock } from '../../ports/clock.ts';
import type { PublishedRuns } from '../../ports/crawl-runs.ts';
import type { LiveReceiptStore } from '../../ports/live-receipts.ts';
import { checksOf } from './own-spelling.ts';

export interface ReceiptPorts {
  readonly receipts: LiveReceiptStore;
  readonly runs: Pick<PublishedRuns, 'byId' | 'latestOf' | 'skipPage' | 'statement'>;
  readonly keyOf: (text: string) => string;
  readonly secret: string;
  readonly clock: Pick<Clock, 'now'>;
}

export type FoundReceipt =
  | { readonly kind: 'live'; readonly receipt: LiveReceipt }
  | { readonly kind: 'crawl'; readonly receipt: CrawlReceipt };

type StoredReceipts = Pick<ReceiptPorts, 'receipts' | 'runs'>;

export async function receiptById(id: string, ports: StoredReceipts): Promise<FoundReceipt | null> {
  const kind = receiptKind(id);
  if (kind === null) return null;
  if (kind === 'live') {
    const receipt = await ports.receipts.byId(id);
    return receipt === null ? null : { kind, receipt };
  }
  const receipt = await ports.runs.byId(id);
  return receipt === null ? null : { kind, receipt };
}

/** The bytes of a statement. A receipt of an older release has none. */
export async function statementById(
  id: string,
  ports: StoredReceipts,
): Promise<string | 'unknown_receipt' | 'no_statement'> {
  const kind = receiptKind(id);
  if (kind === null) return 'unknown_receipt';
  const store = kind === 'live' ? ports.receipts : ports.runs;
  const statement = await store.statement(id);
  if (statement !== null) return statement;
  return (await store.byId(id)) === null ? 'unknown_receipt' : 'no_statement';
}

export interface ReceiptsOfUrl {
  readonly latestLive: LiveReceipt | null;
  readonly latestDryRun: LiveReceipt | null;
  readonly latestCrawl: CrawlReceipt | null;
  /** The last crawl receipts, including the latest. */
  readonly history: readonly CrawlReceipt[];
}

export interface UrlAndMethod {
  readonly target: TargetUrl;
  /** Null: both methods. */
  readonly method: ProbeMethod | null;
}

/** Everything public about one URL (gap G56); null when there is nothing yet. */
export async function receiptsByUrl(
  { target, method }: UrlAndMethod,
  { receipts, runs, keyOf, clock }: ReceiptPorts,
): Promise<ReceiptsOfUrl | null> {
  const key = keyOf(target.normalized);
  const last = { method, onlyNeutral: false, most: 1, now: clock.now() };
  const [[latestLive = null], [latestDryRun = null], crawls] = await Promise.all([
    checksOf(target, key, { mode: 'live', ...last }, receipts),
    checksOf(target, key, { mode: 'dry-run', ...last }, receipts),
    runs.latestOf(key, CRAWL_HISTORY),
  ]);
  const history = crawls.filter((receipt) => method === null || receipt.method === method);
  const latestCrawl = history[0] ?? null;
  if (latestLive === null && latestDryRun === null && latestCrawl === null) return null;
  return { latestLive, latestDryRun, latestCrawl, history };
}

/** Whether anything public is stored about a URL. */
export function hasReceiptsIn(ports: ReceiptPorts): (target: TargetUrl) => Promise<boolean> {
  return async (target) => (await receiptsByUrl({ target, method: null }, ports)) !== null;
}

export interface ReceiptPage {
  readonly receipts: readonly ListedReceipt[];
  readonly nextCursor: string | null;
}

/** Newest first; null when the cursor is not one of ours for this listing (gap G52). */
export async function listReceipts(
  scope: CursorScope,
  { cursor, limit }: { readonly cursor: string | null; readonly limit: number },
  { receipts, secret, clock }: ReceiptPorts,
): Promise<ReceiptPage | null> {
  const below = cursor === null ? newestPosition(clock.now()) : decodeCursor(cursor, scope, secret);
  if (below === null) return null;
  // One row more than requested shows whether there is a next page.
  const found = await receipts.page(scope, below, limit + 1);
  const page = found.slice(0, limit);
  const last = found.length > limit ? page.at(-1) : undefined;
  return {
    receipts: page,
    nextCursor: last === undefined ? null : encodeCursor(positionOf(last), scope, secret),
  };
}

function positionOf({ checkedAt, id }: ListedReceipt): CursorPosition {
  return { checkedAt, id };
}
