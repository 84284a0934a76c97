import { describe, expect, it } from 'vitest';
import { EXEMPT, expectProblem, LOOKUP_PAID, priceIn, useService } from '../../support/asking.ts';
import {
  CROWDED,
  DOORS,
  freshAddress,
  type Received,
  type Sent,
} from '../../support/running/running-service.ts';

const WEATHER = '/v1/lookup?task=weather';
const PAYMENT = { 'payment-signature': 'e30=', 'x-payment': 'e30=' };

describe.each(DOORS)('the free lookups of a day, through the %s', (door) => {
  const service = useService({ door });
  const times = async (count: number, sent: Sent, path = WEATHER): Promise<Received[]> => {
    const answers: Received[] = [];
    for (let index = 0; index < count; index += 1) answers.push(await service.ask(path, sent));
    return answers;
  };
  const statuses = async (count: number, sent: Sent, path?: string) =>
    (await times(count, sent, path)).map(({ status }) => status);

  it('are five, then 402 at 0.02 USD', async () => {
    const answers = await times(7, { from: freshAddress() });
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 402, 402]);
    expect(answers.slice(0, 5).map(({ json }) => json.access.free_used_today)).toEqual([1, 2, 3, 4, 5]);
    expect(answers.slice(0, 5).map(({ json }) => json.access.free_remaining_today)).toEqual([4, 3, 2, 1, 0]);
    expect(answers.slice(5).map(priceIn)).toEqual(['20000', '20000']);
  });

  it('are counted in the rate headers (G85)', async () => {
    const answers = await times(6, { from: freshAddress() });
    expect(answers.map(({ header }) => header('ratelimit'))).toEqual([
      '"free-lookups";r=4;t=43200',
      '"free-lookups";r=3;t=43200',
      '"free-lookups";r=2;t=43200',
      '"free-lookups";r=1;t=43200',
      '"free-lookups";r=0;t=43200',
      '"free-lookups";r=0;t=43200',
    ]);
    for (const { header } of answers) {
      expect(header('ratelimit-policy')).toBe('"free-lookups";q=5;w=86400');
    }
  });

  it('begin again at midnight UTC, and not a moment earlier', async () => {
    const from = freshAddress();
    service.at('2026-11-15T23:59:59.900Z');
    const late = await times(6, { from });
    expect(late.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 402]);
    expect(late[0]?.header('ratelimit')).toBe('"free-lookups";r=4;t=1');
    service.at('2026-11-15T23:59:59.999Z');
    expect(await statuses(1, { from })).toEqual([402]);
    service.at('2026-11-16T00:00:00.000Z');
    expect(await statuses(6, { from })).toEqual([200, 200, 200, 200, 200, 402]);
  });

  it('are not given a second time when the clock steps back', async () => {
    const from = freshAddress();
    expect(await statuses(5, { from })).toEqual([200, 200, 200, 200, 200]);
    service.at('2026-11-15T10:00:00.000Z');
    expect(await statuses(1, { from })).toEqual([402]);
  });

  it('do not need a payment that comes with them (G07)', async () => {
    const answers = await times(5, { from: freshAddress(), headers: PAYMENT });
    for (const { status, json, header } of answers) {
      expect([status, json.access.tier, header('payment-response')]).toEqual([200, 'free', null]);
    }
  });

  it('are not used by HEAD, OPTIONS, other methods or the always paid lookup (G06)', async () => {
    const from = freshAddress();
    for (const method of ['HEAD', 'OPTIONS', 'POST', 'DELETE']) await times(3, { from, method });
    await times(3, { from }, LOOKUP_PAID);
    expect((await service.ask(WEATHER, { from })).json.access.free_used_today).toBe(1);
  });

  it('are not used by a bad HEAD either, which is told so', async () => {
    expect(await statuses(1, { method: 'HEAD' }, '/v1/lookup')).toEqual([400]);
    const { status, text, header } = await service.ask(WEATHER, { method: 'HEAD' });
    expect([status, text, header('cache-control')]).toEqual([200, '', 'no-store']);
  });

  it('are one count under all three addresses of the service', async () => {
    const from = freshAddress();
    const hosts = ['assay.example.org', 'alt.example.org', 'legacy.example.net'];
    const answers: number[] = [];
    for (const host of [...hosts, ...hosts]) {
      answers.push((await service.ask(WEATHER, { from, headers: { host } })).status);
    }
    expect(answers).toEqual([200, 200, 200, 200, 200, 402]);
  });

  it.each([
    '/v1/lookup/?task=weather',
    '//v1/lookup?task=weather',
    '/V1/LOOKUP?task=weather',
    '/v1/./lookup?task=weather',
    '/v1/%6cookup?task=weather',
    '/v1/lookup;x=1?task=weather',
    '/v1/lookup%2f?task=weather',
    '/v1/lookup?task=weather&x=1',
  ])('have no way around them: %s', async (path) => {
    const from = freshAddress();
    await times(5, { from });
    const headers = { 'x-http-method-override': 'HEAD', 'x-method-override': 'HEAD' };
    const answer = await service.ask(path, { from, headers });
    expect([402, 404]).toContain(answer.status);
    expect(answer.text).not.toContain('plain-weather');
  });

  describe('belong to an address and a name together (G01)', () => {
    it.each<[string, Sent, string, Sent, string, number]>([
      ['another name', { from: '100.64.9.1' }, '&client=a', { from: '100.64.9.1' }, '&client=b', 200],
      ['no name', { from: '100.64.9.2' }, '&client=a', { from: '100.64.9.2' }, '', 200],
      [
        'the name in capitals',
        { from: '100.64.9.3' },
        '&client=my-bot',
        { from: '100.64.9.3' },
        '&client=My-Bot',
        402,
      ],
      ['the name elsewhere', { from: '100.64.9.4' }, '&client=x', { from: '100.64.9.5' }, '&client=x', 200],
      ['another ref', { from: '100.64.9.6' }, '&ref=a', { from: '100.64.9.6' }, '&ref=b', 402],
      [
        'another payer',
        { from: '100.64.9.7' },
        '',
        { from: '100.64.9.7' },
        `&payer=0x${'1'.repeat(40)}`,
        402,
      ],
      ['another question', { from: '100.64.9.8' }, '', { from: '100.64.9.8' }, '&n=7', 402],
      ['IPv4 written as IPv6', { from: '100.64.9.9' }, '', { from: '::ffff:100.64.9.9' }, '', 402],
      [
        'the same /64',
        { from: '2001:db8:1:2::1' },
        '',
        { from: '2001:db8:1:2:ffff:ffff:ffff:ffff' },
        '',
        402,
      ],
      ['the next /64', { from: '2001:db8:1:4::1' }, '', { from: '2001:db8:1:5::1' }, '', 200],
    ])('%s', async (_, first, firstQuery, second, secondQuery, status) => {
      expect(await statuses(5, first, WEATHER + firstQuery)).toEqual([200, 200, 200, 200, 200]);
      expect(await statuses(1, second, WEATHER + secondQuery)).toEqual([status]);
    });

    it('and no name is exempt: only the key is (G05)', async () => {
      const from = freshAddress();
      for (const client of ['self-test', 'exempt', 'assay', 'admin']) {
        const { json } = await service.ask(`${WEATHER}&client=${client}&ref=self-test`, { from });
        expect(json.access.tier).toBe('free');
      }
    });
  });

  describe('are not asked of the self-test key (G05)', () => {
    it('which is neither counted nor stopped', async () => {
      const from = freshAddress();
      const answers = await times(7, { from, headers: EXEMPT });
      for (const { status, json } of answers) {
        expect([status, json.access]).toEqual([200, { tier: 'exempt', note: expect.any(String) }]);
      }
      expect((await service.ask(WEATHER, { from })).json.access.free_used_today).toBe(1);
      await times(4, { from });
      expect(await statuses(1, { from, headers: EXEMPT })).toEqual([200]);
    });

    it.each<[string, string]>([
      ['another key', 'Bearer self-test-key-of-another'],
      ['the beginning of it', 'Bearer self-test-key'],
      ['another scheme', 'Basic self-test-key-of-the-suite'],
      ['no scheme', 'self-test-key-of-the-suite'],
      ['an empty one', 'Bearer '],
    ])('unlike %s', async (_, authorization) => {
      expect((await service.ask(WEATHER, { headers: { authorization } })).json.access.tier).toBe('free');
    });
  });
});

describe.each(DOORS)('beyond the free lookups, through the %s', (door) => {
  describe('one address with many names (G02)', () => {
    const service = useService({ door, settings: CROWDED });

    it('gets 100 a day, whatever it calls itself', async () => {
      const from = freshAddress();
      const ask = (client: number) => service.ask(`${WEATHER}&client=c${client}`, { from });
      const answers = await Promise.all(Array.from({ length: 100 }, (_, index) => ask(index % 50)));
      expect(answers.every(({ status }) => status === 200)).toBe(true);
      const refused = await ask(200);
      expect(priceIn(refused)).toBe('20000');
      expect(refused.header('ratelimit')).toBe('"free-lookups";r=0;t=43200');
      service.at('2026-11-16T00:00:00.000Z');
      expect((await ask(200)).status).toBe(200);
    });
  });

  describe('an untrusted peer (G03)', () => {
    const service = useService({ door, settings: { TRUSTED_PROXIES: '' } });
    const forged = (n: number) => ({
      'x-forwarded-for': `198.51.100.${n}`,
      forwarded: `for=198.51.100.${n}`,
      'x-real-ip': `198.51.100.${n}`,
      'cf-connecting-ip': `198.51.100.${n}`,
      'true-client-ip': `198.51.100.${n}`,
    });

    it('is one caller, whatever its headers say', async () => {
      const answers: number[] = [];
      for (const n of [1, 2, 3, 4, 5, 6]) {
        // Through the socket `from` is a forwarding header, which counts for nothing here.
        const from = door === 'app' ? '203.0.113.7' : `198.51.100.${n}`;
        answers.push((await service.ask(WEATHER, { from, headers: forged(n) })).status);
      }
      expect(answers).toEqual([200, 200, 200, 200, 200, 402]);
    });
  });

  describe('without a wallet (G66)', () => {
    const service = useService({ door, settings: { PAY_TO: '' } });

    it('what is free works, the rest is 503 with a clear problem', async () => {
      const from = freshAddress();
      for (let used = 1; used <= 5; used += 1) {
        expect((await service.ask(WEATHER, { from })).json.access.free_used_today).toBe(used);
      }
      const answer = await service.ask(WEATHER, { from });
      expectProblem(answer, 503, 'payments_unavailable');
      expect(answer.json.detail).toContain('no wallet');
      // Until midnight.
      expect(answer.header('retry-after')).toBe('43200');
      expect(answer.header('ratelimit')).toBe('"free-lookups";r=0;t=43200');
      expect(answer.header('payment-required')).toBeNull();
    });
  });
});
