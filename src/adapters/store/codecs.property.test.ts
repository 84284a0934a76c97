import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  any,
  checked,
  crawledOf,
  OUTCOMES,
  receiptOf,
  unclaimed,
} from '../../../test/support/random-checks.ts';
import { sized } from '../../../test/support/sized.ts';
import { viewOf } from '../../../test/support/vantage/views.ts';
import { ENTRY, paywall } from '../../../tools/samples/challenge.ts';
import { aReceipt } from '../../../tools/samples/store-receipts.ts';
import { observe } from '../../core/verdict/observation.ts';
import { decodeCrawlReceipt, encodeCrawlReceipt } from './crawl/crawl-codec.ts';
import { decodeObservation, encodeObservation } from './probes/observation-codec.ts';
import { decodeLiveReceipt, encodeLiveReceipt } from './receipts/receipt-codec.ts';

describe('what is stored comes back equal', () => {
  it('for observations of random challenges', () => {
    const kinds = new Set<string>();
    fc.assert(
      fc.property(checked, ({ outcome: probed, views }) => {
        const observation = observe(probed);
        kinds.add(observation.kind === 'answered' ? observation.challenge.kind : observation.kind);
        const observed = views === null ? { observation } : { observation, views: views.views };
        expect(decodeObservation(encodeObservation(observed))).toEqual(observed);
      }),
      { numRuns: sized(500, 5_000), examples: OUTCOMES.map((probed) => [unclaimed(probed)[0]]) },
    );
    expect([...kinds].sort()).toEqual(
      ['blocked', 'headers_too_large', 'none', 'readable', 'timed_out', 'unreachable', 'unreadable'].sort(),
    );
  });

  it('for receipts of random checks', () => {
    const verdicts = new Set<string>();
    fc.assert(
      fc.property(checked, fc.boolean(), any<'live' | 'dry-run'>('live', 'dry-run'), (check, flag, mode) => {
        const receipt = receiptOf(check, flag, mode);
        verdicts.add(receipt.verdict);
        expect(decodeLiveReceipt(encodeLiveReceipt(receipt))).toEqual(receipt);
      }),
      {
        numRuns: sized(500, 5_000),
        examples: OUTCOMES.map((probed) => unclaimed(probed)),
      },
    );
    expect([...verdicts].sort()).toEqual(['pay', 'recheck', 'skip']);
  });

  it('for receipts of random crawls, of which a part is not public', () => {
    fc.assert(
      fc.property(checked, fc.boolean(), (check, flag) => {
        const receipt = crawledOf(check, flag);
        const columns = encodeCrawlReceipt(receipt);
        expect(columns.body).not.toContain('listings');
        expect(columns.body).not.toContain('"required"');
        expect(columns.beside === null).toBe(!flag);
        expect(decodeCrawlReceipt(columns)).toEqual(receipt);
      }),
      { numRuns: sized(500, 5_000) },
    );
  });
});

describe('what is not ours is refused', () => {
  const seen = paywall([ENTRY]);
  const good = encodeObservation({ observation: observe(seen), views: [viewOf(seen)] });

  it.each([
    ['an unknown kind', '"kind":"answered"', '"kind":"dreamt"'],
    ['an unknown member', '"status":402', '"status":402,"extra":1'],
    ['a missing member', '"status":402,', ''],
    ['an amount as a number', '"amountAtomic":"10000"', '"amountAtomic":10000'],
    ['an amount in another spelling', '"amountAtomic":"10000"', '"amountAtomic":"010000"'],
    ['a network by its old name', '"network":"eip155:8453"', '"network":"base"'],
    ['a network that is none', '"network":"eip155:8453"', '"network":"?"'],
    ['a view with a member that is no hash', `"request":"${'0'.repeat(64)}"`, '"request":"0"'],
    ['no offers', /"offers":\[.*?\]/, '"offers":[]'],
  ])('%s', (_, from, to) => {
    expect(decodeObservation(good)).not.toBeNull();
    const changed = good.replace(from, to);
    expect(changed).not.toBe(good);
    expect(decodeObservation(changed)).toBeNull();
  });

  it('a diagnostic with a code that is not in the list', () => {
    const refused = encodeObservation({ observation: observe(paywall([{ ...ENTRY, amount: '0' }])) });
    expect(decodeObservation(refused)).not.toBeNull();
    expect(decodeObservation(refused.replace('"amount_zero"', '"toString"'))).toBeNull();
  });

  it.each([
    ['no receipt', '{}'],
    ['a statement of another form', encodeLiveReceipt(aReceipt()).replace('receipt/1', 'receipt/2')],
    ['a statement of the crawl', encodeLiveReceipt(aReceipt()).replace('receipt/1', 'crawl/1')],
    [
      'a statement with a member more',
      encodeLiveReceipt(aReceipt()).replace('"rules"', '"roles":"4","rules"'),
    ],
  ])('a receipt that cannot be read throws: %s', (_, text) => {
    expect(() => decodeLiveReceipt(text)).toThrow();
  });
});

describe('rows of releases without diagnostics', () => {
  const without = (text: string) => text.replace(/,"diagnostics":\[[^\]]*\]/, '');

  it('are observations with none', () => {
    const text = encodeObservation({ observation: observe(paywall([ENTRY])) });
    expect(without(text)).not.toBe(text);
    expect(decodeObservation(without(text))).toMatchObject({
      observation: { kind: 'answered', diagnostics: [] },
    });
  });

  it('are receipts with none', () => {
    const text = encodeLiveReceipt(aReceipt({ salt: null }));
    expect(without(text)).not.toBe(text);
    expect(decodeLiveReceipt(without(text)).diagnostics).toEqual([]);
  });
});

describe('receipts of releases without statements', () => {
  const older = aReceipt({ salt: null, seen: null, listedMethod: null });

  it('are read as they were, and keep their form when they are stored late', () => {
    const text = encodeLiveReceipt(older);
    expect(text).not.toContain('"assay"');
    expect(decodeLiveReceipt(text)).toEqual(older);
    expect(decodeLiveReceipt(encodeLiveReceipt(decodeLiveReceipt(text)))).toEqual(older);
  });
});
