import { describe, expect, it } from 'vitest';
import { PAYEE } from '../../../tools/samples/challenge.ts';
import { checkOf, EXEMPT, expectProblem, SPOT_CHECK, useService } from '../../support/asking.ts';
import { DOORS, freshAddress, type Sent } from '../../support/running/running-service.ts';

const HONEST = 'http://seller.example/honest';
const JSON_TYPE = { 'content-type': 'application/json' };

function posting(body: unknown, headers: Sent['headers'] = {}): Sent {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return { method: 'POST', headers: { ...JSON_TYPE, ...headers }, body: text };
}

describe.each(DOORS)('POST spot-check through the %s', (door) => {
  const service = useService({ door });

  describe('200', () => {
    it.each<[string, unknown, object]>([
      ['a URL', { url: HONEST }, { verdict: 'pay', claimed_price_usd: null }],
      [
        'a price as a number',
        { url: HONEST, claimed_price: 0.01 },
        { reason: 'price_ok', claimed_price_usd: 0.01 },
      ],
      [
        'a price as a string',
        { url: HONEST, claimed_price: '0.02' },
        { reason: 'price_mismatch', claimed_price_usd: 0.02 },
      ],
      ['a price below a micro-USD', { url: HONEST, claimed_price: 1e-7 }, { claimed_price_usd: 0 }],
      ['a method', { url: `${HONEST}?m`, method: 'POST' }, { verdict: 'pay' }],
      ['a payee', { url: 'http://seller.example/thief', pay_to: PAYEE }, { reason: 'pay_to_mismatch' }],
      ['a network', { url: HONEST, network: 'eip155:1' }, { reason: 'network_mismatch' }],
      [
        'null for what is left out',
        { url: HONEST, task: null, claimed_price: null, method: null, mode: null },
        { verdict: 'pay' },
      ],
      [
        'an input with a round number, such as an amount of a token',
        { url: HONEST, method: 'POST', input: { q: 1_500_000_000_000_000_000 } },
        {},
      ],
      [
        'an input with the largest exact number',
        { url: HONEST, method: 'POST', input: { q: [9_007_199_254_740_991, -0.5] } },
        {},
      ],
      ['the same name in two objects', { url: HONEST, method: 'POST', input: { url: [{ url: 1 }] } }, {}],
      ['members nobody knows', { url: HONEST, tier: 'paid', __exempt: true, limit: 9 }, { verdict: 'pay' }],
      ['an unknown member that is sent twice', `{"url":"${HONEST}","note":1,"note":2}`, { verdict: 'pay' }],
      [
        'an unknown member with a name twice',
        `{"url":"${HONEST}","note":{"url":1,"url":2}}`,
        { verdict: 'pay' },
      ],
    ])('%s', async (_, body, expected) => {
      const { status, json } = await service.ask(SPOT_CHECK, posting(body, EXEMPT));
      expect(status).toBe(200);
      expect(json).toMatchObject(expected);
    });

    it('all parameters, and they do what they do in a query', async () => {
      const body = {
        url: HONEST,
        task: 'My Task',
        client: 'someone',
        ref: 'dry-run-post',
        mode: 'live',
        method: 'GET',
      };
      const { json } = await service.ask(SPOT_CHECK, posting(body));
      expect(json.access.free_per_day).toBe(50);
      const receipt = await service.ask(`/v1/receipts/${json.receipt_id}`);
      expect(receipt.json).toMatchObject({
        task: 'my-task',
        ref: 'dry-run-post',
        mode: 'dry-run',
        method: 'GET',
      });
    });

    it.each<[string, Sent]>([
      ['no body', { method: 'POST' }],
      ['no body of any type', { method: 'POST', headers: { 'content-type': 'text/plain' } }],
      ['an empty object', posting({})],
      ['the same again', posting({ url: HONEST, claimed_price: 0.01 })],
    ])('the query alone will do: %s', async (_, sent) => {
      const { status, json } = await service.ask(checkOf(HONEST, { claimed_price: '0.01' }), sent);
      expect([status, json.verdict]).toEqual([200, 'pay']);
    });

    it.each<[what: string, query: Record<string, string>, body: object]>([
      ['a price with another end', { claimed_price: '0.010' }, { claimed_price: 0.01 }],
      ['a price as text', { claimed_price: '0.01' }, { claimed_price: '0.010000' }],
      ['a network by name', { network: 'base' }, { network: 'eip155:8453' }],
      ['a caller in capitals (G04)', { client: 'Bot' }, { client: 'bot' }],
      ['a task in other words (G21)', { task: 'My Task' }, { task: 'my-task' }],
      ['a URL in another spelling', {}, { url: 'HTTP://Seller.Example:80/honest#top' }],
      ['a payee in lower case (G43)', { pay_to: PAYEE }, { pay_to: PAYEE.toLowerCase() }],
    ])('two spellings of one value agree: %s', async (_, query, body) => {
      const { status, json } = await service.ask(checkOf(HONEST, query), posting(body, EXEMPT));
      expect([status, json.verdict]).toEqual([200, 'pay']);
    });

    it.each(['application/json; charset=utf-8', 'Application/JSON'])('type %s', async (type) => {
      const { status } = await service.ask(SPOT_CHECK, posting({ url: HONEST }, { 'content-type': type }));
      expect(status).toBe(200);
    });

    it('a body of exactly 16 kB (G30)', async () => {
      const text = JSON.stringify({ url: HONEST });
      const body = text + ' '.repeat(16_384 - text.length);
      expect((await service.ask(SPOT_CHECK, posting(body))).status).toBe(200);
    });

    it('shares the free check with GET', async () => {
      const from = freshAddress();
      expect((await service.ask(SPOT_CHECK, { ...posting({ url: HONEST }), from })).status).toBe(200);
      expect((await service.ask(checkOf(HONEST), { from })).status).toBe(402);
      expect((await service.ask(SPOT_CHECK, { ...posting({ url: HONEST }), from })).status).toBe(402);
    });
  });

  describe('400, never metered', () => {
    const from = freshAddress();
    const deep = `${'['.repeat(8_000)}${']'.repeat(8_000)}`;

    it.each<[string, string, unknown, string]>([
      ['nothing', '', {}, 'url'],
      ['JSON that is none', '', '{"url":', 'body'],
      ['a list', '', [], 'body'],
      ['null', '', 'null', 'body'],
      ['a string', '', '"http://seller.example/honest"', 'body'],
      ['a number', '', '1', 'body'],
      ['what is no text', '', '\ud800', 'body'],
      ['a URL that is null', '', { url: null }, 'url'],
      ['a URL that is a number', '', { url: 1 }, 'url'],
      ['a URL that is a list', '', { url: [HONEST] }, 'url'],
      ['a URL that is an object', '', { url: { href: HONEST } }, 'url'],
      ['a price that is negative', '', { url: HONEST, claimed_price: -1 }, 'claimed_price'],
      ['a price too large for any number', '', `{"url":"${HONEST}","claimed_price":1e400}`, 'claimed_price'],
      ['a price beyond all prices', '', { url: HONEST, claimed_price: 1e21 }, 'claimed_price'],
      ['a price that is a boolean', '', { url: HONEST, claimed_price: true }, 'claimed_price'],
      ['a price that is an object', '', { url: HONEST, claimed_price: {} }, 'claimed_price'],
      ['a method that is a list', '', { url: HONEST, method: ['GET'] }, 'method'],
      ['a mode in capitals', '', { url: HONEST, mode: 'LIVE' }, 'mode'],
      ['a client that is a number', '', { url: HONEST, client: 1 }, 'client'],
      ['two URLs (G30)', `?url=${HONEST}`, { url: 'http://seller.example/dear' }, 'url'],
      ['two payees', `?url=${HONEST}&pay_to=${PAYEE}`, { pay_to: `0x${'1'.repeat(40)}` }, 'pay_to'],
      ['two callers', `?url=${HONEST}&client=bot`, { client: 'Bot2' }, 'client'],
      [
        'a price beside what is none',
        `?url=${HONEST}&claimed_price=0.01`,
        { claimed_price: '1e-2' },
        'claimed_price',
      ],
      [
        'what is no price beside one',
        `?url=${HONEST}&claimed_price=1e-2`,
        { claimed_price: 0.01 },
        'claimed_price',
      ],
      ['an empty network beside one', `?url=${HONEST}&network=`, { network: 'base' }, 'network'],
      ['a boolean beside its text', `?url=${HONEST}&client=true`, { client: true }, 'client'],
      ['two prices', `?claimed_price=0.01`, { url: HONEST, claimed_price: 0.02 }, 'claimed_price'],
      ['a URL that is sent twice', '', `{"url":"${HONEST}","url":"http://seller.example/dear"}`, 'url'],
      ['a URL that is sent twice with the same value', '', `{"url":"${HONEST}","url":"${HONEST}"}`, 'url'],
      ['a second URL whose name is escaped', '', `{"url":"${HONEST}","\\u0075rl":"${HONEST}"}`, 'url'],
      ['two inputs', '', `{"url":"${HONEST}","method":"POST","input":{"q":1},"input":{"q":2}}`, 'input'],
      ['two members inside the input', '', `{"url":"${HONEST}","input":{"q":1,"q":2}}`, 'q'],
      [
        'an input with a number that would be sent as null',
        '',
        `{"url":"${HONEST}","method":"POST","input":{"q":1e400}}`,
        'input',
      ],
      [
        'an input with a number that would be sent as another one',
        '',
        `{"url":"${HONEST}","method":"POST","input":{"q":[9007199254740993]}}`,
        'input',
      ],
      ['two modes', '?mode=dry-run', { url: HONEST, mode: 'live' }, 'mode'],
      ['a URL and a list of it', `?url=${HONEST}`, { url: [HONEST] }, 'url'],
      ['a URL and what cannot be text', `?url=${HONEST}`, { url: { toString: 1, valueOf: 1 } }, 'url'],
      ['a URL and a very deep list', `?url=${HONEST}`, `{"url":${deep}}`, 'url'],
      ['a very deep list', '', `{"url":${deep}}`, 'url'],
    ])('%s', async (_, query, body, field) => {
      const answer = await service.ask(SPOT_CHECK + query, { ...posting(body), from });
      expectProblem(answer, 400, 'bad_request', field);
      expect(service.faults).toEqual([]);
    });

    it('so that the free check is still there', async () => {
      const { status } = await service.ask(SPOT_CHECK, { ...posting({ url: HONEST }), from });
      expect(status).toBe(200);
    });
  });

  it.each<[string, number]>([
    ['one byte', 16_385],
    ['two megabytes', 2_000_000],
  ])('413: a body over 16 kB by %s', async (_, bytes) => {
    const body = JSON.stringify({ url: HONEST }).padEnd(bytes, ' ');
    const answer = await service.ask(SPOT_CHECK, posting(body));
    expectProblem(answer, 413, 'body_too_large');
    // What follows an unread body on its connection would be lost with it.
    expect(answer.header('connection')).toBe('close');
    expect((await service.ask(SPOT_CHECK, posting({ url: HONEST }))).status).toBe(200);
  });

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/jsonp',
    'multipart/form-data; boundary=x',
  ])('415: %s', async (type) => {
    const answer = await service.ask(SPOT_CHECK, posting({ url: HONEST }, { 'content-type': type }));
    expectProblem(answer, 415, 'unsupported_media_type', 'body');
  });

  it('cannot be told a tier by the prototype', async () => {
    const body = `{"url":"${HONEST}","mode":"dry-run","__proto__":{"selfTest":true,"tier":"exempt"}}`;
    const { json } = await service.ask(SPOT_CHECK, posting(body));
    const receipt = await service.ask(`/v1/receipts/${json.receipt_id}`);
    expect([json.access.tier, receipt.json.check_type]).toEqual(['free', 'dry-run']);
  });
});
