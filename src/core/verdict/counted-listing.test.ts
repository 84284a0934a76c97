import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { PAYEE, THIEF } from '../../../tools/samples/challenge.ts';
import { network } from '../../../tools/samples/listed.ts';
import { microUsd } from '../money/micro-usd.ts';
import type { NonEmpty } from '../non-empty.ts';
import type { Offer } from '../x402/offer.ts';
import { CLAIMS_MAX, countedListing } from './counted-listing.ts';
import type { Listing } from './expected-terms.ts';

const base = network('base');
const STRANGER = `0x${'5'.repeat(40)}`;
const row = (changes: Partial<Listing> = {}): Listing => ({
  price: microUsd(10_000n),
  payTo: PAYEE,
  network: base,
  sourceList: 'a-list',
  ...changes,
});
const offer = (changes: Partial<Offer> = {}): Offer => ({
  scheme: 'exact',
  network: base,
  asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  amountAtomic: 10_000n,
  payTo: PAYEE,
  maxTimeoutSeconds: 60,
  validBeforeMs: null,
  selfContradictory: false,
  transfer: 'ordinary',
  ...changes,
});
const cents = (amount: bigint) => microUsd(amount * 10_000n);

/** As many claims as are kept, so that there may have been more. */
const flood = (claims: Partial<Listing> = {}, first: Partial<Listing> = {}): NonEmpty<Listing> => [
  row({ price: cents(50n), ...claims, ...first }),
  ...Array.from({ length: 7 }, (_, index) => row({ price: cents(51n + BigInt(index)), ...claims })),
];
const NOTHING = { price: null, payTo: null, network: null, sourceList: 'a-list' };

describe('which of several rows about one URL counts (G99)', () => {
  it.each<[string, NonEmpty<Listing>, readonly Offer[], Partial<Listing>]>([
    ['one row, whatever is offered', [row()], [offer({ payTo: THIEF })], row()],
    ['one row without an answer', [row()], [], row()],
    [
      'a later row with another payee does not replace the honest one',
      [row({ payTo: THIEF, price: cents(99n) }), row()],
      [offer()],
      row(),
    ],
    [
      'nor when it is on a better list',
      [row({ payTo: THIEF }), row({ sourceList: 'b' })],
      [offer()],
      row({ sourceList: 'b' }),
    ],
    [
      'the payee is the same in another letter case',
      [row({ payTo: PAYEE.toUpperCase().replace('0X', '0x'), price: cents(2n) }), row()],
      [offer()],
      { price: cents(1n) },
    ],
    [
      'rows that disagree and an endpoint that confirms none: nothing is expected but the network',
      [row(), row({ payTo: THIEF })],
      [offer({ payTo: STRANGER })],
      { payTo: null, price: null, network: base, sourceList: 'a-list' },
    ],
    [
      'nor the network when they disagree about it, too',
      [row(), row({ payTo: THIEF, network: network('polygon') })],
      [],
      { payTo: null, price: null, network: null },
    ],
    [
      'a confirmed payee keeps its price: asking more is still a mismatch',
      [row({ payTo: THIEF, price: cents(5n) }), row()],
      [offer({ amountAtomic: 50_000n })],
      row(),
    ],
    [
      'of two rows of the confirmed payee, the one whose price is asked',
      [row({ payTo: THIEF }), row({ price: cents(3n) }), row()],
      [offer()],
      row(),
    ],
    [
      'a row without a payee confirms nothing in a dispute',
      [row(), row({ payTo: THIEF }), row({ payTo: null })],
      [offer({ payTo: STRANGER })],
      { payTo: null, price: null },
    ],
    ['a later row with another price of the same list', [row({ price: cents(9n) }), row()], [offer()], row()],
    [
      "a price that nobody asks for stays the winner's",
      [row({ price: cents(9n) }), row()],
      [offer({ amountAtomic: 7n })],
      row({ price: cents(9n) }),
    ],
    [
      'a later row that names no payee does not take the payee away',
      [row({ payTo: null, price: null }), row()],
      [offer({ payTo: THIEF })],
      { payTo: PAYEE },
    ],
    [
      'nor may it choose the price for another payee',
      [row({ price: cents(1n) }), row({ payTo: null, price: cents(9n) })],
      [offer({ payTo: THIEF, amountAtomic: 90_000n })],
      row(),
    ],
    ['a later row on another network', [row({ network: network('polygon') }), row()], [offer()], row()],
    [
      'also where no row names a price',
      [row({ price: null, payTo: null, network: network('polygon') }), row({ price: null })],
      [offer()],
      row({ price: null }),
    ],
    [
      'and where none names a payee',
      [row({ price: null, payTo: null, network: network('polygon') }), row({ price: null, payTo: null })],
      [offer()],
      row({ price: null, payTo: null }),
    ],
    [
      'but no row without a price hides one that nobody asks',
      [row({ price: cents(9n), network: network('polygon') }), row({ price: null })],
      [offer()],
      row({ price: cents(9n), network: network('polygon') }),
    ],
    [
      'a row without a network is confirmed on any',
      [row({ price: cents(2n) }), row({ network: null })],
      [offer()],
      row({ network: null }),
    ],
    [
      'a list of lower rank with the same payee does not choose the price',
      [row({ price: cents(2n) }), row({ sourceList: 'b' })],
      [offer()],
      row({ price: cents(2n) }),
    ],
    [
      'nor lends its payee',
      [row({ payTo: null }), row({ sourceList: 'b' })],
      [offer({ payTo: THIEF })],
      { payTo: null },
    ],
    ['a flood without a payee, of which none is confirmed', flood({ payTo: null }), [offer()], NOTHING],
    ['nor does its price count with the confirmed payee', flood(), [offer()], NOTHING],
    ['nor its payee', flood({ payTo: THIEF }), [offer()], NOTHING],
    ['nor its network', flood({ network: network('polygon') }), [offer()], NOTHING],
    ['nor without an answer', flood(), [], NOTHING],
    [
      'a confirmed payee without a price counts in a flood',
      flood({}, { price: null }),
      [offer()],
      row({ price: null }),
    ],
    [
      'a network that some rows name is not agreed on',
      [row({ payTo: THIEF, network: network('polygon') }), row({ network: network('polygon') }), row()],
      [offer({ payTo: STRANGER })],
      NOTHING,
    ],
    [
      'a row without a network does not excuse one that names another',
      [row({ price: null, network: network('polygon') }), row({ price: null, network: null })],
      [offer()],
      row({ price: null, network: network('polygon') }),
    ],
    ['a confirmed row counts in a flood', flood({}, { price: cents(1n) }), [offer()], row()],
    [
      'also behind one that claims nothing',
      [row({ payTo: null, price: null, network: null }), ...flood({}, { price: cents(1n) })],
      [offer()],
      row(),
    ],
    [
      'also where it names no payee',
      [row({ payTo: null, price: null }), ...flood({ payTo: null }, { price: cents(1n) })],
      [offer()],
      row({ payTo: null }),
    ],
    [
      'one claim fewer than are kept is no flood: the winner counts',
      flood().slice(1) as [Listing, ...Listing[]],
      [offer()],
      row({ price: cents(51n) }),
    ],
  ])('%s', (_, listings, offers, counted) => {
    expect(countedListing(listings, offers)).toMatchObject(counted);
  });

  it('knows a flood by the number of claims that are kept', () => {
    expect(flood()).toHaveLength(CLAIMS_MAX);
  });

  it('an honest seller is never held against a payee that others list beside its own', () => {
    const payee = fc.constantFrom(PAYEE, THIEF, STRANGER, null);
    const rows = fc.array(
      fc.record({
        price: fc.option(fc.bigInt({ min: 1n, max: 3n }).map(cents)),
        payTo: payee,
        network: fc.option(fc.constantFrom(base, network('polygon'))),
        sourceList: fc.constantFrom('a-list', 'b'),
      }),
      { maxLength: 6 },
    );
    fc.assert(
      fc.property(rows, rows, (before, after) => {
        const [first = row(), ...others] = [...before, row(), ...after];
        expect([PAYEE, null]).toContain(countedListing([first, ...others], [offer()]).payTo);
      }),
    );
  });
});
