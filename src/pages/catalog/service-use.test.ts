import { describe, expect, it } from 'vitest';
import { SERVICE_JSON } from '../../../tools/samples/service-json.ts';
import type { ServiceJson } from '../../wire/responses/service-response.ts';
import { howToCall } from './service-use.ts';

const pageOf = async (changes: Partial<ServiceJson>) =>
  String(await howToCall({ ...SERVICE_JSON, ...changes }, { base: 'https://assay.example.org' }));
const wordsOf = async (changes: Partial<ServiceJson>) =>
  (await pageOf(changes)).replace(/<[^>]*>/g, '').replace(/\s+/g, ' ');

describe('how to call a service', () => {
  it.each<[string, Partial<ServiceJson>, string]>([
    ['a GET', {}, 'curl -i https://weather.example.com/v1/now'],
    [
      'a GET with a query',
      { example: { method: 'GET', url: 'https://weather.example.com/v1/now?a=1&b=it', body: null } },
      "curl -i 'https://weather.example.com/v1/now?a=1&b=it'",
    ],
    [
      'a POST whose input has a quote',
      {
        method: 'POST',
        example: { method: 'POST', url: 'https://weather.example.com/v1/now', body: { q: "it's" } },
      },
      `curl -i -X POST https://weather.example.com/v1/now -H 'content-type: application/json' -d '{"q":"it'\\''s"}'`,
    ],
    [
      'a check',
      {},
      'assay check https://weather.example.com/v1/now --claimed-price 0.01 --network eip155:8453 --server https://assay.example.org',
    ],
    [
      'a check of a POST with a payee',
      { method: 'POST', listed_pay_to: '0x209693Bc6afc0C5328bA36FaF03C514EF312287C' },
      'now --method POST --claimed-price 0.01 --network eip155:8453 --pay-to 0x209693Bc6afc0C5328bA36FaF03C514EF312287C --server',
    ],
  ])('has the command for %s', async (_, changes, command) => {
    const words = (await wordsOf(changes))
      .replaceAll('&#39;', "'")
      .replaceAll('&quot;', '"')
      .replaceAll('&amp;', '&')
      .replaceAll(' \\ ', ' ');
    expect(words).toContain(command);
  });

  it('marks the arguments in the path', async () => {
    const page = await pageOf({
      endpoint: 'https://weather.example.com/v1/bern/now',
      endpoint_template: 'https://weather.example.com/v1/{city}/now',
      path_parameters: [{ name: 'city', example: 'bern' }],
    });
    expect(page).toContain('<var>{city}</var>');
    expect(page).toMatch(/<code><var>\{city\}<\/var><\/code>, here <code>bern<\/code>/);
  });
});
