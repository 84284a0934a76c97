import { describe, expect, it } from 'vitest';
import { EXEMPT, expectProblem, LOOKUP_PAID, priceIn, useService } from '../../support/asking.ts';
import { DOORS, type Sent } from '../../support/running/running-service.ts';

describe.each(DOORS)('GET /v1/lookup/paid through the %s', (door) => {
  const service = useService({ door });

  it.each<[string, string, Sent]>([
    ['a good question', '?task=weather', {}],
    ['no question at all', '', {}],
    ['bad parameters: the price comes first', '?task=&n=999&limit=x&client=%00&payer=me', {}],
    ['a repeated parameter', '?task=weather&task=weather', {}],
    ['the self-test key, which is nothing here (G05)', '?task=weather', { headers: EXEMPT }],
    ['a HEAD request (G83)', '?task=weather', { method: 'HEAD' }],
    ['a HEAD request with the self-test key', '', { method: 'HEAD', headers: EXEMPT }],
  ])('402, 0.02 USD, for %s', async (_, query, sent) => {
    const { status, header, text } = await service.ask(LOOKUP_PAID + query, sent);
    expect([status, header('cache-control')]).toEqual([402, 'no-store']);
    const required = JSON.parse(Buffer.from(header('payment-required') ?? '', 'base64').toString());
    expect(required.accepts[0].amount).toBe('20000');
    expect(text).toBe(sent.method === 'HEAD' ? '' : JSON.stringify(required));
  });

  it('402 from the first call on, and it is no free lookup', async () => {
    const from = '100.64.1.1';
    for (let call = 0; call < 3; call += 1) {
      expect(priceIn(await service.ask(`${LOOKUP_PAID}?task=weather`, { from }))).toBe('20000');
    }
    expect((await service.ask('/v1/lookup?task=weather', { from })).json.access.free_used_today).toBe(1);
  });

  it('tells nothing that was not paid for', async () => {
    const { text } = await service.ask(`${LOOKUP_PAID}?task=weather`);
    expect(text).not.toContain('plain-weather');
  });

  it.each(['POST', 'PUT', 'DELETE'])('405: %s', async (method) => {
    const answer = await service.ask(LOOKUP_PAID, { method });
    expectProblem(answer, 405, 'method_not_allowed');
    expect(answer.header('allow')).toBe('GET, HEAD, OPTIONS');
  });
});

describe.each(DOORS)('GET /v1/lookup/paid without a wallet (G66), through the %s', (door) => {
  const service = useService({ door, settings: { PAY_TO: '' } });

  it('503, and when to come back', async () => {
    const answer = await service.ask(`${LOOKUP_PAID}?task=weather`);
    expectProblem(answer, 503, 'payments_unavailable');
    expect(answer.header('retry-after')).toBe('3600');
  });
});
