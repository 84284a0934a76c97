import { describe, expect, it } from 'vitest';
import { expectProblem, LOOKUP, useService } from '../../support/asking.ts';
import { DOORS, freshAddress } from '../../support/running/running-service.ts';

const PAYER = '0x209693Bc6afc0C5328bA36FaF03C514EF312287C';

describe.each(DOORS)('GET /v1/lookup, refused, through the %s', (door) => {
  const service = useService({ door });

  describe('400, named and never metered', () => {
    const from = freshAddress();
    const long = 'a'.repeat(65);
    const numbers = [
      '0',
      '21',
      '-1',
      '5.0',
      '5abc',
      '1e1',
      '',
      '0x5',
      '%205',
      '+5',
      '05',
      '99999999999',
      'NaN',
    ];
    const prices = [
      '-1',
      '-0',
      'NaN',
      'Infinity',
      '1e-2',
      '1,5',
      '',
      '0x10',
      '$1',
      '.5',
      '1.',
      '01',
      '%D9%A1',
    ];
    const names = ['', long, 'a%20b', 'a%2Fb', '%C3%A4', 'a%00', 'a%0A', '%EF%BD%81', "a'--", '*'];
    const payers = [
      '',
      PAYER.slice(0, -1),
      `${PAYER}0`,
      PAYER.slice(2),
      PAYER.replace('0x', '0X'),
      'vitalik.eth',
    ];
    const rows = (field: string, values: readonly string[]) =>
      values.map((value): [string, string, string] => [
        `${field}=${value}`,
        `task=weather&${field}=${value}`,
        field,
      ]);

    it.each<[string, string, string]>([
      ['neither task nor endpoint (G20)', '', 'task'],
      ['only a price', 'max_price=1', 'task'],
      ['an empty task', 'task=', 'task'],
      ['a task without a letter or digit (G21)', 'task=%21%3F%20-', 'task'],
      ['a task longer than any name', `task=${'a'.repeat(257)}`, 'task'],
      ['an empty endpoint', 'endpoint=', 'endpoint'],
      ['an endpoint beyond all bounds', `endpoint=${'a'.repeat(2_049)}`, 'endpoint'],
      ['a task twice (G04)', 'task=weather&task=weather', 'task'],
      ['a task twice, once encoded', 'task=weather&%74ask=web-search', 'task'],
      ['a client twice', 'task=weather&client=a&client=b', 'client'],
      ['a good n and a bad one', 'task=weather&n=5&n=99', 'n'],
      ...rows('n', numbers),
      ...rows('limit', numbers),
      ...rows('max_price', prices),
      ...rows('client', names),
      ...rows('ref', names),
      ...rows('payer', payers),
    ])('%s', async (_, query, field) => {
      expectProblem(await service.ask(`${LOOKUP}?${query}`, { from }), 400, 'bad_request', field);
    });

    it.each([
      'https://user:hunter2@weather.example.com/v1/now',
      'https://hunter2@weather.example.com/v1/now',
      'ftp://user:hunter2@weather.example.com/',
      ' https://user:hunter2@weather.example.com/',
      'https://user:hunter2@weather example.com/',
    ])('a password in the endpoint, which does not come back (G53): %s', async (url) => {
      const answer = await service.ask(`${LOOKUP}?endpoint=${encodeURIComponent(url)}`, { from });
      expectProblem(answer, 400, 'bad_request', 'endpoint');
      expect(answer.text).not.toContain('hunter2');
    });

    it('and after all of them the caller still has five', async () => {
      const { json } = await service.ask('/v1/lookup?task=weather', { from });
      expect(json.access).toMatchObject({ free_used_today: 1, free_remaining_today: 4 });
    });
  });

  it.each(['POST', 'PUT', 'PATCH', 'DELETE'])('405: %s', async (method) => {
    const answer = await service.ask('/v1/lookup?task=weather', { method });
    expectProblem(answer, 405, 'method_not_allowed');
    expect(answer.header('allow')).toBe('GET, HEAD, OPTIONS');
  });
});
