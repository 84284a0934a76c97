import { describe, expect, it } from 'vitest';
import { EXEMPT, expectProblem, PACK, useService } from '../support/asking.ts';
import { DOORS, type Sent } from '../support/running/running-service.ts';

const JSON_TYPE = { 'content-type': 'application/json' };

describe.each(DOORS)('/v1/products/overnight-cos-pack through the %s', (door) => {
  const service = useService({ door });

  it.each<[string, Sent]>([
    ['GET', {}],
    ['HEAD (G83)', { method: 'HEAD' }],
    ['POST without a body', { method: 'POST' }],
    ['POST with a JSON body', { method: 'POST', headers: JSON_TYPE, body: '{"x":1}' }],
    ['POST with JSON that is none', { method: 'POST', headers: JSON_TYPE, body: '{{{' }],
    ['POST with a text', { method: 'POST', headers: { 'content-type': 'text/plain' }, body: 'hello' }],
    ['POST with a body of unknown kind', { method: 'POST', body: '\u0000\u0001' }],
    ['POST with a body of 300 kB, which is ignored (G89)', { method: 'POST', body: 'x'.repeat(300_000) }],
    ['the self-test key, which is nothing here (G05)', { headers: EXEMPT }],
  ])('402, 9 USD: %s', async (_, sent) => {
    const { status, header, text } = await service.ask(PACK, sent);
    expect(status).toBe(402);
    const required = JSON.parse(Buffer.from(header('payment-required') ?? '', 'base64').toString());
    expect(required.accepts[0].amount).toBe('9000000');
    expect(required.extensions.bazaar.info.input.method).toBe(sent.method === 'POST' ? 'POST' : 'GET');
    expect(text).toBe(sent.method === 'HEAD' ? '' : JSON.stringify(required));
  });

  it('402 again and again: there is no free pack', async () => {
    for (let call = 0; call < 3; call += 1) {
      expect((await service.ask(PACK, { from: '100.64.1.1' })).status).toBe(402);
    }
  });

  it('parameters change nothing', async () => {
    expect((await service.ask(`${PACK}?client=%00&price=0&tier=exempt`)).status).toBe(402);
  });

  it.each(['PUT', 'PATCH', 'DELETE'])('405: %s', async (method) => {
    const answer = await service.ask(PACK, { method });
    expectProblem(answer, 405, 'method_not_allowed');
    expect(answer.header('allow')).toBe('GET, HEAD, POST, OPTIONS');
  });
});

describe.each(DOORS)('the pack without a wallet (G66), through the %s', (door) => {
  const service = useService({ door, settings: { PAY_TO: '' } });

  it.each(['GET', 'POST'])('503: %s', async (method) => {
    const answer = await service.ask(PACK, { method });
    expectProblem(answer, 503, 'payments_unavailable');
    expect(answer.header('retry-after')).toBe('3600');
  });
});
