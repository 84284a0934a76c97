import type { CursorPosition, CursorScope } from '../core/receipt/cursor.ts';
import type { ListedReceipt, LiveReceipt } from '../core/receipt/live-receipt.ts';
import type { ProbeMethod } from '../core/verdict/probe-outcome.ts';

/** Decisions of the spot-check. Append-only: a receipt is never changed, and removed only by an operator. */
export interface LiveReceiptStore {
  /** Stores before the id is given out. `urlKey` is a keyed hash of the normalised URL, because the URL is redacted. */
  add(receipt: LiveReceipt, urlKey: string): Promise<void>;
  byId(id: string): Promise<LiveReceipt | null>;
  /** The bytes of its statement; null for an unknown id and for a receipt from before there were statements. */
  statement(id: string): Promise<string | null>;
  /** The statements of these receipts by id; those that have none are missing. */
  statements(ids: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** What a listing shows, newest first, by time and then id, strictly below the position. */
  page(scope: CursorScope, below: CursorPosition, limit: number): Promise<readonly ListedReceipt[]>;
  /** The last receipts of a URL, newest first, without those that a wrong clock has dated ahead (gap L76). */
  latestOf(urlKey: string, wanted: WantedLatest): Promise<readonly LiveReceipt[]>;
  /** The same for the checks that asked so. */
  latestAsked(urlKey: string, asked: AskedSo, wanted: WantedLatest): Promise<readonly LiveReceipt[]>;
}

export interface WantedLatest {
  readonly mode: 'live' | 'dry-run';
  readonly limit: number;
  readonly now: Date;
}

/** How a check asked, which is the caller's choice. Found apart, so that no number of odd checks hides the others (gap G99). */
export interface AskedSo {
  /** In its spelling, such as '/x/' instead of '/x'. */
  readonly url: string;
  readonly method: ProbeMethod;
  /** Without a claim or an input of the caller. */
  readonly isNeutral: boolean;
}

/** Where live receipts are kept by week, from Monday to Monday UTC. */
export interface ReceiptWeeks {
  /** Makes room for the week of `now` and the next ones. Without room a receipt is still stored, but not with its week. */
  prepare(now: Date): Promise<void>;
  /** When the oldest receipt from this moment on was made; null without one. */
  oldest(since: Date): Promise<Date | null>;
  /** The statements of one mode in this time, or what older releases stored, in the order of time and id, strictly above the position. */
  read(
    mode: 'live' | 'dry-run',
    time: ReceiptTime,
    above: CursorPosition | null,
    limit: number,
  ): Promise<readonly StoredReceipt[]>;
  /** The parts before this moment that can be dropped whole, oldest first; none where receipts are in one table. */
  droppable(before: Date): Promise<readonly ReceiptTime[]>;
  /** Another text after every receipt that came to or went from such a part. */
  mark(part: ReceiptTime): Promise<string>;
  /** Drops the oldest part if its mark is still this one; false when nothing was dropped. */
  drop(part: ReceiptTime, mark: string): Promise<boolean>;
  remove(ids: readonly string[]): Promise<void>;
  /** Receipts of times that are far ahead, which a wrong clock has written; counts up to `most`. */
  ahead(most: number): Promise<number>;
}

/** `from` is inside, `to` is not. */
export interface ReceiptTime {
  readonly from: Date;
  readonly to: Date;
}

export interface StoredReceipt extends CursorPosition {
  readonly body: string;
}
