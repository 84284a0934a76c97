import { describe, expect, it } from 'vitest';
import { answered, ENTRY, PAYEE, paywall, THIEF } from '../../../tools/samples/challenge.ts';
import { listed, network, target } from '../../../tools/samples/listed.ts';
import { microUsd } from '../money/micro-usd.ts';
import { expectedTerms } from '../verdict/expected-terms.ts';
import { judge } from '../verdict/judge.ts';
import { observe } from '../verdict/observation.ts';
import type { ProbeOutcome } from '../verdict/probe-outcome.ts';
import { crawlReceipt } from './crawl-receipt.ts';
import { type CheckedEndpoint, liveReceipt } from './live-receipt.ts';
import { diffTerms } from './terms-diff.ts';

const NOON = new Date('2026-11-15T12:00:00.000Z');
const URL_WITH_KEY = 'https://a.example/x?api_key=abc';
const claim = { price: microUsd(10_000n), payTo: null, network: null };

function checked(outcome: ProbeOutcome, changes: Partial<CheckedEndpoint> = {}): CheckedEndpoint {
  const observation = observe(outcome);
  const expected = expectedTerms(claim, null);
  return {
    id: 'sc-00010203fcfdfeff',
    target: target(URL_WITH_KEY),
    method: 'GET',
    checkedAt: NOON,
    selfTest: false,
    mode: 'live',
    ref: 'campaign',
    task: 'weather',
    listing: null,
    expected,
    observation,
    probe: { probedAt: NOON, cached: false },
    verdict: judge(observation, expected, NOON).verdict,
    ...changes,
  };
}

describe('a live receipt (G50)', () => {
  it('says everything that was seen and decided, and nothing about the caller', () => {
    const receipt = liveReceipt(checked(paywall([ENTRY])));
    expect(receipt).toEqual({
      id: 'sc-00010203fcfdfeff',
      url: 'https://a.example/x?api_key=REDACTED',
      method: 'GET',
      checkedAt: NOON,
      checkType: 'dry-run',
      mode: 'live',
      ref: 'campaign',
      task: 'weather',
      listing: null,
      liveDemand: { httpStatus: 402, x402Challenge: true, error: null, freeTrial: null },
      live402: {
        x402Version: 2,
        source: 'header',
        accepts: [expect.objectContaining({ payTo: PAYEE, amountAtomic: 10_000n })],
      },
      expected: { price: 10_000n, payTo: null, network: null, source: 'request' },
      verdict: 'pay',
      reason: 'price_ok',
      reasonText: 'The live 402 asks $0.01 in USDC on eip155:8453, as expected.',
      input: null,
      needsInput: null,
      otherMethod: null,
      approvedPayment: expect.objectContaining({ payTo: PAYEE, amountAtomic: 10_000n }),
      paymentTermsSha256: '680f87ccbad4b20d7afe26edf88997fd45b62596c94881a8a0b07cadc366b33b',
      probe: { probedAt: NOON, cached: false, cacheTtlSeconds: 300 },
      evidence: { paymentRequiredSha256: expect.stringMatching(/^[0-9a-f]{64}$/), bodySha256: null },
      diagnostics: [],
      rulesVersion: '6',
      seen: expect.objectContaining({ kind: 'answered', status: 402 }),
      salt: null,
      listedMethod: null,
      views: null,
    });
  });

  it.each<[string, ProbeOutcome, Partial<CheckedEndpoint>, object]>([
    [
      'a dry run approves nothing',
      paywall([ENTRY]),
      { mode: 'dry-run' },
      { verdict: 'pay', approvedPayment: null, paymentTermsSha256: null },
    ],
    ['our own check is labelled so', paywall([ENTRY]), { selfTest: true }, { checkType: 'self-checked' }],
    [
      'a skip approves nothing',
      paywall([{ ...ENTRY, amount: '1' }]),
      {},
      { verdict: 'skip', approvedPayment: null, paymentTermsSha256: null },
    ],
    [
      'an answer without terms',
      answered({ status: 200 }),
      {},
      { live402: null, liveDemand: { httpStatus: 200, x402Challenge: false } },
    ],
    [
      'terms that cannot be read',
      paywall([{}]),
      {},
      { live402: null, liveDemand: { x402Challenge: true, error: null } },
    ],
    [
      'a timeout',
      { kind: 'timed_out' },
      {},
      {
        live402: null,
        liveDemand: { httpStatus: null, error: 'timed_out' },
        evidence: { bodySha256: null },
      },
    ],
    [
      'a trial',
      answered({ status: 200, headers: [['x-free-trial-remaining', '2']] }),
      {},
      { liveDemand: { freeTrial: { remaining: 2 } } },
    ],
  ])('%s', (_, outcome, changes, expected) => {
    expect(liveReceipt(checked(outcome, changes))).toMatchObject(expected);
  });
});

describe('a crawl receipt', () => {
  it('holds the listing beside what was found', () => {
    const endpoint = listed(URL_WITH_KEY, { list: 'a-list', listedIn: ['a-list', 'b-list'] });
    const observation = observe(paywall([{ ...ENTRY, payTo: THIEF }]));
    const { verdict, offer } = judge(observation, expectedTerms(endpoint.claim, null), NOON);
    const finding = { kind: 'judged', verdict } as const;
    expect(
      crawlReceipt({ id: '0123456789', listed: endpoint, finding, offer, observation, checkedAt: NOON }),
    ).toEqual({
      id: '0123456789',
      url: 'https://a.example/x?api_key=REDACTED',
      claimedPrice: 10_000n,
      quotedPrice: 10_000n,
      payTo: THIEF,
      verdict: 'skip',
      code: 'pay_to_mismatch',
      reason: `pay_to mismatch: listed ${PAYEE}, 402 pays ${THIEF}`,
      checkedAt: NOON,
      sourceList: 'a-list',
      listedIn: ['a-list', 'b-list'],
      method: 'GET',
      httpStatus: 402,
      network: 'eip155:8453',
      listedNetwork: 'eip155:8453',
      listedPayTo: PAYEE,
    });
  });

  it('never shows more of a URL than an index takes, although what is left out makes it longer', () => {
    const secrets = Array.from({ length: 110 }, (_, n) => `${n}pin=7`).join('&');
    const long = listed(`https://a.example/x?${secrets}&rest=${'r'.repeat(900)}`);
    const finding = { kind: 'path_template' } as const;
    const parts = {
      id: '0123456789',
      listed: long,
      finding,
      offer: null,
      observation: null,
      checkedAt: NOON,
    };
    expect(crawlReceipt(parts).url.length).toBe(2_048);
  });

  it('leaves out what was not found', () => {
    const endpoint = listed('https://a.example/users/:id', {
      claim: { price: null, payTo: null, network: null },
    });
    const receipt = crawlReceipt({
      id: '0123456789',
      listed: endpoint,
      finding: { kind: 'path_template' },
      offer: null,
      observation: null,
      checkedAt: NOON,
    });
    expect(receipt).toMatchObject({
      verdict: 'skip',
      code: 'path_template',
      claimedPrice: null,
      quotedPrice: null,
      payTo: null,
      network: null,
      httpStatus: null,
    });
  });
});

describe('listed against live', () => {
  const observation = observe(paywall([{ ...ENTRY, amount: '20000', payTo: PAYEE.toLowerCase() }]));
  const { offer } = judge(observation, expectedTerms(claim, null), NOON);

  it('marks what is the same, what differs and what nobody claimed', () => {
    const sides = { ...claim, payTo: PAYEE, network: network('base'), method: null };
    expect(diffTerms({ claim: sides, offer, method: 'GET' })).toEqual([
      { field: 'price', claimed: '0.01', live: '0.02', state: 'different' },
      { field: 'network', claimed: 'eip155:8453', live: 'eip155:8453', state: 'same' },
      { field: 'asset', claimed: ENTRY.asset, live: ENTRY.asset, state: 'same' },
      { field: 'payee', claimed: PAYEE, live: PAYEE.toLowerCase(), state: 'same' },
      { field: 'method', claimed: null, live: 'GET', state: 'unknown' },
    ]);
  });

  it('knows nothing live without an offer', () => {
    const sides = { price: null, payTo: PAYEE, network: network('base-sepolia'), method: 'POST' as const };
    expect(
      diffTerms({ claim: sides, offer: null, method: 'GET' }).map(({ field, state }) => [field, state]),
    ).toEqual([
      ['price', 'unknown'],
      ['network', 'unknown'],
      ['asset', 'unknown'],
      ['payee', 'unknown'],
      ['method', 'different'],
    ]);
  });
});

describe('what a seller has to change', () => {
  const DEAR = paywall([{ ...ENTRY, amount: '20000000' }]);
  const TOO_HIGH = { code: 'amount_too_high', source: 'header', path: '$.accepts[0].amount' };

  it('is in a receipt of a refusal', () => {
    const expected = expectedTerms({ price: null, payTo: null, network: null }, null);
    const verdict = judge(observe(DEAR), expected, NOON).verdict;
    expect(liveReceipt(checked(DEAR, { expected, verdict })).diagnostics).toContainEqual(TOO_HIGH);
  });

  it('is not in one of an approval, which a claimed price can make of it', () => {
    const expected = expectedTerms({ price: microUsd(20_000_000n), payTo: null, network: null }, null);
    const verdict = judge(observe(DEAR), expected, NOON).verdict;
    const receipt = liveReceipt(checked(DEAR, { expected, verdict }));
    expect([receipt.verdict, receipt.diagnostics]).toEqual(['pay', []]);
  });

  it('is in a receipt about header fields that are too large', () => {
    const { diagnostics } = liveReceipt(checked({ kind: 'headers_too_large' }));
    expect(diagnostics).toEqual([{ code: 'headers_too_large', source: 'answer', path: null }]);
  });
});
