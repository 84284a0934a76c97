import { describe, expect, it } from 'vitest';
import type { Reserved } from '../../ports/counter-store.ts';
import type { CounterRow } from './counter-rows.ts';
import type { Queries } from './engine/tables.ts';
import type { Writes } from './engine/writes.ts';
import { plainUse } from './raise-counters.ts';
import { reserveAtOnce } from './reserve-at-once.ts';

const DAY = '2026-11-15';

/** A server with one count for each key, which says what it was asked; test/contract holds the real one. */
function server(before: Readonly<Record<string, number>> = {}) {
  const used = new Map(Object.entries(before));
  const asked: string[] = [];
  const state = { fault: null as Error | null };
  const rowOf = (key: string): CounterRow => ({
    key,
    window: DAY,
    used: used.get(key) ?? 0,
    used_together: 0,
  });
  const execute = async ({ parameters }: { readonly parameters: readonly unknown[] }) => {
    // As the statements of this file hand them over.
    const [, keys, limit, , times] = parameters as [unknown, string[], number, unknown, number[] | undefined];
    asked.push(times === undefined ? `count ${keys}` : `raise ${keys} by ${times}`);
    if (state.fault !== null) throw state.fault;
    if (times === undefined) return { rows: keys.map(rowOf) };
    const raised = keys.filter((key, n) => (used.get(key) ?? 0) + (times[n] ?? 0) <= limit);
    for (const key of raised) used.set(key, (used.get(key) ?? 0) + (times[keys.indexOf(key)] ?? 0));
    return { rows: raised.map(rowOf) };
  };
  // All that is asked of them here.
  const queries = { executeQuery: execute } as unknown as Queries;
  const writes: Writes = {
    one: (work) => work(queries),
    unit: (work) => work(queries),
    end: async () => {},
  };
  const reserve = reserveAtOnce(queries, writes);
  const use = (key: string): Promise<Reserved> => {
    const plain = plainUse([{ key, window: DAY, limit: 5 }]);
    return plain === null ? Promise.reject(new Error('not plain')) : reserve(plain);
  };
  const together = async (keys: string) => {
    const answers = await Promise.all([...keys].map(use));
    return answers.map(({ granted, used: [count] }) => `${granted ? '' : 'no '}${count}`).join(', ');
  };
  return { asked, state, use, together };
}

describe('uses of one row each, on PostgreSQL', () => {
  it.each([
    ['of one row are one statement', {}, 'aaa', '1, 2, 3', ['raise a by 3']],
    ['of many rows as well, in a fixed order', {}, 'bab', '1, 1, 2', ['raise a,b by 1,2']],
    ['beyond the limit are refused with it', {}, 'aaaaaaa', '1, 2, 3, 4, 5, no 5, no 5', ['raise a by 5']],
    [
      'are tried one by one when all of them are too many, which tells how much room there is',
      { a: 2 },
      'aaaa',
      '3, 4, 5, no 5',
      ['raise a by 4', 'raise a by 1', 'raise a by 2'],
    ],
    [
      'of a full row are counted once',
      { a: 5 },
      'aa',
      'no 5, no 5',
      ['raise a by 2', 'raise a by 1', 'count a'],
    ],
    ['of a full row keep nobody else', { a: 5 }, 'ab', 'no 5, 1', ['raise a,b by 1,1', 'count a']],
  ])('%s', async (_, before, keys, answers, statements) => {
    const { asked, together } = server(before);
    expect(await together(keys)).toBe(answers);
    expect(asked).toEqual(statements);
  });

  it('wait for the statement that is under way, and then go together', async () => {
    const { asked, use } = server();
    const first = use('a');
    await new Promise((done) => setImmediate(done));
    await Promise.all([first, use('b'), use('a'), use('c')]);
    expect(asked).toEqual(['raise a by 1', 'raise a,b,c by 1,1,1']);
  });

  it('fail together, and those after them do not', async () => {
    const { state, use } = server();
    state.fault = new Error('the store failed');
    const results = Promise.allSettled([...'aaaaaa'].map(use));
    await new Promise((done) => setImmediate(done));
    state.fault = null;
    const kinds = (await results).map(({ status }) => status);
    // The sixth could not be granted with the five, so it was not part of what failed.
    expect(kinds).toEqual([...Array.from({ length: 5 }, () => 'rejected'), 'fulfilled']);
    expect(await use('a')).toEqual({ granted: true, used: [2] });
  });
});
