import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addressGroups, dialable } from './address-group.ts';

describe('what counts as one address (G101)', () => {
  it.each<[string, readonly string[], number]>([
    ['one IPv4 address', ['1.1.1.1'], 1],
    ['its neighbour is another', ['1.1.1.1', '1.1.1.2'], 2],
    ['in whatever spelling', ['1.1.1.1', '::ffff:1.1.1.1', '::FFFF:101:101'], 1],
    ['a /48 of IPv6', ['2606:4700:10::1', '2606:4700:10:ffff::2', '2606:4700:0010:0:0:0:0:3'], 1],
    ['its neighbour is another', ['2606:4700:10::1', '2606:4700:11::1'], 2],
    ['what is no address counts as itself', ['x', 'x'], 1],
    ['none', [], 0],
  ])('%s', (_, addresses, groups) => {
    expect(addressGroups(addresses)).toHaveLength(groups);
  });
});

describe('which addresses of a name may be dialled', () => {
  it.each<[string, readonly string[], readonly string[]]>([
    ['the only one', ['1.1.1.1'], ['1.1.1.1']],
    ['the first two of one family', ['1.1.1.1', '1.0.0.1', '8.8.8.8'], ['1.1.1.1', '1.0.0.1']],
    ['one of each family', ['1.1.1.1', '1.0.0.1', '2606:4700::1'], ['1.1.1.1', '2606:4700::1']],
    [
      'three where they are in two groups',
      ['1.1.1.1', '2606:4700::1', '2606:4700::2', '2606:4700::3'],
      ['1.1.1.1', '2606:4700::1', '2606:4700::2'],
    ],
    ['none', [], []],
  ])('%s', (_, addresses, dialled) => {
    expect(dialable(addresses)).toEqual(dialled);
  });

  it('are in two groups at most, and the first one is always among them', () => {
    const address = fc.oneof(fc.ipV4(), fc.ipV6());
    fc.assert(
      fc.property(fc.array(address, { minLength: 1, maxLength: 12 }), (addresses) => {
        const dialled = dialable(addresses);
        expect(addressGroups(dialled).length).toBeLessThanOrEqual(2);
        expect(dialled[0]).toBe(addresses[0]);
      }),
    );
  });
});
