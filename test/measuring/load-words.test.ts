import { describe, expect, it } from 'vitest';
import { createJournal } from '../../lab/load/journal.ts';
import { createMix } from '../../lab/load/mix.ts';
import { readOptions } from '../../lab/load/options.ts';
import { growthIn, type Sample } from '../../lab/load/resources.ts';

describe('the options of a load', () => {
  it('have values of their own', () => {
    expect(readOptions([])).toEqual({
      kind: 'options',
      options: {
        minutes: 1,
        share: 0.7,
        rate: null,
        store: 'postgres',
        replicas: 2,
        seed: 1,
        json: false,
      },
    });
  });

  it.each<[why: string, words: string[], problem: RegExp]>([
    ['no time at all', ['--minutes', '0'], /^--minutes must be/],
    ['a word for a number', ['--rate', 'many'], /^--rate must be/],
    ['half a replica', ['--replicas', '1.5'], /^--replicas must be/],
    ['another store', ['--store', 'memory'], /^--store must be postgres or sqlite/],
    ['an option that is none', ['--fast'], /Unknown option/],
  ])('refuse %s', (_, words, problem) => {
    expect(readOptions(words)).toEqual({ kind: 'invalid', problem: expect.stringMatching(problem) });
  });
});

describe('the journal', () => {
  it('gives every acknowledged receipt once before it repeats one, and counts each once', () => {
    const journal = createJournal();
    expect(journal.takeReceipt()).toBeNull();
    journal.acknowledged('sc-1', 'http://a/');
    journal.acknowledged('sc-2', 'http://b/');
    const taken = [1, 2, 3].map(() => {
      const receipt = journal.takeReceipt();
      if (receipt !== null) journal.receiptRead(receipt, true);
      return receipt?.isNew;
    });
    expect(taken).toEqual([true, true, false]);
    expect(journal.report().receipts).toEqual({ acknowledged: 2, read: 2, missing: 0 });
  });

  it('notices one that is gone, also when it was there before', () => {
    const journal = createJournal();
    journal.acknowledged('sc-1', 'http://a/');
    const first = journal.takeReceipt();
    if (first !== null) journal.receiptRead(first, true);
    const again = journal.takeReceipt();
    if (again !== null) journal.receiptRead(again, false);
    expect(journal.report().receipts).toEqual({ acknowledged: 1, read: 1, missing: 1 });
  });
});

describe('the mix', () => {
  const answer = (status: number, body = '') => ({ status, head: `HTTP/1.1 ${status} X`, body });
  /** The first request of that kind, among many. */
  function prepared(operation: string, journal = createJournal()) {
    let seed = 0;
    const mix = createMix({
      journal,
      payments: { take: () => 'payment-signature: x\r\n', filled: async () => {}, close: async () => {} },
      tasks: ['weather'],
      sellers: ['http://127.0.1.1:9/honest'],
      etag: '"e"',
      random: () => (seed = (seed + 0.618_034) % 1),
    });
    for (let n = 0; n < 5_000; n += 1) {
      const one = mix.next();
      if (one.operation === operation) return one;
    }
    throw new Error(`no ${operation} in 5,000 requests`);
  }

  it.each<[operation: string, status: number, row: string | null]>([
    ['lookup', 200, 'lookup'],
    ['lookup', 402, 'lookup, past its quota'],
    ['lookup', 429, null],
    ['skips, known', 304, 'skips, known'],
    ['skips, known', 200, null],
    ['dry run', 429, 'dry run, past its quota'],
    ['MCP lookup', 200, 'MCP lookup'],
    ['tasks', 503, null],
  ])('%s answered with %i counts as %s', (operation, status, row) => {
    const body = '{"receipt_id":"sc-0123456789abcdef"}';
    expect(prepared(operation).answered(answer(status, body))).toBe(row);
  });

  it('believes a paid lookup only with its price, and reads that of the answer itself', () => {
    const journal = createJournal();
    const paid = prepared('paid lookup', journal);
    const others = '"receipts":[{"charged_usd":"0.001"}]';
    expect(paid.answered(answer(200, `{${others},"access":{"tier":"free"}}`))).toBeNull();
    const own = '"access":{"tier":"paid","charged_usd":"0.02"}';
    expect(paid.answered(answer(200, `{${others},${own}}`))).toBe('paid lookup');
    expect(journal.report().paid).toEqual({ answers: 1, offered: '20000', charged: '20000' });
  });

  it('counts no answer as none', () => {
    expect(prepared('tasks').answered(null)).toBeNull();
  });
});

describe('memory', () => {
  it('compares what it falls back to in the second half with the first, by the middle of ten parts', () => {
    const bytes = [
      ...[130, 900, 130, 160, 160, 160, 100, 1, 100, 120, 120, 120, 140, 140, 140],
      ...[150, 150, 150, 300, 300, 300, 110, 110, 5, 130, 130, 130, 150, 150, 150],
    ];
    const samples = bytes.map(
      (each, n): Sample => ({
        atMs: n,
        processes: { replica: { bytes: each, openFiles: n, cpuSeconds: 0 } },
      }),
    );
    const course = [130, 160, 100, 120, 140, 150, 300, 110, 130, 150];
    expect(growthIn(samples)).toEqual([
      { name: 'replica', firstBytes: 100, lastBytes: 110, ratio: 1.1, course, openFiles: 29 },
    ]);
  });

  it('says of samples that are not there that they are no number', () => {
    const one: Sample = { atMs: 0, processes: { replica: { bytes: 5, openFiles: 1, cpuSeconds: 0 } } };
    expect(growthIn([one])[0]?.ratio).toBeNaN();
  });
});
