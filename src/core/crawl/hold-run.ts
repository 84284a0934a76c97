import type { CrawlReceipt } from '../receipt/crawl-receipt.ts';
import type { ListSource } from '../receipt/crawl-run.ts';
import { hostOf } from '../receipt/skip-filter.ts';
import { addressGroup } from '../url/address-group.ts';
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
/** The codes of endpoints that gave no answer. */
export const UNANSWERED: readonly CrawlCode[] = [...UNHEARD, ...UNASKED];
/** With fewer endpoints, a few sellers that are down look like a connection that is. */
const ENOUGH = 10;

export type Answer = Pick<CrawlReceipt, 'url' | 'code'>;

export interface AnswerTally {
  /** `wasHeard`: the run before has an answer of the endpoint. */
  add(answer: Answer, wasHeard: boolean): void;
  holdReason(): HoldReason | null;
}

/**
 * Names that do not exist, and hosts that never answered, cost nothing: anybody can list more of them than there are sellers, and no
 * run would be published again. So those count that were heard before, as soon as there are enough.
 */
export function tallyAnswers(): AnswerTally {
  const [known, all] = [tallySites(), tallySites()];
  return {
    add(answer, wasHeard) {
      if (UNASKED.includes(answer.code)) return;
      all.add(answer);
      if (wasHeard) known.add(answer);
    },
    holdReason: () => ((known.endpoints() < ENOUGH ? all : known).areMostUnheard() ? 'most_unheard' : null),
  };
}

/** Counts by site: anybody can list any number of URLs of one dead host, and of names below one domain. */
function tallySites() {
  /** The endpoints of a site that were heard, less those that were not. */
  const balances = new Map<string, number>();
  let endpoints = 0;
  let unheard = 0;
  return {
    add({ url, code }: Answer): void {
      const isUnheard = UNHEARD.includes(code);
      endpoints += 1;
      unheard += isUnheard ? 1 : 0;
      const site = siteOf(hostOf(url));
      balances.set(site, (balances.get(site) ?? 0) + (isUnheard ? -1 : 1));
    },
    endpoints: () => endpoints,
    areMostUnheard(): boolean {
      const unheardSites = [...balances.values()].filter((balance) => balance < 0).length;
      return unheard >= ENOUGH && unheardSites * 2 > balances.size;
    },
  };
}

/**
 * The last two labels of a name: sellers of one hosting company count together, which is as good for a sample. An address counts as one
 * elsewhere does, so that nobody has more sites than names or addresses that cost something.
 */
function siteOf(host: string): string {
  return /[\]0-9]$/.test(host)
    ? addressGroup(host.replace(/^\[|\]$/g, ''))
    : host.split('.').slice(-2).join('.');
}

const FIRST_PAUSE_MS = 30 * 60_000;
export const PAUSE_MAX_MS = 24 * 60 * 60_000;

/** When sellers are dead, and not our connection, the others must not be asked again every half hour. */
export function pauseAfterHold(previousPauseMs: number | null): number {
  return previousPauseMs === null ? FIRST_PAUSE_MS : Math.min(previousPauseMs * 2, PAUSE_MAX_MS);
}
