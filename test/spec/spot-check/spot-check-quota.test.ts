import { describe, expect, it } from 'vitest';
import {
  asking,
  checkOf,
  EXEMPT,
  expectProblem,
  priceIn,
  type Served,
  sellerWith,
  useService,
} from '../../support/asking.ts';
import { scriptedSeller } from '../../support/probing/scripted-seller.ts';
import { DOORS, freshAddress, type Sent } from '../../support/running/running-service.ts';

const HONEST = checkOf('http://seller.example/honest');
const PAYMENT = { 'payment-signature': 'e30=', 'x-payment': 'e30=' };

const seller = sellerWith(
  Object.fromEntries(
    ['0', '1', '99994', '104994', '104995', '1000000', '2500000', '2500001', '1000000000000'].map(
      (amount) => [amount, asking({ amount })],
    ),
  ),
);

describe.each(DOORS)('the free check of a day, through the %s', (door) => {
  const service = useService({
    door,
    seller,
    timeoutMs: 3_000,
    settings: { PROBES_PER_HOST_MINUTE: '1000' },
  });
  const liveReceipts = async () => (await service.ask('/v1/receipts?type=live&limit=100')).json.count;

  it('is one, then 402 without a receipt (G55)', async () => {
    const from = freshAddress();
    expect((await service.ask(HONEST, { from })).json.access.free_used_today).toBe(1);
    const before = await liveReceipts();
    expect(priceIn(await service.ask(HONEST, { from }))).toBe('10000');
    expect(await liveReceipts()).toBe(before);
  });

  it('is counted in the rate headers (G85)', async () => {
    const from = freshAddress();
    for (let call = 0; call < 2; call += 1) {
      const { header } = await service.ask(HONEST, { from });
      expect(header('ratelimit')).toBe('"free-checks";r=0;t=43200');
      expect(header('ratelimit-policy')).toBe('"free-checks";q=1;w=86400');
    }
  });

  it('comes back at midnight UTC', async () => {
    const from = freshAddress();
    service.at('2026-11-15T23:59:59.900Z');
    expect((await service.ask(HONEST, { from })).status).toBe(200);
    expect((await service.ask(HONEST, { from })).status).toBe(402);
    service.at('2026-11-16T00:00:00.000Z');
    expect((await service.ask(HONEST, { from })).status).toBe(200);
  });

  it.each<[string, string, number, string]>([
    ['timeout', 'slow', 0, 'pay'],
    ['server error', 'down', 0, 'pay'],
    ['unreachable', 'reset', 0, 'pay'],
    ['free trial, which is an answer', 'trial', 1, 'none'],
    ['no paywall', 'no-paywall', 1, 'none'],
  ])('is given back only when the target could not be heard (G06): %s', async (_, path, used, next) => {
    const from = freshAddress();
    const { status, json, header } = await service.ask(checkOf(`http://seller.example/${path}`), { from });
    expect([status, json.access.free_used_today, json.access.free_remaining_today]).toEqual([
      200,
      used,
      1 - used,
    ]);
    expect(header('ratelimit')).toBe(`"free-checks";r=${1 - used};t=43200`);
    expect(json.receipt_id).toMatch(/^sc-/);
    expect((await service.ask(HONEST, { from })).json.verdict ?? 'none').toBe(next);
  });

  it.each<[string, string]>([
    ['a lookup', '/v1/lookup?task=weather'],
    ['a dry run', `${HONEST}&mode=dry-run`],
    ['bad parameters', `${HONEST}&method=PUT`],
    ['a blocked URL', checkOf('http://127.0.0.1/')],
  ])('is not used by %s', async (_, path) => {
    const from = freshAddress();
    await service.ask(path, { from });
    expect((await service.ask(HONEST, { from })).json.access.free_used_today).toBe(1);
  });

  it('is used by a reused probe as well: the answer counts, not the request', async () => {
    const from = freshAddress();
    await service.ask(HONEST);
    expect((await service.ask(HONEST, { from })).status).toBe(200);
    expect((await service.ask(HONEST, { from })).status).toBe(402);
  });

  it('does not need a payment that comes with it (G07)', async () => {
    const { status, json, header } = await service.ask(HONEST, { headers: PAYMENT });
    expect([status, json.access.tier, header('payment-response')]).toEqual([200, 'free', null]);
  });

  it('comes after the parameters and the gate: 400 also when it is used up (G31)', async () => {
    const from = freshAddress();
    await service.ask(HONEST, { from });
    expectProblem(await service.ask(`${HONEST}&method=PUT`, { from }), 400, 'bad_request', 'method');
    expectProblem(await service.ask(checkOf('http://127.0.0.1/'), { from }), 400, 'ssrf_blocked', 'url');
  });

  it('is not asked of the self-test key, which works beyond it (G05)', async () => {
    const from = freshAddress();
    for (let call = 0; call < 3; call += 1) {
      const { status, json } = await service.ask(HONEST, { from, headers: EXEMPT });
      expect([status, json.access.tier, json.check_type]).toEqual([200, 'exempt', 'self-checked']);
    }
    const { json } = await service.ask(`${HONEST}&client=self-test&ref=self-test`, { from });
    expect(json.access).toMatchObject({ tier: 'free', free_used_today: 1 });
    const receipt = await service.ask(`/v1/receipts/${json.receipt_id}`);
    expect(receipt.json.check_type).toBe('dry-run');
  });

  it.each<[string, string, string, string, string, number]>([
    ['another name', '100.64.8.1', '&client=a', '100.64.8.1', '&client=b', 200],
    ['the name in capitals', '100.64.8.2', '&client=bot', '100.64.8.2', '&client=BOT', 402],
    ['the name elsewhere', '100.64.8.3', '&client=bot', '100.64.8.4', '&client=bot', 200],
    ['another ref', '100.64.8.5', '&ref=a', '100.64.8.5', '&ref=b', 402],
    ['the same /64', '2001:db8:8:2::1', '', '2001:db8:8:2:1::1', '', 402],
    ['IPv4 written as IPv6', '100.64.8.9', '', '::ffff:100.64.8.9', '', 402],
  ])('belongs to an address and a name together (G01): %s', async (_, from, first, then, second, status) => {
    expect((await service.ask(HONEST + first, { from })).status).toBe(200);
    expect((await service.ask(HONEST + second, { from: then })).status).toBe(status);
  });

  describe('then a tenth of the quoted price, 0.01 to 0.25 USD', () => {
    it.each<[string, string, string]>([
      ['nothing', '0', '10000'],
      ['the smallest amount', '1', '10000'],
      ['just below ten cents', '99994', '10000'],
      ['a tenth, rounded down', '104994', '10499'],
      ['a tenth, half rounded up (G47)', '104995', '10500'],
      ['a dollar', '1000000', '100000'],
      ['where the ceiling begins', '2500000', '250000'],
      ['beyond the ceiling', '2500001', '250000'],
      ['a million dollars', '1000000000000', '250000'],
      ['another token', 'other-token', '10000'],
      ['terms that cannot be read', 'broken', '10000'],
      ['no terms', 'no-paywall', '10000'],
      ['5xx', 'down', '10000'],
      ['no answer', 'slow', '10000'],
    ])('%s', async (_, path, amount) => {
      const from = freshAddress();
      await service.ask(HONEST, { from });
      const answer = await service.ask(checkOf(`http://seller.example/${path}`), { from });
      expect(priceIn(answer)).toBe(amount);
      expect(answer.json.accepts[0].payTo).toBe('0x1111111111111111111111111111111111111111');
    });

    it('whatever the caller claims', async () => {
      const from = freshAddress();
      await service.ask(HONEST, { from });
      const claim = { claimed_price: '0.01', pay_to: `0x${'9'.repeat(40)}`, network: 'eip155:1' };
      const answer = await service.ask(checkOf('http://seller.example/dear', claim), { from });
      expect(priceIn(answer)).toBe('100000');
    });
  });
});

describe.each(DOORS)('beyond the free checks, through the %s', (door) => {
  describe('one address with many names (G02)', () => {
    const service = useService({ door });

    it('gets 20 a day, of which dead targets are some and blocked URLs none (G06, G31)', async () => {
      const from = freshAddress();
      const sent: Sent = { from };
      for (let n = 0; n < 21; n += 1) {
        expect((await service.ask(checkOf('http://127.0.0.1/'), sent)).status).toBe(400);
      }
      for (let n = 0; n < 10; n += 1) {
        expect((await service.ask(`${HONEST}&client=c${n}`, sent)).status).toBe(200);
        expect((await service.ask(checkOf('http://seller.example/down'), sent)).status).toBe(200);
      }
      expect(priceIn(await service.ask(`${HONEST}&client=c99`, sent))).toBe('10000');
      const refused = await service.ask(checkOf('http://seller.example/down'), sent);
      expect([refused.status, refused.header('ratelimit')]).toEqual([402, '"free-checks";r=0;t=43200']);
    });
  });

  describe('without a wallet (G66)', () => {
    const service = useService({ door, settings: { PAY_TO: '' } });

    it('503 with a clear problem', async () => {
      const from = freshAddress();
      expect((await service.ask(HONEST, { from })).status).toBe(200);
      const answer = await service.ask(HONEST, { from });
      expectProblem(answer, 503, 'payments_unavailable');
      // Until midnight.
      expect(answer.header('retry-after')).toBe('43200');
      expect(answer.header('ratelimit')).toBe('"free-checks";r=0;t=43200');
    });
  });
});

describe.each(DOORS)(
  'a check that is counted before midnight and answered after it, through the %s',
  (door) => {
    const service: Served = useService({
      door,
      seller(socket, request) {
        service.at('2026-11-16T00:00:01.000Z');
        scriptedSeller(socket, request);
      },
    });

    it.each<[string, string, number, string]>([
      ['a free check', checkOf('http://seller.example/honest?free'), 200, '"free-checks";r=0;t=2'],
      ['a price', checkOf('http://seller.example/honest?price'), 402, '"free-checks";r=0;t=2'],
      [
        'a dry run',
        checkOf('http://seller.example/honest?dry', { mode: 'dry-run' }),
        200,
        '"dry-runs";r=49;t=2',
      ],
    ])('says when the day that it was counted in ends (G85): %s', async (_, path, status, left) => {
      const from = freshAddress();
      service.at('2026-11-15T23:59:50.000Z');
      if (status === 402) await service.ask(checkOf('http://seller.example/honest?before'), { from });
      service.at('2026-11-15T23:59:58.000Z');
      const answer = await service.ask(path, { from });
      expect([answer.status, answer.header('ratelimit')]).toEqual([status, left]);
      expect((await service.ask(HONEST, { from })).status).toBe(200);
    });
  },
);
