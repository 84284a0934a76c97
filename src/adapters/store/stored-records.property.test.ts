import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sized } from '../../../test/support/sized.ts';
import { BASE, PAYEE, THIEF } from '../../../tools/samples/challenge.ts';
import { network } from '../../../tools/samples/listed.ts';
import { aReceipt, receiptId } from '../../../tools/samples/store-receipts.ts';
import type { EndpointCheck } from '../../core/catalog/endpoint-check.ts';
import type { Diagnostic } from '../../core/diagnose/diagnostic.ts';
import type { PaidCall } from '../../core/known-answer/paid-call.ts';
import { type MicroUsd, microUsd } from '../../core/money/micro-usd.ts';
import type { CrawlReceipt } from '../../core/receipt/crawl-receipt.ts';
import type { CrawlRun, ListSource } from '../../core/receipt/crawl-run.ts';
import type { FrozenAnswer } from '../../ports/payment-ledger.ts';
import { decodeCheck, decodePaidCall, encodeCheck, encodePaidCall } from './catalog/service-facts-codec.ts';
import {
  decodeCrawlReceipt,
  decodeCrawlRun,
  encodeCrawlReceipt,
  encodeCrawlRun,
} from './crawl/crawl-codec.ts';
import {
  decodeAnswer,
  decodePrepared,
  encodeAnswer,
  encodePrepared,
  type Prepared,
} from './payments/payment-codec.ts';
import { encodeLiveReceipt } from './receipts/receipt-codec.ts';

const any = <T>(...values: T[]) => fc.constantFrom(...values);
const or = <T>(value: fc.Arbitrary<T>) => fc.option(value);
/** Every text: control characters, halves of pairs, and names that objects treat in their own way. */
const text = fc.oneof(fc.string({ unit: 'binary' }), any('__proto__', 'constructor', '7', '', '\ud800'));
const time = fc.date({ min: new Date('2000-01-01'), max: new Date('2100-01-01'), noInvalidDate: true });
const money: fc.Arbitrary<MicroUsd> = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }).map(microUsd);
const count = fc.nat();
const caip2 = any(network(BASE), network('solana'), network('cosmos:hub_1'));
const mapOf = <T>(value: fc.Arbitrary<T>) => fc.array(fc.tuple(text, value)).map((pairs) => new Map(pairs));

const listing = fc.record({
  price: or(money),
  payTo: or(text),
  network: or(caip2),
  sourceList: text,
});
const diagnostic = fc.record<Diagnostic>({
  code: any('payee_missing', 'no_terms'),
  source: any('answer', 'header', 'body'),
  path: or(text),
});
/** Members that are absent where there is nothing to say, and in rows of older releases. */
const listings = fc.record(
  { listings: fc.array(listing), diagnostics: fc.array(diagnostic) },
  { requiredKeys: [] },
);
const statedReceipt = fc.record<CrawlReceipt>({
  id: text,
  url: text,
  claimedPrice: or(money),
  quotedPrice: or(money),
  payTo: or(any(PAYEE, THIEF)),
  verdict: any('pay', 'skip', 'recheck'),
  code: any('price_ok', 'pay_to_mismatch', 'timeout', 'path_template', 'name_not_found', 'host_silent'),
  reason: text,
  checkedAt: time,
  sourceList: text,
  listedIn: fc.array(text),
  method: any('GET', 'POST'),
  httpStatus: or(count),
  network: or(caip2),
  listedNetwork: or(caip2),
  listedPayTo: or(text),
});
const crawlReceipt: fc.Arbitrary<CrawlReceipt> = fc
  .tuple(statedReceipt, listings)
  .map(([stated, claimed]) => ({ ...stated, ...claimed }));
const source: fc.Arbitrary<ListSource> = fc.record(
  { ok: fc.boolean(), items: or(count), skipped: fc.boolean(), note: text, sha256: text },
  { requiredKeys: ['ok', 'items', 'skipped', 'note'] },
);
const crawlRun: fc.Arbitrary<CrawlRun> = fc.record({
  id: text,
  crawledAt: time,
  previousRun: or(time),
  summary: fc.record({
    endpointsCovered: count,
    newThisWeek: count,
    verdicts: fc.record({ pay: count, skip: count, recheck: count }),
    needsInput: count,
    lists: mapOf(count),
    listedIn: mapOf(count),
    featuredId: or(text),
    skipPages: count,
    receiptPages: count,
    facets: or(
      fc.record({
        reasons: mapOf(count),
        lists: mapOf(fc.record({ rows: count, skips: count, disagree: count, setAside: count })),
        networks: mapOf(count),
        priceGaps: count,
        newSkips: count,
        newestSkips: fc.array(text),
      }),
    ),
  }),
  sources: mapOf(source),
});
const frozen: fc.Arbitrary<FrozenAnswer> = fc.record({
  status: fc.integer({ min: 200, max: 599 }),
  headers: fc.array(fc.tuple(text, text)).map((pairs) => Object.fromEntries(pairs)),
  body: text,
});
const prepared: fc.Arbitrary<Prepared> = fc.record({
  answer: fc.record({
    operation: any('lookup', 'spot_check', 'pack'),
    body: text,
    receipt: or(
      fc.record({
        receipt: fc.tuple(count, or(text)).map(([n, ref]) => aReceipt({ id: receiptId(n), ref })),
        urlKey: text,
      }),
    ),
  }),
  payment: text,
});
const paidCall: fc.Arbitrary<PaidCall> = fc.record({
  calledAt: time,
  tx: or(text),
  charged: or(money),
  payTo: or(text),
  delivered: fc.boolean(),
  ourFault: fc.boolean(),
  quality: any('pass', 'fail', 'not_graded'),
  qualityReason: text,
  httpStatus: or(count),
  latencyMs: or(fc.double({ min: 0, noNaN: true, noDefaultInfinity: true })),
});
const check: fc.Arbitrary<EndpointCheck> = fc.record({
  checkedAt: time,
  reachable: fc.boolean(),
  x402Challenge: fc.boolean(),
  quotedPrice: or(money),
  priceMatchesListing: or(fc.boolean()),
});

function expectEqualAgain<T>(
  values: fc.Arbitrary<T>,
  encode: (value: T) => string,
  decode: (text: string) => T,
) {
  fc.assert(
    fc.property(values, (value) => {
      const stored = encode(value);
      // No engine takes these as they are, and JSON has another spelling for both.
      expect(stored).not.toMatch(/\0|\p{Surrogate}/u);
      expect(decode(stored)).toEqual(value);
      expect(encode(decode(stored))).toBe(stored);
    }),
    { numRuns: sized(100, 1_000) },
  );
}

const older = (receipt: CrawlReceipt) => encodeCrawlReceipt(receipt).body;
const fromOlder = (body: string) => decodeCrawlReceipt({ body, beside: null });

describe('what is stored comes back equal', () => {
  it('for receipts of a crawl of an older release', () => expectEqualAgain(crawlReceipt, older, fromOlder));
  it('for runs', () => expectEqualAgain(crawlRun, encodeCrawlRun, decodeCrawlRun));
  it('for frozen answers', () => expectEqualAgain(frozen, encodeAnswer, decodeAnswer));
  it('for prepared answers', () => expectEqualAgain(prepared, encodePrepared, decodePrepared));
  it('for paid calls', () => expectEqualAgain(paidCall, encodePaidCall, decodePaidCall));
  it('for checks of services', () => expectEqualAgain(check, encodeCheck, decodeCheck));
});

describe('an answer that an older release prepared', () => {
  it('has its receipt, which keeps its form', () => {
    const receipt = aReceipt({ seen: null, salt: null, listedMethod: null });
    const row = { answer: { operation: 'spot_check', body: '{}', receipt: null }, payment: 'x' } as const;
    const kept = { receipt: JSON.parse(encodeLiveReceipt(receipt)), urlKey: 'key' };
    const text = JSON.stringify({ ...row, answer: { ...row.answer, receipt: kept } });
    expect(decodePrepared(text).answer.receipt).toEqual({ receipt, urlKey: 'key' });
    expect(decodePrepared(encodePrepared(decodePrepared(text)))).toEqual(decodePrepared(text));
  });
});

describe('what is not ours is refused', () => {
  const [receipt] = fc.sample(crawlReceipt, { numRuns: 1, seed: 1 }).map(older);
  const good = JSON.stringify({
    ...JSON.parse(receipt ?? ''),
    claimedPrice: '10000',
    code: 'timeout',
    network: BASE,
    checkedAt: '2026-11-15T12:00:00.000Z',
  });

  it.each([
    ['an unknown code', '"code":"timeout"', '"code":"dreamt"'],
    ['a code by an inherited name', '"code":"timeout"', '"code":"toString"'],
    ['an unknown member', '"code":"timeout"', '"code":"timeout","extra":1'],
    ['a missing member', '"code":"timeout",', ''],
    ['a price as a number', '"claimedPrice":"10000"', '"claimedPrice":10000'],
    ['a price in another spelling', '"claimedPrice":"10000"', '"claimedPrice":"010000"'],
    ['a network by its old name', '"network":"eip155:8453"', '"network":"base"'],
    ['a time in another spelling', '12:00:00.000Z', '12:00:00Z'],
  ])('%s', (_, from, to) => {
    expect(() => fromOlder(good)).not.toThrow();
    const changed = good.replace(from, to);
    expect(changed).not.toBe(good);
    expect(() => fromOlder(changed)).toThrow();
  });

  it.each([
    ['a run', decodeCrawlRun],
    ['an answer', decodeAnswer],
    ['a prepared answer', decodePrepared],
    ['a paid call', decodePaidCall],
    ['a check', decodeCheck],
  ])('%s of another shape', (_, decode) => {
    for (const other of ['{}', '[]', 'null', '"text"']) expect(() => decode(other)).toThrow();
  });
});
