import { type MicroUsd, microUsd } from '../../core/money/micro-usd.ts';
import type { SpendingLimit } from './ledger.ts';
import { LedgerFault } from './ledger-fault.ts';
import { type Purchase, type PurchaseState, UNSPENT_STATES } from './purchase.ts';

/** What purchases cost together, for every limit there can be: all of them, those of a host, of a task, and of both. */
export interface Tallies {
  /** Counts a purchase as it is now, in place of how it was counted before. */
  count(purchase: Purchase): void;
  /** It is not listed any more; what it cost still counts for a limit without a beginning. */
  forget(purchase: Purchase): void;
  spent(limit: SpendingLimit): MicroUsd;
}

export function createTallies(most: number): Tallies {
  const tallies = new Map<string, Tally>();
  const tallyOf = (place: string) => {
    const known = tallies.get(place);
    if (known !== undefined) return known;
    if (tallies.size >= most * PLACES)
      throw new LedgerFault(`the ledger in memory counts only ${most} hosts and tasks`);
    const tally = createTally();
    tallies.set(place, tally);
    return tally;
  };
  return {
    count(purchase) {
      for (const place of placesOf(purchase)) tallyOf(place).count(purchase);
    },
    forget(purchase) {
      for (const place of placesOf(purchase)) tallies.get(place)?.forget(purchase);
    },
    spent({ since, host, task }) {
      const tally = tallies.get(placeOf(host, task));
      if (tally === undefined) return microUsd(0n);
      return microUsd(since === undefined ? tally.total() : tally.since(since.getTime()));
    },
  };
}

const PLACES = 4;

function placesOf({ host, task }: Purchase): readonly string[] {
  const places = [placeOf(undefined, undefined), placeOf(host, undefined)];
  return task === null ? places : [...places, placeOf(undefined, task), placeOf(host, task)];
}

function placeOf(host: string | undefined, task: string | undefined): string {
  return JSON.stringify([host ?? null, task ?? null]);
}

interface Counted {
  readonly at: number;
  amount: bigint;
}

interface Tally {
  count(purchase: Purchase): void;
  forget(purchase: Purchase): void;
  total(): bigint;
  since(time: number): bigint;
}

/** Windows move on with time: what has grown too old is subtracted once, instead of adding up the rest again and again. */
function createTally(): Tally {
  /** In the order of reservation. */
  const counted = new Map<string, Counted>();
  const recent = new Map<string, Counted>();
  let [total, sum, start] = [0n, 0n, Number.NEGATIVE_INFINITY];
  const begin = (time: number) => {
    recent.clear();
    sum = 0n;
    for (const [id, one] of counted) {
      if (one.at < time) continue;
      recent.set(id, one);
      sum += one.amount;
    }
  };
  return {
    count({ id, createdAt, amount: price, state }) {
      const amount = UNSPENT.has(state) ? 0n : price;
      const one = counted.get(id) ?? { at: createdAt.getTime(), amount: 0n };
      total += amount - one.amount;
      if (one.at >= start) {
        sum += amount - one.amount;
        recent.set(id, one);
      }
      one.amount = amount;
      counted.set(id, one);
    },
    forget({ id }) {
      const one = counted.get(id);
      if (one !== undefined && recent.delete(id)) sum -= one.amount;
      counted.delete(id);
    },
    total: () => total,
    since(time) {
      // A clock that went back, or another window.
      if (time < start) begin(time);
      start = time;
      for (const [id, one] of recent) {
        if (one.at >= time) break;
        sum -= one.amount;
        recent.delete(id);
      }
      return sum;
    },
  };
}

const UNSPENT: ReadonlySet<PurchaseState> = new Set(UNSPENT_STATES);
