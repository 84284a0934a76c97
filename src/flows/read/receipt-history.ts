import { isDatedAhead } from '../../core/is-dated-ahead.ts';
import { CRAWL_HISTORY } from '../../core/limits.ts';
import { isRedacted } from '../../core/url/redact-url.ts';
import { parseTargetUrl } from '../../core/url/target-url.ts';
import { isSetAside } from '../../core/verdict/skip-codes.ts';
import type { Verdict } from '../../core/verdict/verdict.ts';
import type { Corrections } from '../../ports/log/corrections.ts';
import type { SellerStore } from '../../ports/seller.ts';
import { checksOf, isSpelledSo, newestFirst } from './own-spelling.ts';
import type { FoundReceipt, ReceiptPorts, UrlAndMethod } from './read-receipts.ts';

/** All receipts of a receipt's URL, newest first; null for a redacted URL, which cannot be looked up. */
export async function receiptHistory(
  url: string,
  ports: ReceiptPorts,
): Promise<readonly FoundReceipt[] | null> {
  const reading = parseTargetUrl(url);
  if (reading.kind !== 'target' || isRedacted(url)) return null;
  const now = ports.clock.now();
  const { live, dryRuns, crawl } = await receiptsOf(reading.target.normalized, now, ports);
  return byTime([...live, ...dryRuns, ...crawl], now).slice(0, CRAWL_HISTORY);
}

export interface BadgePorts extends ReceiptPorts {
  readonly sellers: Pick<SellerStore, 'retestsOf'>;
  readonly corrections: Pick<Corrections, 'of'>;
}

export interface BadgeDecision {
  /** Nothing was found against an endpoint that wants input first (gap G100). */
  readonly word: Verdict['verdict'] | 'needs input';
  readonly checkedAt: Date;
}

/**
 * The latest decision that a badge may show; null without one. Re-tests count: they state no expectation. Checks with a claim or
 * an input of the caller, with another method than the listed one, or of another spelling do not count: anybody could make a
 * seller look bad with them (gaps L41 and G99).
 */
export async function badgeDecision(wanted: UrlAndMethod, ports: BadgePorts): Promise<BadgeDecision | null> {
  const { receipts, runs, keyOf, sellers, clock } = ports;
  const { target } = wanted;
  const key = keyOf(target.normalized);
  const now = clock.now();
  const crawls = await runs.latestOf(key, CRAWL_HISTORY);
  const method = wanted.method ?? crawls[0]?.method ?? 'GET';
  const last = { mode: 'live', method, onlyNeutral: true, most: 1, now } as const;
  const [checks, retests] = await Promise.all([
    checksOf(target, key, last, receipts),
    sellers.retestsOf([keyOf(target.href)], now),
  ]);
  const live = checks.map((receipt) => ({ kind: 'live', receipt }) as const);
  const crawl = crawls
    .filter((receipt) => wanted.method === null || receipt.method === method)
    .map((receipt) => ({ kind: 'crawl', receipt }) as const);
  const all = byTime([...live, ...crawl], now);
  const found = all.find(({ receipt }) => isSpelledSo(receipt, target)) ?? all[0] ?? null;
  const retest = retests.find((one) => one.method === method) ?? null;
  if (retest !== null && (found === null || retest.checkedAt > found.receipt.checkedAt)) {
    const word = retest.needsInput ? 'needs input' : retest.verdict;
    return { word: await rightWord(retest.receiptId, word, ports), checkedAt: retest.checkedAt };
  }
  if (found === null) return null;
  const { id, checkedAt } = found.receipt;
  return { word: await rightWord(id, wordOf(found), ports), checkedAt };
}

/** A verdict that we corrected is not said again. */
async function rightWord(
  receiptId: string,
  word: BadgeDecision['word'],
  { corrections }: BadgePorts,
): Promise<BadgeDecision['word']> {
  const [last] = await corrections.of(receiptId);
  return last?.is ?? word;
}

function wordOf({ kind, receipt }: FoundReceipt): BadgeDecision['word'] {
  const needsInput = kind === 'live' ? receipt.needsInput !== null : isSetAside(receipt.code);
  return needsInput ? 'needs input' : receipt.verdict;
}

async function receiptsOf(normalizedUrl: string, now: Date, { receipts, runs, keyOf }: ReceiptPorts) {
  const key = keyOf(normalizedUrl);
  const last = { limit: CRAWL_HISTORY, now };
  const [live, dryRuns, crawl] = await Promise.all([
    receipts.latestOf(key, { mode: 'live', ...last }),
    receipts.latestOf(key, { mode: 'dry-run', ...last }),
    runs.latestOf(key, CRAWL_HISTORY),
  ]);
  return {
    live: live.map((receipt) => ({ kind: 'live', receipt }) as const),
    dryRuns: dryRuns.map((receipt) => ({ kind: 'live', receipt }) as const),
    crawl: crawl.map((receipt) => ({ kind: 'crawl', receipt }) as const),
  };
}

/** Rows of a crawl may be dated ahead (gap L76). */
function byTime(found: readonly FoundReceipt[], now: Date): readonly FoundReceipt[] {
  return found
    .filter(({ receipt }) => !isDatedAhead(receipt.checkedAt.getTime(), now))
    .toSorted((left, right) => newestFirst(left.receipt, right.receipt));
}
