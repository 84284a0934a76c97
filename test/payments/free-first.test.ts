import { beforeAll, describe, expect, it } from 'vitest';
import { paymentHeader, signAuthorization } from '../../tools/signed-payment.ts';
import { checkOf, EXEMPT, LOOKUP, LOOKUP_PAID, storeCalls } from '../support/asking.ts';
import { expectDelivered, expectRefused, settlementIn } from '../support/paying/paying-answers.ts';
import { buy, withPayment } from '../support/paying/paying-buyer.ts';
import { buyerOf, chainOfTheFile, takingsOf } from '../support/paying/paying-chain.ts';
import { usePaying } from '../support/paying/paying-service.ts';
import { DOORS, freshAddress, type Received } from '../support/running/running-service.ts';

const chain = await chainOfTheFile();
const buyer = buyerOf(chain);
const TASK = `${LOOKUP}?task=weather`;
const HONEST = checkOf('http://seller.example/honest');
/** The usual quotas: 5 lookups and 1 check a day. */
const USUAL = { FREE_LOOKUPS_PER_ADDRESS: '100', FREE_CHECKS_PER_ADDRESS: '100' };

const paymentOf = async (value: bigint) =>
  paymentHeader(await signAuthorization({ key: buyer.key, to: chain.accounts.seller.address, value }));

describe.each(DOORS)('PAY-15: while something is free, a payment is not touched, through the %s', (door) => {
  const paying = usePaying({ chain, door, settings: USUAL });

  const expectUntouched = async (ask: () => Promise<Received>, tier: string) => {
    const { result, taken } = await takingsOf(chain, ask);
    expect([result.status, result.json.access.tier]).toEqual([200, tier]);
    expect([settlementIn(result), taken]).toEqual([null, []]);
    expect(paying.facilitator.calls).toEqual({ verify: 0, settle: 0 });
  };

  it.each<[string, string, bigint]>([
    ['a lookup', TASK, 20_000n],
    ['a check', HONEST, 10_000n],
    ['a dry run', `${HONEST}&mode=dry-run`, 10_000n],
  ])('%s', async (_, path, value) => {
    const header = await paymentOf(value);
    await expectUntouched(() => paying.ask(path, withPayment(header)), 'free');
    // Each of them has one free check.
    const v1 = withPayment(header, { version: 1, sent: { from: freshAddress() } });
    await expectUntouched(() => paying.ask(path, v1), 'free');
  });

  it.each<[string, () => Promise<Record<string, string>>]>([
    ['one that cannot be read', async () => ({ 'payment-signature': '%%%' })],
    [
      'two different ones',
      async () => ({ 'payment-signature': await paymentOf(20_000n), 'x-payment': await paymentOf(20_000n) }),
    ],
  ])('not even %s', async (_, headers) => {
    const sent = { headers: await headers() };
    await expectUntouched(() => paying.ask(TASK, sent), 'free');
  });

  it('nor that of the operator (G05)', async () => {
    const sent = withPayment(await paymentOf(20_000n), { sent: { headers: EXEMPT } });
    await expectUntouched(() => paying.ask(TASK, sent), 'exempt');
  });

  it('and it is good afterwards, when the five lookups are used up', async () => {
    const from = '100.64.7.7';
    const signed = await signAuthorization({
      key: buyer.key,
      to: chain.accounts.seller.address,
      value: 20_000n,
    });
    const sent = withPayment(paymentHeader(signed), { sent: { from } });
    for (let call = 0; call < 5; call += 1) await expectUntouched(() => paying.ask(TASK, sent), 'free');
    expectRefused(await paying.ask(TASK, { from }), 'Payment required');
    const { result, taken } = await takingsOf(chain, () => paying.ask(TASK, sent));
    await expectDelivered(chain, { answer: result, signed }, '0.02');
    expect(taken).toHaveLength(1);
  });

  it('the second check of the day is paid, and the third', async () => {
    const from = '100.64.7.8';
    expect((await paying.ask(HONEST, { from })).json.access.tier).toBe('free');
    for (const _ of ['second', 'third']) {
      const bought = await buy(paying.ask, HONEST, { buyer, sent: { from } });
      await expectDelivered(chain, bought, '0.01');
    }
  });

  it('a paid call uses up nothing that is free', async () => {
    const from = '100.64.7.9';
    await expectDelivered(
      chain,
      await buy(paying.ask, `${LOOKUP_PAID}?task=weather`, { buyer, sent: { from } }),
      '0.02',
    );
    expect((await paying.ask(TASK, { from })).json.access.free_used_today).toBe(1);
  });
});

describe('free, paid and exempt answers are the same but for access (G94)', () => {
  const paying = usePaying({ chain, settings: USUAL });

  beforeAll(async () => {
    await storeCalls(paying.store, 'plain-weather', [{}, { quality: 'fail' }, { delivered: false }]);
    await storeCalls(paying.store, 'dear-weather', [{}, {}]);
  });

  it.each([
    'task=weather',
    'task=weather&n=1&limit=1',
    'task=weather&max_price=0.02',
    'endpoint=plain-weather',
    'task=nothing-like-it',
  ])('lookup: %s', async (query) => {
    const free = await paying.ask(`${LOOKUP}?${query}`);
    const exempt = await paying.ask(`${LOOKUP}?${query}`, { headers: EXEMPT });
    const bought = await buy(paying.ask, `${LOOKUP_PAID}?${query}`, { buyer });
    const answers = [free, exempt, bought.answer];
    expect(answers.map(({ json }) => json.access.tier)).toEqual(['free', 'exempt', 'paid']);
    const rest = answers.map(({ json: { access: _, generated_at: __, ...findings } }) => findings);
    expect(rest[1]).toEqual(rest[0]);
    expect(rest[2]).toEqual(rest[0]);
    expect(Object.keys(rest[2])).toEqual(Object.keys(rest[0]));
  });

  /** Without what belongs to one call alone. */
  const decision = ({ json: { access, check_type, probe, ...same } }: Received) => ({
    ...same,
    // Every check has a receipt of its own.
    receipt_id: null,
    receipt_url: null,
    receipt_sha256: null,
    receipt_promise: null,
    probed_at: probe.probed_at,
  });

  it.each(['honest', 'dear', 'thief', 'testnet', 'no-paywall', 'broken', 'trial'])(
    'spot-check: %s',
    async (name) => {
      const path = checkOf(`http://seller.example/${name}`, { claimed_price: '0.01', task: 'weather' });
      const sent = { from: '100.64.9.9' };
      const free = await paying.ask(`${path}&client=buyer-of-${name}`, sent);
      const exempt = await paying.ask(path, { headers: EXEMPT });
      const bought = await buy(paying.ask, `${path}&client=buyer-of-${name}`, { buyer, sent });
      await expectDelivered(chain, bought, name === 'dear' ? '0.1' : '0.01');
      expect(decision(bought.answer)).toEqual(decision(exempt));
      const { verdict, payment_terms_sha256 } = free.json;
      expect(bought.answer.json).toMatchObject({ verdict, payment_terms_sha256 });
    },
  );
});

describe.each(DOORS)('what is paid for before midnight and settled after it, through the %s', (door) => {
  const paying = usePaying({ chain, door });

  it.each<[string, string, bigint, string]>([
    ['a lookup', TASK, 20_000n, '"free-lookups";r=0;t=2'],
    ['a check', HONEST, 10_000n, '"free-checks";r=0;t=2'],
  ])('says when the day ends of which nothing was left (G85): %s', async (_, path, value, left) => {
    const midnight = Math.ceil(Date.now() / 86_400_000) * 86_400_000;
    paying.clock.stoppedAt = new Date(midnight - 2_000);
    paying.facilitator.beforeSettle = async () => {
      paying.clock.stoppedAt = new Date(midnight + 1_000);
    };
    const signing = { key: buyer.key, to: chain.accounts.seller.address, value };
    const signed = await signAuthorization({ ...signing, validBefore: midnight / 1_000 + 3_600 });
    const answer = await paying.ask(path, withPayment(paymentHeader(signed)));
    expect([answer.status, answer.json.access.tier, answer.header('ratelimit')]).toEqual([200, 'paid', left]);
  });
});
