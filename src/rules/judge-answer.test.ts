import { describe, expect, it } from 'vitest';
import { type Answer, type Expectation, judgeAnswer, judgeResponse, RULES_VERSION } from './judge-answer.ts';

const PAYEE = '0x209693Bc6afc0C5328bA36FaF03C514EF312287C';
const THIEF = '0x1111111111111111111111111111111111111111';
const NOON = new Date('2026-11-15T12:00:00Z');
const ENTRY = {
  scheme: 'exact',
  network: 'eip155:8453',
  amount: '10000',
  asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  payTo: PAYEE,
  maxTimeoutSeconds: 60,
};

function paywall(entry: Partial<typeof ENTRY> = {}): Answer {
  const challenge = JSON.stringify({ x402Version: 2, accepts: [{ ...ENTRY, ...entry }] });
  return { status: 402, headers: new Headers({ 'payment-required': btoa(challenge) }) };
}

const LISTED: Expectation = { price: '0.01', payTo: PAYEE, network: 'base' };

describe('the judge without a server', () => {
  it('approves what was expected, with the payment that may be signed and its hash', () => {
    expect(judgeAnswer(paywall(), LISTED, NOON)).toEqual({
      verdict: 'pay',
      reason: 'price_ok',
      words: 'The live 402 asks $0.01 in USDC on eip155:8453, as expected.',
      terms: {
        scheme: 'exact',
        network: 'eip155:8453',
        asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
        amountAtomic: 10_000n,
        payTo: PAYEE,
        deadline: new Date('2026-11-15T12:01:00Z'),
        deadlineSource: 'maxTimeoutSeconds',
        maxTimeoutSeconds: 60,
      },
      termsSha256: '680f87ccbad4b20d7afe26edf88997fd45b62596c94881a8a0b07cadc366b33b',
    });
  });

  it.each<[why: string, answer: Answer, expected: Expectation, verdict: string, reason: string]>([
    ['the price went up', paywall({ amount: '50000' }), LISTED, 'skip', 'price_mismatch'],
    ['somebody else is paid', paywall({ payTo: THIEF }), LISTED, 'skip', 'pay_to_mismatch'],
    ['another network is asked for', paywall({ network: 'eip155:1' }), LISTED, 'skip', 'network_mismatch'],
    ['nothing was expected', paywall(), {}, 'pay', 'price_ok'],
    ['no payment is asked for', { status: 200, headers: [] }, LISTED, 'skip', 'no_paywall'],
    ['the seller is down', { status: 503, headers: [], body: 'down' }, LISTED, 'recheck', 'server_error'],
    [
      'the terms cannot be read',
      { status: 402, headers: [['payment-required', '%']] },
      {},
      'skip',
      'bad_challenge',
    ],
  ])('when %s', (_, answer, expected, verdict, reason) => {
    expect(judgeAnswer(answer, expected, NOON)).toMatchObject({ verdict, reason });
  });

  it('judges what fetch returned, header or body', async () => {
    const body = JSON.stringify({
      x402Version: 1,
      accepts: [
        { ...ENTRY, network: 'base', maxAmountRequired: '10000', resource: 'https://seller.example/' },
      ],
    });
    expect(await judgeResponse(new Response(body, { status: 402 }), LISTED, NOON)).toMatchObject({
      verdict: 'pay',
    });
    const { status, headers } = paywall();
    const response = new Response(null, {
      status,
      headers: new Headers([...headers].map(([k, v]) => [k, v])),
    });
    expect(await judgeResponse(response, LISTED, NOON)).toMatchObject({ verdict: 'pay' });
  });

  it('approves nothing beside a body that is too long to read', async () => {
    const { headers } = paywall();
    const long = new Response(' '.repeat(262_145), {
      status: 402,
      headers: new Headers([...headers].map(([k, v]) => [k, v])),
    });
    expect(await judgeResponse(long, LISTED, NOON)).toMatchObject({
      verdict: 'skip',
      reason: 'bad_challenge',
    });
  });

  it.each<[member: string, expected: Expectation]>([
    ['price', { price: '1e3' }],
    ['payTo', { payTo: 'somebody' }],
    ['network', { network: 'the moon' }],
  ])('compares with no %s that it cannot read', (member, expected) => {
    expect(() => judgeAnswer(paywall(), expected, NOON)).toThrow(
      new TypeError(`the expected ${member} cannot be read`),
    );
  });

  it('takes no member that it would not compare', () => {
    const misspelled = { price: '0.01', pay_to: THIEF };
    expect(() => judgeAnswer(paywall(), misspelled, NOON)).toThrow(
      new TypeError('an expectation has no pay_to: price, payTo, network'),
    );
  });

  it('names its rules', () => {
    expect(RULES_VERSION).toBe('6');
  });
});
