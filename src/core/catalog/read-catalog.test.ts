import { describe, expect, it } from 'vitest';
import { aService, SERVICE_DATA } from '../../../test/support/catalog.ts';
import { readCatalog } from './read-catalog.ts';

describe('the catalog file', () => {
  it('becomes services with parsed members', () => {
    expect(
      aService({ pay_to: '0x209693Bc6afc0C5328bA36FaF03C514EF312287C', example: { query: { lat: '52' } } }),
    ).toMatchObject({
      id: 'plain-weather',
      price: 10_000n,
      network: { network: 'eip155:8453', name: 'base' },
      endpoint: { normalized: 'https://weather.example.com/v1/now' },
      payTo: '0x209693Bc6afc0C5328bA36FaF03C514EF312287C',
      pinnedFactsOnly: null,
      knownAnswer: null,
      example: { query: { lat: '52' } },
      source: { list: 'a-list', seenOn: '2026-11-01' },
    });
  });

  it.each<[string, unknown, string, string]>([
    ['not a list', { services: [] }, '(catalog)', '(file)'],
    ['not an object', [1], '(entry 1)', '(entry)'],
    ['a duplicate id', [SERVICE_DATA, SERVICE_DATA], 'plain-weather', 'id'],
    ['a bad price', [{ ...SERVICE_DATA, price_usd: '1e2' }], 'plain-weather', 'price_usd'],
    ['a price as a number', [{ ...SERVICE_DATA, price_usd: 0.01 }], 'plain-weather', 'price_usd'],
    ['a testnet', [{ ...SERVICE_DATA, network: 'base-sepolia' }], 'plain-weather', 'network'],
    [
      'a URL with a password',
      [{ ...SERVICE_DATA, endpoint: 'https://a:b@c.example/' }],
      'plain-weather',
      'endpoint',
    ],
    [
      'a payee of another network',
      [{ ...SERVICE_DATA, pay_to: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v' }],
      'plain-weather',
      'pay_to',
    ],
    ['an unknown member', [{ ...SERVICE_DATA, pric: '1' }], 'plain-weather', '(entry)'],
    ['a task with blanks', [{ ...SERVICE_DATA, tasks: ['web search'] }], 'plain-weather', 'tasks.0'],
    [
      'an unknown predicate',
      [{ ...SERVICE_DATA, known_answer: { input: 'x', pass_if: 'y', predicates: [{ kind: 'z' }] } }],
      'plain-weather',
      'known_answer.predicates.0.kind',
    ],
    ['an id with blanks', [{ ...SERVICE_DATA, id: 'a b' }], '(entry 1)', 'id'],
  ])('is refused with %s, naming service and field', (_, data, id, field) => {
    expect(readCatalog(data)).toMatchObject({
      kind: 'invalid',
      id,
      field,
      problem: expect.stringMatching(/\w/),
    });
  });

  it('may be empty', () => {
    expect(readCatalog([])).toEqual({ kind: 'catalog', services: [] });
  });
});
