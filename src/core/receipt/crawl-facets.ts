import { FEED_ENTRIES, NETWORKS_COUNTED, NETWORKS_SHOWN } from '../limits.ts';
import { isMismatch, isSetAside } from '../verdict/skip-codes.ts';
import { type CrawlReceipt, networkOf } from './crawl-receipt.ts';
import { priceGap } from './price-gap.ts';

/** Counts of a run by kind, made once when it is published. */
export interface RunFacets {
  /** Receipts by their code. */
  readonly reasons: ReadonlyMap<string, number>;
  /** Each URL once, under the list whose claim was compared. */
  readonly lists: ReadonlyMap<string, ListFacet>;
  /** Skips by network, the most frequent ones. */
  readonly networks: ReadonlyMap<string, number>;
  /** Skips whose price differs. */
  readonly priceGaps: number;
  /** Skips that were not skips in the previous run; those that are set aside do not count. */
  readonly newSkips: number;
  /** The ids of the most recently checked, newest first (gap L53). */
  readonly newestSkips: readonly string[];
}

export interface ListFacet {
  readonly rows: number;
  readonly skips: number;
  /** Of the skips, those whose live 402 contradicts the listing. */
  readonly disagree: number;
  /** Of the skips, those that want input first. */
  readonly setAside: number;
}

type Writable<T> = { -readonly [Key in keyof T]: T[Key] };

export interface RunningFacets {
  add(receipt: CrawlReceipt, wasSkip: boolean): void;
  total(): RunFacets;
}

export function startFacets(): RunningFacets {
  const reasons = new Map<string, number>();
  const lists = new Map<string, Writable<ListFacet>>();
  const networks = new Map<string, number>();
  const newest = newestOf(FEED_ENTRIES);
  let newSkips = 0;
  let priceGaps = 0;
  return {
    add(receipt, wasSkip) {
      const { code, sourceList, verdict } = receipt;
      reasons.set(code, (reasons.get(code) ?? 0) + 1);
      const list = lists.get(sourceList) ?? { rows: 0, skips: 0, disagree: 0, setAside: 0 };
      lists.set(sourceList, list);
      list.rows += 1;
      list.disagree += isMismatch(code) ? 1 : 0;
      if (verdict !== 'skip') return;
      list.skips += 1;
      priceGaps += priceGap(receipt) === null ? 0 : 1;
      countNetwork(networks, networkOf(receipt));
      list.setAside += isSetAside(code) ? 1 : 0;
      if (wasSkip || isSetAside(code)) return;
      newSkips += 1;
      newest.add(receipt);
    },
    total: () => ({
      reasons,
      lists,
      networks: mostFrequent(networks),
      priceGaps,
      newSkips,
      newestSkips: newest.ids(),
    }),
  };
}

/** Sellers may invent any number of networks: beyond a limit, new ones are not counted. */
function countNetwork(networks: Map<string, number>, network: string | null): void {
  if (network === null) return;
  const known = networks.get(network);
  if (known === undefined && networks.size >= NETWORKS_COUNTED) return;
  networks.set(network, (known ?? 0) + 1);
}

function mostFrequent(networks: ReadonlyMap<string, number>): ReadonlyMap<string, number> {
  const ranked = [...networks].sort(([a, left], [b, right]) => right - left || (a < b ? -1 : 1));
  return new Map(ranked.slice(0, NETWORKS_SHOWN));
}

/** Keeps the `max` most recently checked receipts of a stream. */
function newestOf(max: number) {
  let kept: { readonly id: string; readonly time: number }[] = [];
  const trim = () => {
    kept = kept.sort((a, b) => b.time - a.time || (a.id < b.id ? -1 : 1)).slice(0, max);
  };
  return {
    add({ id, checkedAt }: CrawlReceipt) {
      kept.push({ id, time: checkedAt.getTime() });
      if (kept.length >= 2 * max) trim();
    },
    ids() {
      trim();
      return kept.map(({ id }) => id);
    },
  };
}
