import { describe, expect, it } from 'vitest';
import { gather } from './gather.ts';
import { type CountsByRow, nameOf, type RowUse, rowsOf } from './rows.ts';

const DAY = '2026-11-15';

/** Records the keys of each statement; every statement waits for the one before it to be answered. */
function recorded() {
  const statements: string[] = [];
  const state = { fault: null as Error | null };
  const raise = async (rows: readonly RowUse[]): Promise<CountsByRow> => {
    statements.push(rows.map(({ key }) => key).join(''));
    await new Promise((done) => setImmediate(done));
    if (state.fault !== null) throw state.fault;
    return new Map(rows.map((row) => [nameOf(row), { used: 1, used_together: 0 }]));
  };
  const reserve = gather(raise);
  const use = (key: string, limit = 5) =>
    Promise.all(rowsOf([{ key, window: DAY, limit }]).map((row) => reserve(row)));
  return { statements, state, use };
}

const turn = () => new Promise((done) => setImmediate(done));

describe('reservations that come together', () => {
  it('share one statement', async () => {
    const { statements, use } = recorded();
    await Promise.all([...'abc'].map((key) => use(key)));
    expect(statements).toEqual(['abc']);
  });

  it('wait for the statement under way and share the next one', async () => {
    const { statements, use } = recorded();
    const first = use('a');
    await turn();
    await Promise.all([first, use('b'), use('c')]);
    expect(statements).toEqual(['a', 'bc']);
  });

  it('of one row take turns, in the order in which they came', async () => {
    const { statements, use } = recorded();
    await Promise.all([use('a'), use('b'), use('a'), use('a')]);
    expect(statements).toEqual(['ab', 'a', 'a']);
  });

  it('with other limits take the next statement, and nobody overtakes them', async () => {
    const { statements, use } = recorded();
    await Promise.all([use('a'), use('b', 9), use('c'), use('b')]);
    expect(statements).toEqual(['ac', 'b', 'b']);
  });

  it('are split, so that no statement is long', async () => {
    const { statements, use } = recorded();
    await Promise.all(Array.from({ length: 100 }, (_, n) => use(String.fromCharCode(1_000 + n))));
    expect(statements.map(({ length }) => length)).toEqual([64, 36]);
  });

  it('fail together, and those after them do not', async () => {
    const { state, use } = recorded();
    state.fault = new Error('the store failed');
    const failed = await Promise.allSettled([use('a'), use('b')]);
    expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    state.fault = null;
    await use('a');
  });

  it('are refused when too many wait', async () => {
    const { use } = recorded();
    const all = await Promise.allSettled(Array.from({ length: 10_001 }, (_, n) => use(`row ${n}`)));
    expect(all.filter(({ status }) => status === 'rejected')).toHaveLength(1);
  });
});
