import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sized } from '../../../test/support/sized.ts';
import { answered, BASE, ENTRY, header, PAYEE, paywall, THIEF } from '../../../tools/samples/challenge.ts';
import { target } from '../../../tools/samples/listed.ts';
import { aReceipt, NOON } from '../../../tools/samples/store-receipts.ts';
import { microUsd } from '../../core/money/micro-usd.ts';
import { liveReceipt } from '../../core/receipt/live-receipt.ts';
import { type Claim, expectedTerms, type Listing } from '../../core/verdict/expected-terms.ts';
import { judge } from '../../core/verdict/judge.ts';
import { observe } from '../../core/verdict/observation.ts';
import type { ProbeOutcome } from '../../core/verdict/probe-outcome.ts';
import { parseNetwork } from '../../core/x402/networks.ts';
import { decodeObservation, encodeObservation } from './probes/observation-codec.ts';
import { decodeLiveReceipt, encodeLiveReceipt } from './receipts/receipt-codec.ts';

const LARGEST = 2n ** 256n - 1n;
const any = <T>(...values: T[]) => fc.constantFrom(...values);

const entry = fc.record(
  {
    scheme: any('exact', 'upto'),
    network: any(BASE, 'base', 'solana', 'base-sepolia', 'cosmos:hub_1', '?'),
    asset: any(ENTRY.asset, ENTRY.asset.toLowerCase(), 'USD'),
    payTo: any<unknown>(PAYEE, THIEF, 7),
    amount: any<unknown>('10000', '0', String(LARGEST), 10_000, '-1'),
    maxTimeoutSeconds: any<unknown>(60, 0, 2 ** 53 - 1, 'x'),
    validBefore: any<unknown>(4_102_444_800, 1, '9999-12-31T23:59:59.999Z', '0001-01-01T00:00:00Z', 'soon'),
  },
  { requiredKeys: ['scheme', 'network', 'asset', 'payTo', 'amount'] },
);
const document = fc.record({
  x402Version: any<unknown>(1, 2, 2, '2'),
  accepts: fc.array(entry, { maxLength: 4 }),
});
const answer: fc.Arbitrary<ProbeOutcome> = fc.record({
  kind: fc.constant('answered' as const),
  status: any(402, 402, 402, 200, 503),
  headers: fc
    .tuple(document, any<[string, string][]>([], [], [['x-free-trial-remaining', '3']]), fc.boolean())
    .map(([value, trial, withHeader]) => (withHeader ? [header(value), ...trial] : trial)),
  body: fc
    .oneof(
      document.map((value) => JSON.stringify(value)),
      any('', 'not json', '{"accepts":1,"accepts":2}'),
    )
    .map((text) => new TextEncoder().encode(text)),
  bodyComplete: any(true, true, false),
});
const FAILURES: readonly ProbeOutcome[] = [
  { kind: 'headers_too_large' },
  { kind: 'timed_out' },
  { kind: 'unreachable', cause: 'name_not_found' },
  { kind: 'unreachable', cause: 'name_lookup_failed' },
  { kind: 'unreachable', cause: 'connection_failed' },
  { kind: 'unreachable', cause: 'tls_failed' },
  { kind: 'unreachable', cause: 'not_http' },
  { kind: 'blocked' },
];
const outcome: fc.Arbitrary<ProbeOutcome> = fc.oneof(
  { weight: 9, arbitrary: answer },
  {
    weight: 1,
    arbitrary: any(...FAILURES),
  },
);
const claim: fc.Arbitrary<Claim> = fc.record({
  price: any(null, microUsd(10_000n), microUsd(0n), microUsd(LARGEST)),
  payTo: any(null, PAYEE, THIEF),
  network: any(null, parseNetwork('base'), parseNetwork('solana')),
});
const listing: fc.Arbitrary<Listing | null> = fc.option(
  fc.tuple(claim, fc.string()).map(([listed, sourceList]) => ({ ...listed, sourceList })),
);
/** One outcome of every kind, and of every way to read a challenge: random ones may miss any of them. */
const OUTCOMES: readonly ProbeOutcome[] = [paywall([ENTRY]), paywall([]), answered(), ...FAILURES];
/** A check without expectations, so that the outcome alone decides. */
function unclaimed(probed: ProbeOutcome): [CheckedOnce, boolean, 'live'] {
  const request: Claim = { price: null, payTo: null, network: null };
  return [{ outcome: probed, request, listing: null, ref: null, task: null, checkedAt: NOON }, false, 'live'];
}
const text = fc.option(fc.string({ unit: 'binary' }));
const time = fc.date({ min: new Date('2000-01-01'), max: new Date('2100-01-01'), noInvalidDate: true });
const checked = fc.record({ outcome, request: claim, listing, ref: text, task: text, checkedAt: time });
type CheckedOnce = typeof checked extends fc.Arbitrary<infer Value> ? Value : never;

describe('what is stored comes back equal', () => {
  it('for observations of random challenges', () => {
    const kinds = new Set<string>();
    fc.assert(
      fc.property(outcome, (probed) => {
        const observation = observe(probed);
        kinds.add(observation.kind === 'answered' ? observation.challenge.kind : observation.kind);
        expect(decodeObservation(encodeObservation(observation))).toEqual(observation);
      }),
      { numRuns: sized(500, 5_000), examples: OUTCOMES.map((probed) => [probed]) },
    );
    expect([...kinds].sort()).toEqual(
      ['blocked', 'headers_too_large', 'none', 'readable', 'timed_out', 'unreachable', 'unreadable'].sort(),
    );
  });

  it('for receipts of random checks', () => {
    const verdicts = new Set<string>();
    fc.assert(
      fc.property(checked, fc.boolean(), any<'live' | 'dry-run'>('live', 'dry-run'), (check, flag, mode) => {
        const observation = observe(check.outcome);
        const expected = expectedTerms(check.request, check.listing);
        const { verdict } = judge(observation, expected, check.checkedAt);
        verdicts.add(verdict.verdict);
        const receipt = liveReceipt({
          ...check,
          id: 'sc-00010203fcfdfeff',
          target: target('https://a.example/x?api_key=abc'),
          method: flag ? 'GET' : 'POST',
          selfTest: flag,
          mode,
          expected,
          observation,
          probe: { probedAt: check.checkedAt, cached: flag },
          verdict,
        });
        expect(decodeLiveReceipt(encodeLiveReceipt(receipt))).toEqual(receipt);
      }),
      {
        numRuns: sized(500, 5_000),
        examples: OUTCOMES.map((probed) => unclaimed(probed)),
      },
    );
    expect([...verdicts].sort()).toEqual(['pay', 'recheck', 'skip']);
  });
});

describe('what is not ours is refused', () => {
  const good = encodeObservation(
    observe({
      kind: 'answered',
      status: 402,
      headers: [header({ x402Version: 2, accepts: [ENTRY] })],
      body: new Uint8Array(),
      bodyComplete: true,
    }),
  );

  it.each([
    ['an unknown kind', '"kind":"answered"', '"kind":"dreamt"'],
    ['an unknown member', '"status":402', '"status":402,"extra":1'],
    ['a missing member', '"status":402,', ''],
    ['an amount as a number', '"amountAtomic":"10000"', '"amountAtomic":10000'],
    ['an amount in another spelling', '"amountAtomic":"10000"', '"amountAtomic":"010000"'],
    ['a network by its old name', '"network":"eip155:8453"', '"network":"base"'],
    ['a network that is none', '"network":"eip155:8453"', '"network":"?"'],
    ['no offers', /"offers":\[.*?\]/, '"offers":[]'],
  ])('%s', (_, from, to) => {
    expect(decodeObservation(good)).not.toBeNull();
    const changed = good.replace(from, to);
    expect(changed).not.toBe(good);
    expect(decodeObservation(changed)).toBeNull();
  });

  it('a diagnostic with a code that is not in the list', () => {
    const refused = encodeObservation(observe(paywall([{ ...ENTRY, amount: '0' }])));
    expect(decodeObservation(refused)).not.toBeNull();
    expect(decodeObservation(refused.replace('"amount_zero"', '"toString"'))).toBeNull();
  });

  it('a receipt that cannot be read throws', () => {
    expect(() => decodeLiveReceipt('{}')).toThrow();
  });
});

describe('rows of releases without diagnostics', () => {
  const without = (text: string) => text.replace(/,"diagnostics":\[[^\]]*\]/, '');

  it('are observations with none', () => {
    const text = encodeObservation(observe(paywall([ENTRY])));
    expect(without(text)).not.toBe(text);
    expect(decodeObservation(without(text))).toMatchObject({ kind: 'answered', diagnostics: [] });
  });

  it('are receipts with none', () => {
    const text = encodeLiveReceipt(aReceipt());
    expect(without(text)).not.toBe(text);
    expect(decodeLiveReceipt(without(text)).diagnostics).toEqual([]);
  });
});
