import { describe, expect, it } from 'vitest';
import { ENTRY, ENTRY_V1 } from '../../../tools/samples/challenge.ts';
import { contradictedKeys, isSameDemand, readOffer } from './offer.ts';

describe('an entry of accepts', () => {
  it.each<[string, object, object]>([
    ['a version 1 entry', ENTRY_V1, { network: 'eip155:8453', amountAtomic: 10_000n }],
    ['both amounts when they agree', { ...ENTRY, maxAmountRequired: '10000' }, { amountAtomic: 10_000n }],
    ['an amount as a whole JSON number (L01)', { ...ENTRY, amount: 10_000 }, { amountAtomic: 10_000n }],
    ['the largest amount', { ...ENTRY, amount: String(2n ** 256n - 1n) }, { amountAtomic: 2n ** 256n - 1n }],
    ['a network without a CAIP-2 name', { ...ENTRY, network: ' eip155:8453' }, { network: null }],
    ['an asset that is only a name', { ...ENTRY, network: 'ach:us', asset: 'USD' }, { asset: 'USD' }],
    ['no timeout', { ...ENTRY, maxTimeoutSeconds: undefined }, { maxTimeoutSeconds: null }],
    ['a timeout of zero', { ...ENTRY, maxTimeoutSeconds: 0 }, { maxTimeoutSeconds: null }],
    ['a timeout in quotes', { ...ENTRY, maxTimeoutSeconds: '60' }, { transfer: 'too_long' }],
    ['a timeout in a list', { ...ENTRY, maxTimeoutSeconds: [60] }, { transfer: 'too_long' }],
    ['a timeout that is null', { ...ENTRY, maxTimeoutSeconds: null }, { transfer: 'ordinary' }],
    ...Object.entries({
      assetTransferMethod: 'eip3009',
      primaryType: 'TransferWithAuthorization',
      paymentFlow: 'authorization',
    }).flatMap(([key, plain]): [string, object, object][] => [
      [`the plain ${key}`, { ...ENTRY, extra: { [key]: plain } }, { transfer: 'ordinary' }],
      [`another ${key}`, { ...ENTRY, extra: { [key]: 'x' } }, { transfer: 'other_method' }],
    ]),
    ['a timeout beyond every calendar', { ...ENTRY, maxTimeoutSeconds: 1e308 }, { maxTimeoutSeconds: null }],
    [
      'a time in unix seconds',
      { ...ENTRY, validBefore: 1_800_000_000 },
      { validBeforeMs: 1_800_000_000_000 },
    ],
    ['a time in quotes', { ...ENTRY, validBefore: '1800000000' }, { validBeforeMs: 1_800_000_000_000 }],
    [
      'a time in ISO 8601',
      { ...ENTRY, validBefore: '2027-01-15T08:00:00Z' },
      { validBeforeMs: 1_800_000_000_000 },
    ],
    [
      'a time with an offset',
      { ...ENTRY, validBefore: '2027-01-15T09:00:00.5+01:00' },
      { validBeforeMs: 1_800_000_000_500 },
    ],
    [
      'a time inside extra',
      { ...ENTRY, extra: { validBefore: '1800000000' } },
      { validBeforeMs: 1_800_000_000_000 },
    ],
    [
      'the earlier of two times',
      { ...ENTRY, validBefore: 4_102_444_800, extra: { validBefore: 2 } },
      { validBeforeMs: 2_000 },
    ],
    ['an older amount that is null', { ...ENTRY, maxAmountRequired: null }, { amountAtomic: 10_000n }],
    ['a newer amount that is null', { ...ENTRY_V1, amount: null }, { amountAtomic: 10_000n }],
    [
      'a time with a blank',
      { ...ENTRY, validBefore: '2020-01-01 00:00:00+0000' },
      { validBeforeMs: 1_577_836_800_000 },
    ],
    ['a day', { ...ENTRY, validBefore: '2020-01-01' }, { validBeforeMs: 1_577_836_800_000 }],
    [
      'a time without seconds',
      { ...ENTRY, validBefore: '2020-01-01T00:00Z' },
      { validBeforeMs: 1_577_836_800_000 },
    ],
    [
      'a time without a zone',
      { ...ENTRY, validBefore: '2020-01-01T00:00:00' },
      { validBeforeMs: 1_577_836_800_000 },
    ],
    ['a day that no month has', { ...ENTRY, validBefore: '2027-02-30T00:00:00Z' }, { validBeforeMs: null }],
    ['an hour that no day has', { ...ENTRY, validBefore: '2027-02-03T24:00:00Z' }, { validBeforeMs: null }],
    [
      'a time that leaves the year 9999 by its zone',
      { ...ENTRY, validBefore: '9999-12-31T23:59:59-23:59' },
      { validBeforeMs: null },
    ],
    ['a time before 1970', { ...ENTRY, validBefore: '1960-01-01' }, { validBeforeMs: null }],
    [
      'a time in milliseconds, which cannot be used',
      { ...ENTRY, validBefore: 1_800_000_000_000 },
      { validBeforeMs: null },
    ],
    ['a time beyond the year 9999', { ...ENTRY, validBefore: 253_402_300_800 }, { validBeforeMs: null }],
    ['a day that does not exist', { ...ENTRY, validBefore: '2027-13-45T00:00:00Z' }, { validBeforeMs: null }],
    ['a time in words', { ...ENTRY, validBefore: 'tomorrow' }, { validBeforeMs: null }],
    ['a time that is an object', { ...ENTRY, validBefore: {} }, { validBeforeMs: null }],
    ['extra that is no object', { ...ENTRY, extra: 'x' }, { validBeforeMs: null }],
    [
      'members that shadow inherited ones',
      { ...ENTRY, toString: 1, hasOwnProperty: 1 },
      { amountAtomic: 10_000n },
    ],
  ])('reads %s', (_, entry, offer) => {
    expect(readOffer(entry)).toMatchObject(offer);
  });

  it.each<[string, unknown]>([
    ['null', null],
    ['a list', [ENTRY]],
    ['no scheme', { ...ENTRY, scheme: undefined }],
    ['no amount', { ...ENTRY, amount: undefined }],
    ['a decimal amount', { ...ENTRY, amount: '0.01' }],
    ['a signed amount', { ...ENTRY, amount: '+1' }],
    ['an amount with a leading zero', { ...ENTRY, amount: '010' }],
    ['a hexadecimal amount', { ...ENTRY, amount: '0x10' }],
    ['an empty amount', { ...ENTRY, amount: '' }],
    ['2^256', { ...ENTRY, amount: String(2n ** 256n) }],
    ['79 digits', { ...ENTRY, amount: '9'.repeat(79) }],
    ['a fractional number', { ...ENTRY, amount: 0.5 }],
    ['a number that is not exact', { ...ENTRY, amount: 2 ** 53 }],
    ['a negative number', { ...ENTRY, amount: -1 }],
    ['an amount in a list', { ...ENTRY, amount: ['10000'] }],
    ['two amounts that differ', { ...ENTRY, maxAmountRequired: '999999' }],
    ['two amounts of which one is unreadable', { ...ENTRY, maxAmountRequired: 'x' }],
    ['a payee in a list', { ...ENTRY, payTo: [ENTRY.payTo] }],
    ['a payee with markup', { ...ENTRY, payTo: '<img src=x>' }],
    ['a payee with a look-alike letter', { ...ENTRY, payTo: ENTRY.payTo.replace('B', 'Β') }],
    [
      'a payee that is only inherited',
      { ...ENTRY, payTo: undefined, ...JSON.parse('{"__proto__":{"payTo":"a"}}') },
    ],
    ['no network', { ...ENTRY, network: '' }],
    ['a network that is a list', { ...ENTRY, network: ['eip155:8453'] }],
    ['no asset', { ...ENTRY, asset: null }],
  ])('does not read %s', (_, entry) => {
    expect(readOffer(entry)).toBeNull();
  });
});

it('nothing agrees with a term that cannot be read', () => {
  const unread = { scheme: 'exact', network: null, asset: null, amountAtomic: null, payTo: null };
  const entry = { Network: 'moonbase', Asset: 'x', Amount: 'x', PayTo: 'x' };
  expect(contradictedKeys(entry, unread)).toEqual(['network', 'asset', 'amount', 'payTo']);
});

describe('two offers ask the same', () => {
  const offer = (changes: object) => {
    const read = readOffer({ ...ENTRY, ...changes });
    if (read === null) throw new Error('the entry should be readable');
    return read;
  };
  it.each<[string, object, boolean]>([
    [
      'in another letter case',
      { payTo: ENTRY.payTo.toLowerCase(), asset: ENTRY.asset.toUpperCase().replace('X', 'x') },
      true,
    ],
    ['with another timeout', { maxTimeoutSeconds: 600 }, true],
    ['but for the payee', { payTo: '0x857b06519E91e3A54538791bDbb0E22373e36b66' }, false],
    ['but for the amount', { amount: '10001' }, false],
    ['but for the network', { network: 'eip155:1' }, false],
    ['but for the scheme', { scheme: 'upto' }, false],
    [
      'but for another spelling of the payee',
      { pay_to: '0x857b06519E91e3A54538791bDbb0E22373e36b66' },
      false,
    ],
    ['but for the asset', { asset: '0x50c5725949A6F0c72E6C4a641F24049A917DB0Cb' }, false],
  ])('%s', (_, changes, same) => {
    expect(isSameDemand(offer({}), offer(changes))).toBe(same);
  });
});
