import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mergeListings } from '../../../test/support/crawling/merge-listings.ts';
import { LISTED, listed } from '../../../tools/samples/listed.ts';
import { microUsd } from '../money/micro-usd.ts';
import type { ListedEndpoint } from './listed-endpoint.ts';
import { rankLists } from './merge-listed.ts';
import { firstRequest, secondRequest } from './probe-plan.ts';

describe('merging lists', () => {
  const rank = rankLists(['z-best', 'good']);
  const merge = (...rows: ListedEndpoint[]) => [...mergeListings(rows, rank).values()];

  it('keeps one endpoint per normalised URL, claimed by the best list, and names every list', () => {
    const merged = merge(
      listed('https://a.example/x/?b=1&a=2', { list: 'good' }),
      listed('https://A.example/x?a=2&b=1#f', { list: 'unranked' }),
      listed('https://a.example:443/x?a=2&b=1', { list: 'z-best', method: 'POST' }),
      listed('https://a.example/y', { list: 'good' }),
    );
    expect(
      merged.map(({ target, list, listedIn, method }) => [target.normalized, list, listedIn, method]),
    ).toEqual([
      ['https://a.example/x?a=2&b=1', 'z-best', ['z-best', 'good', 'unranked'], 'POST'],
      ['https://a.example/y', 'good', ['good'], 'GET'],
    ]);
  });

  it.each<[string, ListedEndpoint[], string]>([
    [
      'of one list the row that was touched later counts',
      [
        listed('https://a.example/x', { updatedMs: 1, method: 'POST' }),
        listed('https://a.example/x', { updatedMs: 2 }),
      ],
      'GET',
    ],
    [
      'a row with a time counts before one without',
      [listed('https://a.example/x', { method: 'POST' }), listed('https://a.example/x', { updatedMs: 1 })],
      'GET',
    ],
    [
      'a later time wins nothing over a better list',
      [
        listed('https://a.example/x', { list: 'good', updatedMs: 9, method: 'POST' }),
        listed('https://a.example/x', { list: 'z-best', updatedMs: 1 }),
      ],
      'GET',
    ],
    [
      'nor over another list of the same rank',
      [
        listed('https://a.example/x', { list: 'q', updatedMs: 9, method: 'POST' }),
        listed('https://a.example/x', { list: 'p', updatedMs: 1 }),
      ],
      'GET',
    ],
  ])('%s', (_, rows, method) => {
    expect(merge(...rows).map((row) => row.method)).toEqual([method]);
    expect(merge(...rows.toReversed()).map((row) => row.method)).toEqual([method]);
  });

  it('keeps what other rows claim, of every list, and no more than eight claims (G99)', () => {
    const claim = (payTo: string | null, cents = 1n) => ({ ...LISTED, payTo, price: microUsd(cents) });
    const of = (list: string, ...claimed: Parameters<typeof claim>) =>
      listed('https://a.example/x', { list, claim: claim(...claimed) });
    const [row] = merge(
      of('good', 'b'),
      of('good', 'c', 2n),
      of('z-best', 'a'),
      of('good', 'b'),
      of('p', 'd'),
    );
    expect(row?.claim.payTo).toBe('a');
    expect(row?.otherClaims?.map(({ sourceList, payTo, price }) => [sourceList, payTo, price])).toEqual([
      ['good', 'b', 1n],
      ['good', 'c', 2n],
      ['p', 'd', 1n],
    ]);
    const same = merge(of('good', 'b'), of('good', 'b'), of('p', 'b'));
    expect(same.map((one) => 'otherClaims' in one)).toEqual([false]);
    const twice = merge(of('p', 'c'), of('q', 'b'), of('good', 'a'), of('p', 'b'));
    expect(twice.map(({ otherClaims }) => otherClaims?.map(({ sourceList }) => sourceList))).toEqual([
      ['p', 'p'],
    ]);
    const flood = merge(...Array.from({ length: 100 }, (_, index) => of('good', `payee-${index}`)));
    expect(flood.map(({ otherClaims }) => otherClaims?.length)).toEqual([7]);
  });

  it('a row that says nothing about the terms is no other claim', () => {
    const silent = { price: null, payTo: null, network: null };
    const [row] = merge(
      listed('https://a.example/x'),
      listed('https://a.example/x', { list: 'p', claim: silent }),
    );
    expect(row).not.toHaveProperty('otherClaims');
  });

  it('asks the plainest spelling of a list, however late an odd one comes (G99)', () => {
    const rows = ['https://a.example/x', 'https://a.example/x//', 'https://a.example/x/?'].map((url, index) =>
      listed(url, { updatedMs: index }),
    );
    expect(merge(...rows).map(({ target }) => target.href)).toEqual(['https://a.example/x']);
    expect(merge(...rows.toReversed()).map(({ target }) => target.href)).toEqual(['https://a.example/x']);
  });

  it('does not depend on the order of the rows', () => {
    const lists = fc.constantFrom('z-best', 'good', 'p', 'q');
    const rows = fc.array(
      fc.record({
        list: lists,
        path: fc.constantFrom('/x', '/x/', '/y'),
        price: fc.bigInt({ min: 1n, max: 3n }),
        about: fc.record({ updatedMs: fc.nat(2), service: fc.constantFrom('a', 'b') }, { requiredKeys: [] }),
      }),
      { maxLength: 8 },
    );
    fc.assert(
      fc.property(rows, (some) => {
        const endpoints = some.map(({ list, path, price, about }) =>
          listed(`https://a.example${path}`, {
            ...about,
            list,
            claim: { price: microUsd(price), payTo: null, network: null },
          }),
        );
        const byUrl = (all: ListedEndpoint[]) =>
          all.toSorted((a, b) => (a.target.normalized < b.target.normalized ? -1 : 1));
        expect(byUrl(merge(...endpoints.toReversed()))).toEqual(byUrl(merge(...endpoints)));
      }),
    );
  });
});

describe('what is sent to a listed URL', () => {
  it.each<[string, ListedEndpoint, object]>([
    ['the bare URL', listed('https://a.example/x?y=1'), { kind: 'request', method: 'GET', body: null }],
    [
      'an empty object with POST',
      listed('https://a.example/x', { method: 'POST' }),
      { method: 'POST', body: '{}' },
    ],
    ['nothing to a path template', listed('https://a.example/users/:id'), { kind: 'path_template' }],
    [
      'the bare URL when only the query has braces',
      listed('https://a.example/x?q={id}'),
      { kind: 'request' },
    ],
  ])('first %s', (_, endpoint, step) => {
    expect(firstRequest(endpoint)).toMatchObject(step);
  });

  const example = {
    query: [
      ['q', 'a b&c'],
      ['n', '\ud800'],
    ],
    body: '{"q":1}',
  } as const;
  const get = listed('https://a.example/x', { example });
  const post = listed('https://a.example/x', { method: 'POST', example });

  it.each<[string, ListedEndpoint, number, object | null]>([
    [
      'the example query after a 400',
      get,
      400,
      { target: { pathAndQuery: '/x?q=a+b%26c&n=%EF%BF%BD' }, body: null },
    ],
    [
      'appended to a query that is there',
      listed('https://a.example/x?z=1', { example }),
      404,
      { target: { pathAndQuery: '/x?z=1&q=a+b%26c&n=%EF%BF%BD' } },
    ],
    [
      'the example body after a 422',
      post,
      422,
      { method: 'POST', target: { pathAndQuery: '/x' }, body: '{"q":1}' },
    ],
    ['nothing after a 402', get, 402, null],
    ['nothing after a 200', get, 200, null],
    ['nothing after a 500', get, 500, null],
    ['nothing without an example', listed('https://a.example/x'), 400, null],
    [
      'nothing when the example has no query',
      listed('https://a.example/x', { example: { query: [], body: '{}' } }),
      400,
      null,
    ],
    [
      'nothing when the example has no body',
      listed('https://a.example/x', { method: 'POST', example: { query: [['q', '1']], body: null } }),
      400,
      null,
    ],
    [
      'a body of 1,024 bytes',
      listed('https://a.example/x', {
        method: 'POST',
        example: { query: [], body: `"${'x'.repeat(1_022)}"` },
      }),
      400,
      { method: 'POST' },
    ],
    [
      'nothing when the body is larger (G101)',
      listed('https://a.example/x', { method: 'POST', example: { query: [], body: `"${'ä'.repeat(512)}"` } }),
      400,
      null,
    ],
    [
      'nothing when the URL becomes too long',
      listed('https://a.example/x', { example: { query: [['q', 'x'.repeat(3_000)]], body: null } }),
      400,
      null,
    ],
  ])('then %s', (_, endpoint, status, step) => {
    if (step === null) expect(secondRequest(endpoint, status)).toBeNull();
    else expect(secondRequest(endpoint, status)).toMatchObject(step);
  });
});
