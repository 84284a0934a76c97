import type { ListSource } from '../receipt/crawl-run.ts';
import type { CrawlSummary } from '../receipt/crawl-summary.ts';
import type { CrawlCode } from '../verdict/crawl-words.ts';

/** Why a finished run says more about our own connection than about the endpoints. */
export type HoldReason = 'no_list_read' | 'most_unheard';

export function holdForLists(sources: Iterable<ListSource>): HoldReason | null {
  const wanted = [...sources].filter(({ skipped }) => !skipped);
  return wanted.length > 0 && wanted.every(({ items }) => items === null) ? 'no_list_read' : null;
}

/** No HTTP response came from the endpoint. */
const UNHEARD: readonly CrawlCode[] = ['timeout', 'unreachable', 'name_not_found', 'host_silent'];
/** No request was sent, so nothing was to be heard. */
const UNASKED: readonly CrawlCode[] = ['path_template', 'ssrf_blocked'];
/** With fewer, a few sellers that are down look like a connection that is. */
const UNHEARD_MIN = 10;

export function holdForAnswers({ endpointsCovered, facets }: CrawlSummary): HoldReason | null {
  const count = (codes: readonly CrawlCode[]) =>
    codes.reduce((sum, code) => sum + (facets?.reasons.get(code) ?? 0), 0);
  const unheard = count(UNHEARD);
  const asked = endpointsCovered - count(UNASKED);
  return unheard >= UNHEARD_MIN && unheard * 2 > asked ? 'most_unheard' : null;
}
