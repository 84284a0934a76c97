import fc from 'fast-check';
import { microUsd } from '../../src/core/money/micro-usd.ts';
import { type CrawlReceipt, crawlReceipt } from '../../src/core/receipt/crawl-receipt.ts';
import { type LiveReceipt, liveReceipt } from '../../src/core/receipt/live-receipt.ts';
import type { Views } from '../../src/core/vantage/view.ts';
import { type Claim, expectedTerms, type Listing } from '../../src/core/verdict/expected-terms.ts';
import { judgeViews } from '../../src/core/verdict/judge-views.ts';
import { observe } from '../../src/core/verdict/observation.ts';
import type { ProbeMethod, ProbeOutcome } from '../../src/core/verdict/probe-outcome.ts';
import { parseNetwork } from '../../src/core/x402/networks.ts';
import { answered, BASE, ENTRY, header, PAYEE, paywall, THIEF } from '../../tools/samples/challenge.ts';
import { target } from '../../tools/samples/listed.ts';
import { NOON, SALT } from '../../tools/samples/store-receipts.ts';
import { viewOf } from './vantage/views.ts';

const LARGEST = 2n ** 256n - 1n;
export const any = <T>(...values: T[]) => fc.constantFrom(...values);

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
  status: any(402, 402, 402, 200, 503, 400, 404, 405),
  headers: fc
    .tuple(
      document,
      any<[string, string][]>([], [], [['x-free-trial-remaining', '3']], [['allow', 'POST, PUT']]),
      fc.boolean(),
    )
    .map(([value, trial, withHeader]) => (withHeader ? [header(value), ...trial] : trial)),
  body: fc
    .oneof(
      document.map((value) => JSON.stringify(value)),
      any('', 'not json', '{"accepts":1,"accepts":2}', '{"missing":["q"]}'),
    )
    .map((text) => new TextEncoder().encode(text)),
  bodyComplete: any(true, true, false),
});
export const FAILURES: readonly ProbeOutcome[] = [
  { kind: 'headers_too_large' },
  { kind: 'timed_out' },
  { kind: 'unreachable', cause: 'name_not_found' },
  { kind: 'unreachable', cause: 'name_lookup_failed' },
  { kind: 'unreachable', cause: 'connection_failed' },
  { kind: 'unreachable', cause: 'tls_failed' },
  { kind: 'unreachable', cause: 'not_http' },
  { kind: 'blocked' },
];
export const outcome: fc.Arbitrary<ProbeOutcome> = fc.oneof(
  { weight: 9, arbitrary: answer },
  {
    weight: 1,
    arbitrary: any(...FAILURES),
  },
);
export const claim: fc.Arbitrary<Claim> = fc.record({
  price: any(null, microUsd(10_000n), microUsd(0n), microUsd(LARGEST)),
  payTo: any(null, PAYEE, THIEF),
  network: any(null, parseNetwork('base'), parseNetwork('solana')),
});
const listing: fc.Arbitrary<Listing | null> = fc.option(
  fc.tuple(claim, fc.string()).map(([listed, sourceList]) => ({ ...listed, sourceList })),
);
/** One outcome of every kind, and of every way to read a challenge: random ones may miss any of them. */
export const OUTCOMES: readonly ProbeOutcome[] = [paywall([ENTRY]), paywall([]), answered(), ...FAILURES];
/** A check without expectations, so that the outcome alone decides. */
export function unclaimed(probed: ProbeOutcome): [CheckedOnce, boolean, 'live'] {
  const request: Claim = { price: null, payTo: null, network: null };
  return [
    { outcome: probed, request, listing: null, ref: null, task: null, checkedAt: NOON, views: null },
    false,
    'live',
  ];
}
const time = fc.date({ min: new Date('2000-01-01'), max: new Date('2100-01-01'), noInvalidDate: true });
/** Nobody asked, nobody there, or what up to four others saw. */
const views: fc.Arbitrary<Views | null> = fc.option(
  fc.record({
    needed: fc.integer({ min: 1, max: 4 }),
    views: fc
      .array(fc.tuple(outcome, time), { maxLength: 4 })
      .map((seen) => seen.map(([probed, at], n) => viewOf(probed, at, n))),
  }),
);
const text = fc.option(fc.string({ unit: 'binary' }));
export const checked = fc.record({
  outcome,
  request: claim,
  listing,
  ref: text,
  task: text,
  checkedAt: time,
  views,
});
type CheckedOnce = typeof checked extends fc.Arbitrary<infer Value> ? Value : never;

/** The receipt of a random check, as the service would make it. */
export function receiptOf(check: CheckedOnce, flag: boolean, mode: 'live' | 'dry-run'): LiveReceipt {
  const observation = observe(check.outcome, check.checkedAt, flag ? INPUT : null);
  const expected = expectedTerms(check.request, check.listing);
  const method: ProbeMethod = flag ? 'GET' : 'POST';
  const listedMethod: ProbeMethod = 'GET';
  const asked = { method, listedMethod: flag ? listedMethod : null, takesPath: false };
  const { verdict } = judgeViews(observation, check.views, asked, expected, check.checkedAt);
  const { views, ...rest } = check;
  return liveReceipt({
    ...rest,
    id: 'sc-00010203fcfdfeff',
    target: target('https://a.example/x?api_key=abc'),
    method,
    selfTest: flag,
    mode,
    expected,
    observation,
    probe: { probedAt: check.checkedAt, cached: flag },
    verdict,
    salt: SALT,
    ...(views === null ? {} : { views }),
    ...(flag ? { listedMethod, listedInput: LISTED_INPUT } : {}),
  });
}

/** The same check as a crawl would make it, of a URL that two lists have. */
export function crawledOf(check: CheckedOnce, flag: boolean): CrawlReceipt {
  const observation = observe(check.outcome, check.checkedAt, flag ? INPUT : null);
  const listing = { ...check.request, sourceList: 'a-list' };
  const method: ProbeMethod = flag ? 'GET' : 'POST';
  const question = { run: 'a-run', salt: SALT, listedMethod: 'GET', takesPath: flag } as const;
  const expected = expectedTerms(NO_CLAIM, listing);
  const { verdict, offer } = judgeViews(
    observation,
    check.views,
    { ...question, method },
    expected,
    check.checkedAt,
  );
  return crawlReceipt({
    id: '00010203fc',
    listed: {
      target: target('https://a.example/x?api_key=abc'),
      method,
      claim: check.request,
      ...(flag ? { otherClaims: [{ ...NO_CLAIM, sourceList: 'b-list' }] } : {}),
      input: flag ? LISTED_INPUT : null,
      list: 'a-list',
      listedIn: ['a-list', 'b-list'],
    },
    finding: { kind: 'judged', verdict },
    offer,
    method,
    observation,
    ...(check.views === null ? {} : { views: check.views }),
    checkedAt: check.checkedAt,
    question,
  });
}

const NO_CLAIM: Claim = { price: null, payTo: null, network: null };
const INPUT = { source: 'listing_example', sha256: 'ab'.repeat(32) } as const;
const LISTED_INPUT = {
  method: null,
  example: {
    query: [
      ['10', 'x'],
      ['9', 'y'],
      ['__proto__', 'z'],
    ],
    body: '{"n":1.5,"q":true}',
  },
  built: null,
  path: [],
  required: ['q'],
} as const;
