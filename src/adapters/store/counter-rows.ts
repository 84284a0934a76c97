import type { Queries, Tables } from './engine/tables.ts';

/** A row with its two counts, as a batch changes them. */
export interface Tally {
  readonly key: string;
  readonly window: string;
  used: number;
  together: number;
  /** It is in the store already. */
  kept: boolean;
  raised: boolean;
}

/** Of all in a batch, by window and key. */
export type Tallies = ReadonlyMap<string, ReadonlyMap<string, Tally>>;

export type CounterRow = Tables['counters'];

/** How an engine reads and writes the rows of a batch within one transaction. */
export interface CounterRows {
  /** Fills in what is in the store. Nobody else changes these rows until the transaction ends. */
  hold(queries: Queries, tallies: Tallies): Promise<void>;
  /** Writes those that were raised; the others leave nothing behind. */
  write(queries: Queries, tallies: Tallies): Promise<void>;
}

export function fillIn(tally: Tally | undefined, row: Pick<CounterRow, 'used' | 'used_together'>): void {
  if (tally === undefined) return;
  tally.used = row.used;
  tally.together = row.used_together;
  tally.kept = true;
}

/** Written out once for each number of rows: a text made anew would also have to be found anew among the prepared ones. */
export function textsBySize(write: (rows: readonly number[]) => string): (size: number) => string {
  const texts: string[] = [];
  return (size) => {
    texts[size] ??= write(Array.from({ length: size }, (_, index) => index));
    return texts[size] ?? '';
  };
}
