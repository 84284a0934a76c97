import { describe, expect, it } from 'vitest';
import { hostBatches, siteLimit } from './host-limits.ts';

describe('what is requested together', () => {
  it.each<[string, readonly string[], number, readonly (readonly string[])[]]>([
    ['nothing', [], 3, []],
    ['so many as are told', ['a', 'b', 'c', 'd'], 3, [['a', 'b', 'c'], ['d']]],
    ['one at a time', ['a', 'a'], 1, [['a'], ['a']]],
    [
      'two of a host',
      ['a', 'a', 'a', 'b'],
      8,
      [
        ['a', 'a'],
        ['a', 'b'],
      ],
    ],
    [
      'two of a host, also when they are apart',
      ['a', 'b', 'a', 'a', 'b'],
      8,
      [
        ['a', 'b', 'a'],
        ['a', 'b'],
      ],
    ],
    ['two of a host on any port', ['a:1', 'a:2', 'a:3'], 8, [['a:1', 'a:2'], ['a:3']]],
  ])('%s', (_, hosts, size, expected) => {
    const addresses = hosts.map((host) => `https://${host}/x`);
    expect(hostBatches(addresses, size)).toEqual(
      expected.map((batch) => batch.map((host) => `https://${host}/x`)),
    );
  });
});

it('two sites of a host name are admitted, each with all of its addresses', () => {
  const isAdmitted = siteLimit();
  const addresses: readonly [string, boolean][] = [
    ['https://a.example/1', true],
    ['https://a.example:81/1', true],
    ['http://a.example/1', false],
    ['https://a.example/2', true],
    ['https://a.example:443/3', true],
    ['https://b.example/1', true],
    ['https://a.example:82/1', false],
  ];
  expect(addresses.map(([address]) => [address, isAdmitted(address)])).toEqual(addresses);
});
