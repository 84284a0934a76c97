import type { MicroUsd } from '../../core/money/micro-usd.ts';
import type { PurchaseQuery } from './ledger.ts';
import { LedgerFault } from './ledger-fault.ts';
import type { Purchase } from './purchase.ts';

const FOUND_DEFAULT = 100;
const FOUND_MAX = 10_000;

/** How many purchases `find` answers. */
export function foundMost({ limit = FOUND_DEFAULT }: PurchaseQuery): number {
  if (!Number.isInteger(limit) || limit < 0) throw new LedgerFault('the limit of a search is a whole number');
  return Math.min(limit, FOUND_MAX);
}

/** Databases add amounts up as integers, and SQLite hands them over as numbers. */
export function requireCountable(amount: MicroUsd): void {
  if (amount > COUNTABLE_MAX)
    throw new LedgerFault('a ledger counts money only up to 2^53 millionths of a dollar');
}

const COUNTABLE_MAX = BigInt(Number.MAX_SAFE_INTEGER);

const HOUR_MS = 3_600_000;
/** What expired is forgotten after so long: the longest lifetime of a signature. */
export const FORGOTTEN_AFTER_MS = 86_400_000;

/** Looking for what has expired takes longer the more purchases there are. */
export function onceAnHour(): (now: Date) => boolean {
  let last = Number.NEGATIVE_INFINITY;
  return (now) => {
    const isDue = Math.abs(now.getTime() - last) >= HOUR_MS;
    if (isDue) last = now.getTime();
    return isDue;
  };
}

/** In milliseconds. A time that is none would count in no window. */
export function timeOf(date: Date): number {
  const time = date.getTime();
  if (Number.isNaN(time)) throw new LedgerFault('a purchase has a time that is none');
  return time;
}

/** Null also when the service's own time is none: the guard then asks again. */
export function witnessedAt({ witness }: Purchase): number | null {
  const time = witness === null ? Number.NaN : Date.parse(witness.checkedAt);
  return Number.isNaN(time) ? null : time;
}
