import { CompiledQuery } from 'kysely';
import type { Counter } from '../../core/access/quota.ts';
import type { Reserved } from '../../ports/counter-store.ts';
import type { Queries } from './tables.ts';
import { windowEnd } from './window-end.ts';

export interface CounterRow {
  readonly key: string;
  readonly window: string;
  readonly used: number;
}

/**
 * Where one writer works at a time, what was read still holds when the counters are raised. Every lookup comes through
 * here, so it is plain SQL with its values in order.
 */
export async function reserveAlone(queries: Queries, counters: readonly Counter[]): Promise<Reserved> {
  const { rows } = await queries.executeQuery<CounterRow>(
    CompiledQuery.raw(
      `select key, window, used from counters where ${repeat('(key = ? and window = ?)', ' or ', counters)}`,
      counters.flatMap(({ key, window }) => [key, window]),
    ),
  );
  const full = fullOf(rows, counters);
  if (full !== null) return full;
  await queries.executeQuery(
    CompiledQuery.raw(
      `insert into counters (key, window, used, expires_at) values ${repeat('(?, ?, 1, ?)', ', ', counters)}
        on conflict (key, window) do update set used = used + 1`,
      counters.flatMap(({ key, window }) => [key, window, windowEnd(window)]),
    ),
  );
  return { granted: true, used: usedOf(rows, counters).map((used) => used + 1) };
}

function repeat(part: string, separator: string, counters: readonly Counter[]): string {
  return counters.map(() => part).join(separator);
}

/** A refusal when one of them is full already. A counter without a row was never used. */
export function fullOf(rows: readonly CounterRow[], counters: readonly Counter[]): Reserved | null {
  const used = usedOf(rows, counters);
  const full = counters.some(({ limit }, index) => (used[index] ?? 0) >= limit);
  return full ? { granted: false, used } : null;
}

function usedOf(rows: readonly CounterRow[], counters: readonly Counter[]): number[] {
  return counters.map((counter) => rowOf(rows, counter)?.used ?? 0);
}

export function rowOf(rows: readonly CounterRow[], { key, window }: Counter): CounterRow | undefined {
  return rows.find((row) => row.key === key && row.window === window);
}
