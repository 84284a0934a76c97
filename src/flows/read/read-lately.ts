import type { CrawlReceipt } from '../../core/receipt/crawl-receipt.ts';
import type { CrawlRun } from '../../core/receipt/crawl-run.ts';
import { newestPosition } from '../../core/receipt/cursor.ts';
import { isNeutral, type LiveReceipt } from '../../core/receipt/live-receipt.ts';
import type { GatePolicy } from '../../core/url/gate.ts';
import { parseTargetUrl } from '../../core/url/target-url.ts';
import { isMismatch } from '../../core/verdict/skip-codes.ts';
import type { Clock } from '../../ports/clock.ts';
import type { LiveReceiptStore } from '../../ports/live-receipts.ts';
import { type FeaturedPorts, featuredReceipt } from './featured-receipt.ts';

/** What happened lately, for the front page. */
export interface Lately {
  readonly checks: readonly RecentCheck[];
  /** The widest mismatch of the latest run. */
  readonly featured: CrawlReceipt | null;
}

export interface RecentCheck {
  readonly receipt: LiveReceipt;
  /** Null for an endpoint that no list names: its caller may want to keep it private. */
  readonly host: string | null;
}

export interface LatelyPorts extends FeaturedPorts {
  readonly receipts: Pick<LiveReceiptStore, 'page' | 'byId'>;
  readonly policy: Pick<GatePolicy, 'optOuts'>;
  readonly clock: Pick<Clock, 'now'>;
}

/** Read at most, to find those that may be shown. */
const CHECKS_READ = 30;
const CHECKS_SHOWN = 6;

export async function readLately(run: CrawlRun | null, ports: LatelyPorts): Promise<Lately> {
  const [checks, featured] = await Promise.all([recentChecks(ports), featuredReceipt(run, ports)]);
  return { checks, featured: featured !== null && maySayMismatch(featured, ports) ? featured : null };
}

function maySayMismatch({ url, code }: CrawlReceipt, ports: LatelyPorts): boolean {
  return isMismatch(code) && !isOptedOut(url, ports);
}

async function recentChecks(ports: LatelyPorts): Promise<readonly RecentCheck[]> {
  const newest = newestPosition(ports.clock.now());
  const listed = await ports.receipts.page({ type: 'live', ref: null }, newest, CHECKS_READ);
  const shown: RecentCheck[] = [];
  for (const { id, listing, url } of listed) {
    if (shown.length === CHECKS_SHOWN) break;
    // The newest of each URL: one endpoint must not fill the list.
    if (isOptedOut(url, ports) || shown.some(({ receipt }) => receipt.url === url)) continue;
    const receipt = await ports.receipts.byId(id);
    if (receipt === null || !(await maySayNames(receipt, ports))) continue;
    shown.push({ receipt, host: listing === null ? null : hostIn(url) });
  }
  return shown;
}

/** With a claim or an input of the caller anybody could make a seller look bad here (gap L41). */
async function maySayNames(receipt: LiveReceipt, { corrections }: LatelyPorts): Promise<boolean> {
  const isUsual = receipt.listing === null || isAskedAsListed(receipt);
  return isNeutral(receipt) && isUsual && (await corrections.of(receipt.id)).length === 0;
}

/** Another method or spelling than the listed one may well find nothing, which says nothing about the seller (gap G99). */
function isAskedAsListed({ method, listedMethod, live402 }: LiveReceipt): boolean {
  return (listedMethod === null || listedMethod === method) && live402 !== null;
}

function isOptedOut(url: string, { policy }: LatelyPorts): boolean {
  const host = hostIn(url);
  return host === null || policy.optOuts.hasHost(host);
}

function hostIn(url: string): string | null {
  const reading = parseTargetUrl(url);
  return reading.kind === 'target' ? reading.target.host : null;
}
