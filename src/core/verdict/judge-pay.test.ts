import { describe, expect, it } from 'vitest';
import {
  bytes,
  DAI,
  judged,
  NOTHING,
  SOLANA,
  SOLANA_PAYEE,
  USDC_ON_SOLANA,
  verdictOf,
} from '../../../test/support/judging.ts';
import {
  BASE,
  bodyOnly,
  ENTRY,
  ENTRY_V1,
  PAYEE,
  POLYGON,
  paywall,
  THIEF,
} from '../../../tools/samples/challenge.ts';
import { LISTED, network } from '../../../tools/samples/listed.ts';
import { microUsd } from '../money/micro-usd.ts';
import type { ProbeAnswer } from './probe-outcome.ts';

const ON_SOLANA = { ...ENTRY, network: SOLANA, asset: USDC_ON_SOLANA, payTo: SOLANA_PAYEE };
const AGREEING_BODY = bytes({ x402Version: 1, accepts: [ENTRY_V1] });

describe('a verdict on a challenge that matches', () => {
  it('is pay, with exactly the terms to sign', () => {
    expect(verdictOf(paywall([ENTRY]))).toEqual({
      verdict: 'pay',
      reason: 'price_ok',
      priceCompared: true,
      terms: {
        scheme: 'exact',
        network: 'eip155:8453',
        asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
        amountAtomic: 10_000n,
        payTo: '0x209693Bc6afc0C5328bA36FaF03C514EF312287C',
        deadline: new Date('2026-11-15T12:01:00.000Z'),
        deadlineSource: 'maxTimeoutSeconds',
        maxTimeoutSeconds: 60,
      },
    });
  });

  it.each<[string, ProbeAnswer]>([
    ['in a version 1 body', bodyOnly(JSON.stringify({ x402Version: 1, accepts: [ENTRY_V1] }))],
    ['beside a body that agrees', paywall([ENTRY], { body: AGREEING_BODY })],
    ['behind an offer of no exact amount', paywall([{ ...ENTRY, scheme: 'upto', amount: '5000000' }, ENTRY])],
    ['behind an offer on another network', paywall([ON_SOLANA, ENTRY])],
    ['behind an offer in another token', paywall([{ ...ENTRY, asset: DAI }, ENTRY])],
    ['behind a cheaper offer', paywall([{ ...ENTRY, amount: '1' }, ENTRY])],
    ['behind an expired offer', paywall([{ ...ENTRY, validBefore: 1 }, ENTRY])],
  ])('%s', (_, outcome) => {
    expect(verdictOf(outcome)).toMatchObject({ verdict: 'pay', terms: { network: BASE, payTo: PAYEE } });
  });

  it('with nothing expected, and says that no price was compared', () => {
    expect(verdictOf(paywall([ENTRY]), NOTHING)).toMatchObject({ verdict: 'pay', priceCompared: false });
  });

  it('at a price above the sane ones that was claimed', () => {
    const claim = { ...LISTED, price: microUsd(900_000_000n) };
    expect(verdictOf(paywall([{ ...ENTRY, amount: '900000000' }]), claim).verdict).toBe('pay');
  });

  it('to a Solana payee that is the same to the letter', () => {
    const claim = { ...NOTHING, payTo: SOLANA_PAYEE };
    expect(verdictOf(paywall([ON_SOLANA]), claim)).toMatchObject({
      verdict: 'pay',
      terms: { network: SOLANA },
    });
    const otherCase = { ...claim, payTo: SOLANA_PAYEE.toLowerCase() };
    expect(verdictOf(paywall([ON_SOLANA]), otherCase).reason).toBe('pay_to_mismatch');
  });
});

describe('which of several good offers is approved, whatever their order (G35)', () => {
  it.each<[string, object[], object]>([
    ['Base before a cheaper network', [{ ...ON_SOLANA, amount: '1' }, ENTRY], { network: BASE }],
    [
      'the later deadline',
      [ENTRY, { ...ENTRY, maxTimeoutSeconds: 600 }],
      { deadline: new Date('2026-11-15T12:10:00Z') },
    ],
    ['either of two that are the same', [ENTRY, ENTRY], { payTo: PAYEE }],
  ])('%s', (_, entries, terms) => {
    for (const order of [entries, entries.toReversed()]) {
      expect(verdictOf(paywall(order), NOTHING)).toMatchObject({ verdict: 'pay', terms });
    }
  });

  it('the one that the body repeats', () => {
    const outcome = paywall([{ ...ENTRY, amount: '1' }, ENTRY], { body: AGREEING_BODY });
    expect(verdictOf(outcome, NOTHING)).toMatchObject({ verdict: 'pay', terms: { amountAtomic: 10_000n } });
  });

  it('one on a network for which the body has no offer, where the body repeats the others', () => {
    const outcome = paywall([POLYGON, ENTRY], { body: AGREEING_BODY });
    const expected = { ...NOTHING, network: network(POLYGON.network) };
    expect(verdictOf(outcome, expected)).toMatchObject({
      verdict: 'pay',
      terms: { network: POLYGON.network },
    });
  });
});

describe('the offer a verdict speaks of', () => {
  it.each<[string, object[], object]>([
    ['the approved one', [{ ...ENTRY, payTo: THIEF }, ENTRY], { payTo: PAYEE }],
    [
      'on a wrong price, the right payee',
      [
        { ...ENTRY, payTo: THIEF },
        { ...ENTRY, amount: '2' },
      ],
      { amountAtomic: 2n },
    ],
    [
      'on a wrong token, a supported network',
      [
        { ...ENTRY, network: '?' },
        { ...ENTRY, asset: DAI },
      ],
      { asset: DAI },
    ],
    ['on terms that expired, the one that did', [{ ...ENTRY, validBefore: 1 }], { validBeforeMs: 1_000 }],
  ])('%s', (_, entries, offer) => {
    expect(judged(paywall(entries)).offer).toMatchObject(offer);
  });

  it('none without terms', () => {
    expect(judged(bodyOnly('')).offer).toBeNull();
  });
});
