import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mergeListings } from '../../../test/support/crawling/merge-listings.ts';
import { LISTED, listed, listedInput, network } from '../../../tools/samples/listed.ts';
import { microUsd } from '../money/micro-usd.ts';
import { type ListedEndpoint, otherSpelling } from './listed-endpoint.ts';
import { rankLists } from './merge-listed.ts';

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

  it('lets no row of a list choose what is sent when another row of it differs', () => {
    const says = (body: string, changes: Partial<ListedEndpoint> = {}) =>
      listed('https://a.example/x', {
        input: listedInput({ example: { query: [], body } }),
        list: 'good',
        ...changes,
      });
    const nothing = listedInput({});
    const [honest, stranger] = [
      says('{"city":"Bern"}', { updatedMs: 1 }),
      says('{"deep":1}', { updatedMs: 2 }),
    ];
    for (const rows of [
      [honest, stranger],
      [stranger, honest],
      [honest, stranger, honest],
      [stranger, stranger, honest],
    ])
      expect(merge(...rows)[0]?.input).toEqual(nothing);
    expect(merge(honest, says('{"city":"Bern"}'))[0]?.input).toEqual(honest.input);
    expect(merge(honest, { ...stranger, list: 'unranked', listedIn: ['unranked'] })[0]?.input).toEqual(
      honest.input,
    );
    expect(merge(honest, { ...honest, input: null })[0]?.input).toEqual(nothing);
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

  it('keeps that another row, of any list, names the other method (G99)', () => {
    const of = (method: 'GET' | 'POST', list = 'good') => listed('https://a.example/x', { method, list });
    const methods = (...rows: ListedEndpoint[]) =>
      merge(...rows).map(({ method, otherMethod }) => [method, otherMethod]);
    expect(methods(of('GET'), of('GET', 'p'))).toEqual([['GET', undefined]]);
    expect(methods(of('GET'), of('POST', 'p'), of('GET', 'z-best'))).toEqual([['GET', 'POST']]);
    expect(methods(of('GET'), of('POST', 'z-best'), of('GET', 'p'))).toEqual([['POST', 'GET']]);
  });

  it('shows by eight claims that others were dropped, whatever row comes later (G99)', () => {
    const of = (payTo: string | null, updatedMs: number) => {
      const price = payTo === null ? null : microUsd(1n);
      return listed('https://a.example/x', { updatedMs, claim: { price, payTo, network: null } });
    };
    const flood = Array.from({ length: 9 }, (_, index) => of(`payee-${index}`, 1));
    // The winner of these claims nothing, and the next one what is among the claims that were kept.
    const [row] = merge(...flood, of(null, 2), of('payee-3', 3));
    expect(row?.claim.payTo).toBe('payee-3');
    expect(row?.otherClaims).toHaveLength(7);
  });

  it('a row that says nothing about the terms is no other claim', () => {
    const silent = { price: null, payTo: null, network: null };
    const [row] = merge(
      listed('https://a.example/x'),
      listed('https://a.example/x', { list: 'p', claim: silent }),
    );
    expect(row).not.toHaveProperty('otherClaims');
  });

  it('a network alone is one: a later row with another network would hide it', () => {
    const claim = (name: string) => ({ price: null, payTo: null, network: network(name) });
    const [row] = merge(
      listed('https://a.example/x', { claim: claim('base') }),
      listed('https://a.example/x', { claim: claim('polygon'), updatedMs: 1 }),
    );
    expect(row?.otherClaims?.map((one) => one.network)).toEqual([network('base')]);
  });

  it('asks the plainest spelling of a list, however late an odd one comes (G99)', () => {
    const rows = ['https://a.example/x', 'https://a.example/x//', 'https://a.example/x/?'].map((url, index) =>
      listed(url, { updatedMs: index }),
    );
    expect(merge(...rows).map(({ target }) => target.href)).toEqual(['https://a.example/x']);
    expect(merge(...rows.toReversed()).map(({ target }) => target.href)).toEqual(['https://a.example/x']);
  });

  it('keeps the two plainest spellings of all lists (G99)', () => {
    const spelled = (...paths: readonly (readonly [path: string, list: string])[]) =>
      merge(...paths.map(([path, list]) => listed(`https://a.example${path}`, { list }))).map((row) => [
        row.target.pathAndQuery,
        row.spellings?.map(({ pathAndQuery }) => pathAndQuery),
        otherSpelling(row)?.pathAndQuery,
      ]);
    expect(spelled(['/x', 'good'], ['/x', 'p'])).toEqual([['/x', undefined, undefined]]);
    expect(spelled(['/x/', 'good'], ['/x', 'good'])).toEqual([['/x', ['/x', '/x/'], '/x/']]);
    expect(spelled(['/x/', 'z-best'], ['/x', 'p'], ['/x//', 'z-best'])).toEqual([
      ['/x/', ['/x', '/x/'], '/x'],
    ]);
    const noise = ['/x?b=2&a=1', '/x?a=1&b=2&', '/x?&a=1&b=2'].map((path) => [path, 'good'] as const);
    expect(spelled(['/x?a=1&b=2', 'good'], ...noise)).toEqual([['/x?a=1&b=2', undefined, undefined]]);
    expect(spelled(['/x?a=1&b=2', 'good'], ...noise, ['/x/?a=1&b=2', 'p'])).toEqual([
      ['/x?a=1&b=2', ['/x?a=1&b=2', '/x/?a=1&b=2'], '/x/?a=1&b=2'],
    ]);
    expect(spelled(['/x//', 'z-best'], ['/x/', 'p'], ['/x', 'q'])).toEqual([['/x//', ['/x', '/x/'], '/x']]);
  });

  it('does not depend on the order of the rows', () => {
    const lists = fc.constantFrom('z-best', 'good', 'p', 'q');
    const rows = fc.array(
      fc.record({
        list: lists,
        path: fc.constantFrom('/x', '/x/', '/x//', '/x?', '/y'),
        method: fc.constantFrom('GET' as const, 'POST' as const),
        price: fc.bigInt({ min: 1n, max: 3n }),
        about: fc.record({ updatedMs: fc.nat(2), service: fc.constantFrom('a', 'b') }, { requiredKeys: [] }),
      }),
      { maxLength: 8 },
    );
    fc.assert(
      fc.property(rows, (some) => {
        const endpoints = some.map(({ list, path, method, price, about }) =>
          listed(`https://a.example${path}`, {
            ...about,
            method,
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
