import { describe, expect, it } from 'vitest';
import { bytes } from '../../../test/support/judging.ts';
import { crawledOf, receiptOf } from '../../../test/support/random-checks.ts';
import { viewOf } from '../../../test/support/vantage/views.ts';
import { answered, ENTRY, header } from '../../../tools/samples/challenge.ts';
import { NOON } from '../../../tools/samples/store-receipts.ts';
import { needsInputOf } from '../input/needs-input.ts';
import { VANTAGES_MAX } from '../vantage/vantage-limits.ts';
import type { Views } from '../vantage/view.ts';
import { observe } from '../verdict/observation.ts';
import { readStatement } from './read-statement.ts';
import { statementOfCrawl } from './stated-crawl.ts';
import { statementOfLive } from './stated-live.ts';

const LONGEST = 'x'.repeat(128);
/** Every entry has the longest tokens and as many faults as fit in one. */
const entries = (text: string) =>
  Array.from({ length: 64 }, (_, n) => ({
    ...ENTRY,
    asset: LONGEST,
    payTo: text,
    amount: String(2n ** 256n - 1n - BigInt(n)),
    PayTo: 'y',
    Amount: '1',
    maxTimeoutSeconds: '60',
    validBefore: 'soon',
    extra: { name: 7, version: 7, assetTransferMethod: 'permit2' },
  }));

const check = (outcome: ReturnType<typeof answered>, views: Views | null = null) => ({
  outcome,
  request: { price: null, payTo: LONGEST, network: null },
  listing: { price: null, payTo: LONGEST, network: null, sourceList: LONGEST },
  ref: 'r'.repeat(64),
  task: 't'.repeat(64),
  checkedAt: NOON,
  views,
});

/** Close to the most that a vantage may say. */
const largestView = (n: number) =>
  viewOf(answered({ status: 402, body: bytes({ x402Version: 1, accepts: entries(LONGEST) }) }), NOON, n);

describe('what is stored can be read', () => {
  it.each([
    ['64 entries in the header and other 64 in the body', LONGEST],
    ['payees that JSON writes with escapes', '"\\'.repeat(64)],
  ])('%s', (_, payee) => {
    const largest = check(
      answered({
        status: 402,
        headers: [header({ x402Version: 2, accepts: entries(LONGEST) })],
        body: bytes({ x402Version: 1, accepts: entries(payee) }),
      }),
      { needed: VANTAGES_MAX, views: Array.from({ length: VANTAGES_MAX }, (_, n) => largestView(n)) },
    );
    const text = statementOfLive(receiptOf(largest, true, 'live')) ?? '';
    expect(text.length).toBeGreaterThan(50_000);
    expect(readStatement(text)).not.toBeNull();
    expect(readStatement(statementOfCrawl(crawledOf(largest, true)) ?? '')).not.toBeNull();
  });

  it('an example of a listing with as many members as an input may have', () => {
    const outcome = answered({ status: 422 });
    const observation = observe(outcome);
    if (observation.kind !== 'answered') throw new Error('it should be an answer');
    const body = JSON.stringify(Object.fromEntries(Array.from({ length: 1_000 }, (_, n) => [`k${n}`, n])));
    const listed = { method: null, example: { query: [], body }, built: null, path: [], required: ['q'] };
    const needsInput = needsInputOf(observation, 'GET', listed);
    const text = statementOfLive({ ...receiptOf(check(outcome), true, 'live'), needsInput }) ?? '';
    expect(readStatement(text)).toMatchObject({ needsInput });
  });
});
