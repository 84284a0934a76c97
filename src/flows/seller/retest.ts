import type { Counter } from '../../core/access/quota.ts';
import {
  secondsToNextUtcHour,
  secondsToNextUtcMinute,
  utcHour,
  utcMinute,
} from '../../core/access/utc-window.ts';
import type { CrawlReceipt } from '../../core/receipt/crawl-receipt.ts';
import { RETESTS_PER_ORIGIN_HOUR } from '../../core/seller/seller-limits.ts';
import { originOf, type TargetUrl } from '../../core/url/target-url.ts';
import type { ProbeMethod } from '../../core/verdict/probe-outcome.ts';
import type { PublishedRuns } from '../../ports/crawl-runs.ts';
import type { SellerStore } from '../../ports/seller.ts';
import type { CheckRequest } from '../check/check-request.ts';
import { type Decision, makeDecision, type ReceiptPorts } from '../check/issue-receipt.ts';
import { type Blocked, type Look, type LookPorts, probeEndpoint } from '../check/look-at-endpoint.ts';
import { readKnown } from '../check/read-known.ts';
import { isSpelledSo } from '../read/own-spelling.ts';

export interface RetestPorts extends LookPorts, ReceiptPorts {
  readonly runs: Pick<PublishedRuns, 'inLatestRun' | 'skipPage'>;
  readonly sellers: Pick<SellerStore, 'keepRetest'>;
}

export type RetestResult =
  | {
      readonly kind: 'retested';
      readonly decision: Decision;
      /** The URL's row on the page of skips; null when it has none. */
      readonly skipRow: { readonly id: string; readonly page: number } | null;
    }
  | Blocked
  | { readonly kind: 'rate_limited'; readonly by: 'target' | 'retests'; readonly retryAfterSeconds: number };

export interface WantedRetest {
  readonly target: TargetUrl;
  readonly method: ProbeMethod | null;
  readonly askedBy: string;
}

/**
 * A new probe whatever is stored, judged against the listing alone (gap L111). Its receipt is a dry run: the owner may not approve
 * payments to itself.
 */
export async function retest(wanted: WantedRetest, ports: RetestPorts): Promise<RetestResult> {
  const { target, askedBy } = wanted;
  const urlKey = ports.keyOf(target.normalized);
  const listed = await ports.runs.inLatestRun(urlKey);
  const request: CheckRequest = {
    target,
    method: wanted.method ?? listed?.method ?? 'GET',
    mode: 'dry-run',
    claim: { price: null, payTo: null, network: null },
    ref: 'retest',
    task: null,
    selfTest: false,
    askedBy,
  };
  const counters = retestCounters(request, urlKey, ports);
  const conclude = (look: Look | Blocked) => {
    const decision = look.kind === 'blocked' ? null : makeDecision(request, look, ports);
    const kept =
      decision === null ? null : { receipt: decision.receipt, statement: decision.statement, urlKey };
    return { decision, kept, givenBack: [] };
  };
  const known = await readKnown(request, ports);
  const probe = await probeEndpoint(
    request,
    known,
    { counters, refunds: [], conclude, isFresh: true },
    ports,
  );
  switch (probe.kind) {
    case 'rate_limited':
      return probe;
    case 'exhausted':
      return { kind: 'rate_limited', by: 'retests', retryAfterSeconds: waitFor(probe.used, ports) };
    case 'reused':
      throw new Error('a re-test never reuses a probe');
    case 'probed': {
      const { decision } = probe.end;
      if (decision === null) return { kind: 'blocked' };
      await keep(decision, target, ports);
      return { kind: 'retested', decision, skipRow: await skipRowOf(listed, target, ports) };
    }
  }
}

/** The row of another spelling does not show this re-test. */
async function skipRowOf(listed: CrawlReceipt | null, target: TargetUrl, { runs }: RetestPorts) {
  if (listed === null || !isSpelledSo(listed, target)) return null;
  const page = await runs.skipPage(listed.id);
  return page === null ? null : { id: listed.id, page };
}

/** One a minute per URL and method, and twenty an hour per origin, as its owner proves it. */
function retestCounters(
  { target, method }: CheckRequest,
  urlKey: string,
  { keyOf, clock }: RetestPorts,
): readonly [Counter, Counter] {
  const now = clock.now();
  return [
    { key: `retest:${method}:${urlKey}`, window: utcMinute(now), limit: 1 },
    { key: `retests:${keyOf(originOf(target))}`, window: utcHour(now), limit: RETESTS_PER_ORIGIN_HOUR },
  ];
}

function waitFor([ofUrl = 0]: readonly number[], { clock }: RetestPorts): number {
  return ofUrl > 0 ? secondsToNextUtcMinute(clock.now()) : secondsToNextUtcHour(clock.now());
}

/** Kept for the spelling that was requested: '/x/' may be honest where '/x' is not (gap G99). */
async function keep(
  { receipt }: Decision,
  { href }: TargetUrl,
  { sellers, keyOf }: RetestPorts,
): Promise<void> {
  const spellingKey = keyOf(href);
  const { method, verdict, reasonText: reason, id: receiptId, checkedAt } = receipt;
  const needsInput = receipt.needsInput !== null;
  await sellers.keepRetest({ spellingKey, method, verdict, reason, needsInput, receiptId, checkedAt });
}
