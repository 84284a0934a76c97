import type { CrawlReceipt } from '../receipt/crawl-receipt.ts';
import type { ListSource } from '../receipt/crawl-run.ts';
import { hostOf } from '../receipt/skip-filter.ts';
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
/** With fewer endpoints, a few sellers that are down look like a connection that is. */
const UNHEARD_MIN = 10;

export type Answer = Pick<CrawlReceipt, 'url' | 'code'>;

export interface AnswerTally {
  add(answer: Answer): void;
  holdReason(): HoldReason | null;
}

/** Counts by host: anybody can list any number of URLs of one dead host. */
export function tallyAnswers(): AnswerTally {
  /** The endpoints of a host that were heard, less those that were not. */
  const balances = new Map<string, number>();
  let unheard = 0;
  return {
    add({ url, code }) {
      if (UNASKED.includes(code)) return;
      const isUnheard = UNHEARD.includes(code);
      unheard += isUnheard ? 1 : 0;
      const host = hostOf(url);
      balances.set(host, (balances.get(host) ?? 0) + (isUnheard ? -1 : 1));
    },
    holdReason() {
      const unheardHosts = [...balances.values()].filter((balance) => balance < 0).length;
      return unheard >= UNHEARD_MIN && unheardHosts * 2 > balances.size ? 'most_unheard' : null;
    },
  };
}

const FIRST_PAUSE_MS = 30 * 60_000;
const PAUSE_MAX_MS = 24 * 60 * 60_000;

/** When sellers are dead, and not our connection, the others must not be asked again every half hour. */
export function pauseAfterHold(previousPauseMs: number | null): number {
  return previousPauseMs === null ? FIRST_PAUSE_MS : Math.min(previousPauseMs * 2, PAUSE_MAX_MS);
}
