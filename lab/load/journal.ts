/** What the clients know by themselves, beside times: nobody has to believe the service about it. */
export interface Journal {
  /** A receipt that the service has acknowledged; it will be asked for. */
  acknowledged(id: string, url: string): void;
  /** The next receipt that nobody has asked for yet, or else one that was read before; null before the first. */
  takeReceipt(): KnownReceipt | null;
  receiptRead(receipt: KnownReceipt, found: boolean): void;
  /** Some URL that has a receipt; null before the first. */
  checkedUrl(): string | null;
  /** A caller without a free check left. */
  spent(caller: number): void;
  takeSpent(): number | null;
  /** A paid answer that came, what it was offered for, and what it says was charged. */
  delivered(offered: bigint, charged: bigint): void;
  unexpected(what: string): void;
  report(): JournalReport;
}

export interface KnownReceipt {
  readonly id: string;
  readonly isNew: boolean;
}

export interface JournalReport {
  readonly receipts: { readonly acknowledged: number; readonly read: number; readonly missing: number };
  readonly paid: { readonly answers: number; readonly offered: string; readonly charged: string };
  readonly unexpected: number;
  readonly examples: readonly string[];
}

/** Beyond it receipts would be forgotten; they are asked for faster than they are made. */
const KEPT_MAX = 200_000;
const URLS_KEPT = 64;
const SEEN_KEPT = 512;
const SPENT_KEPT = 256;
const EXAMPLES_MAX = 20;

export function createJournal(): Journal {
  const receipts = { acknowledged: 0, read: 0, missing: 0 };
  const paid = { answers: 0, offered: 0n, charged: 0n };
  const waiting: string[] = [];
  const urls: string[] = [];
  const spent: number[] = [];
  const examples: string[] = [];
  const seen: string[] = [];
  const state = { unexpected: 0, url: 0, again: 0 };
  return {
    acknowledged(id, url) {
      receipts.acknowledged += 1;
      if (waiting.length < KEPT_MAX) waiting.push(id);
      urls[state.url++ % URLS_KEPT] = url;
    },
    takeReceipt() {
      const id = waiting.shift();
      if (id !== undefined) return { id, isNew: true };
      const again = seen[state.again++ % Math.max(1, seen.length)];
      return again === undefined ? null : { id: again, isNew: false };
    },
    receiptRead({ id, isNew }, found) {
      if (isNew) seen[receipts.read % SEEN_KEPT] = id;
      if (!found) receipts.missing += 1;
      else if (isNew) receipts.read += 1;
    },
    checkedUrl: () => urls[state.url % Math.max(1, urls.length)] ?? null,
    spent(caller) {
      if (spent.length < SPENT_KEPT) spent.push(caller);
    },
    takeSpent: () => spent.shift() ?? null,
    delivered(offered, charged) {
      paid.answers += 1;
      paid.offered += offered;
      paid.charged += charged;
    },
    unexpected(what) {
      state.unexpected += 1;
      if (examples.length < EXAMPLES_MAX) examples.push(what);
    },
    report: () => ({
      receipts: { ...receipts },
      paid: { answers: paid.answers, offered: String(paid.offered), charged: String(paid.charged) },
      unexpected: state.unexpected,
      examples: [...examples],
    }),
  };
}
