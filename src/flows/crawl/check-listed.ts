import type { ListedEndpoint } from '../../core/crawl/listed-endpoint.ts';
import { firstRequest, type PlannedRequest, secondRequest } from '../../core/crawl/probe-plan.ts';
import {
  type CrawledEndpoint,
  type CrawlReceipt,
  crawlReceipt,
  listingsOf,
} from '../../core/receipt/crawl-receipt.ts';
import { crawlReceiptId } from '../../core/receipt/receipt-id.ts';
import { countedListing } from '../../core/verdict/counted-listing.ts';
import { expectationFor } from '../../core/verdict/expectation.ts';
import { judge } from '../../core/verdict/judge.ts';
import { type Reading, readOutcome } from '../../core/verdict/reading.ts';
import type { Clock } from '../../ports/clock.ts';
import type { ListeningProber } from './silent-host.ts';

const NO_CLAIM = { price: null, payTo: null, network: null };

/** One unpaid request, a second one with example parameters after a 4xx (gap G71), and the same judge as everywhere. */
export async function checkListed(
  runId: string,
  listed: ListedEndpoint,
  prober: Pick<ListeningProber, 'probe' | 'isSilent'>,
  { now }: Pick<Clock, 'now'>,
): Promise<CrawlReceipt> {
  const id = crawlReceiptId(runId, listed.target.normalized);
  const first = firstRequest(listed);
  const listing = countedListing(listingsOf(listed), []);
  const nothing = { id, listed, listing, offer: null, httpStatus: null };
  if (first.kind === 'path_template') return crawlReceipt({ ...nothing, checkedAt: now(), finding: first });
  if (prober.isSilent())
    return crawlReceipt({ ...nothing, checkedAt: now(), finding: { kind: 'host_silent' } });
  let reading = readOutcome(await prober.probe(probeOf(first)));
  const second = reading.kind === 'answered' ? secondRequest(listed, reading.status) : null;
  if (second !== null) reading = readOutcome(await prober.probe(probeOf(second)));
  return crawlReceipt(judged(id, listed, reading, now()));
}

function probeOf({ target, method, body }: PlannedRequest) {
  return body === null ? { target, method } : { target, method, body };
}

function judged(id: string, listed: ListedEndpoint, reading: Reading, checkedAt: Date): CrawledEndpoint {
  const claims = { request: NO_CLAIM, listed: listingsOf(listed), catalog: [] };
  const { expected, listing } = expectationFor(claims, reading);
  const { verdict, offer } = judge(reading, expected, checkedAt);
  const httpStatus = reading.kind === 'answered' ? reading.status : null;
  return {
    id,
    listed,
    ...(listing === null ? {} : { listing }),
    finding: { kind: 'judged', verdict },
    offer,
    httpStatus,
    checkedAt,
  };
}

/** The receipt under another id, after a collision (gap G54). */
export function renamed(
  receipt: CrawlReceipt,
  runId: string,
  normalized: string,
  attempt: number,
): CrawlReceipt {
  return { ...receipt, id: crawlReceiptId(runId, normalized, attempt) };
}
