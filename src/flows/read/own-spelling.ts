import { CRAWL_HISTORY } from '../../core/limits.ts';
import { order } from '../../core/order.ts';
import { isNeutral, type LiveReceipt } from '../../core/receipt/live-receipt.ts';
import { commonSpelling } from '../../core/url/redact-url.ts';
import type { TargetUrl } from '../../core/url/target-url.ts';
import type { ProbeMethod } from '../../core/verdict/probe-outcome.ts';
import type { LiveReceiptStore } from '../../ports/live-receipts.ts';

export interface WantedChecks {
  readonly mode: 'live' | 'dry-run';
  /** Null: both. */
  readonly method: ProbeMethod | null;
  /** Without those that had a claim or an input of the caller. */
  readonly onlyNeutral: boolean;
  readonly most: number;
  readonly now: Date;
}

/**
 * The last checks of a URL in the spelling that was asked for, newest first. Without any: those of other spellings that brought
 * a readable challenge. So nobody can make a seller look dead by checking its URL oddly (gap G99).
 */
export async function checksOf(
  { href }: TargetUrl,
  urlKey: string,
  wanted: WantedChecks,
  receipts: Pick<LiveReceiptStore, 'latestOf' | 'latestAsked'>,
): Promise<readonly LiveReceipt[]> {
  const { mode, most, now } = wanted;
  const asked = waysOfAsking(wanted).map((way) =>
    receipts.latestAsked(urlKey, { url: href, ...way }, { mode, limit: most, now }),
  );
  const own = (await Promise.all(asked)).flat().toSorted(newestFirst);
  if (own.length > 0) return own.slice(0, most);
  const others = await receipts.latestOf(urlKey, { mode, limit: CRAWL_HISTORY, now });
  return others.filter((receipt) => receipt.live402 !== null && isWanted(receipt, wanted)).slice(0, most);
}

function waysOfAsking({ method, onlyNeutral }: WantedChecks) {
  const methods: readonly ProbeMethod[] = method === null ? ['GET', 'POST'] : [method];
  const neutral = onlyNeutral ? [true] : [true, false];
  return methods.flatMap((one) => neutral.map((isNeutral) => ({ method: one, isNeutral })));
}

function isWanted(receipt: LiveReceipt, { method, onlyNeutral }: WantedChecks): boolean {
  return (method === null || receipt.method === method) && (!onlyNeutral || isNeutral(receipt));
}

export function newestFirst(
  left: Pick<LiveReceipt, 'checkedAt' | 'id'>,
  right: Pick<LiveReceipt, 'checkedAt' | 'id'>,
): number {
  return order(right.checkedAt.getTime(), left.checkedAt.getTime()) || order(right.id, left.id);
}

export function isSpelledSo({ url }: Pick<LiveReceipt, 'url'>, { href }: TargetUrl): boolean {
  return commonSpelling(url) === commonSpelling(href);
}
