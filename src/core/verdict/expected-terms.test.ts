import { describe, expect, it } from 'vitest';
import { microUsd } from '../money/micro-usd.ts';
import { parseNetwork } from '../x402/networks.ts';
import { type Claim, expectedTerms, type Listing } from './expected-terms.ts';

const base = parseNetwork('base');
const polygon = parseNetwork('polygon');
const nothing: Claim = { price: null, payTo: null, network: null };
const listing: Listing = { price: microUsd(10_000n), payTo: '0xlisted', network: base, sourceList: 'a-list' };

describe('what the challenge is compared with (G42)', () => {
  it.each<[string, Claim, Listing | null, object]>([
    ['nothing sent, nothing listed', nothing, null, { ...nothing, source: null }],
    [
      'only the listing',
      nothing,
      listing,
      { price: 10_000n, payTo: '0xlisted', network: base, source: 'listing' },
    ],
    [
      'a listing without facts still is the source',
      nothing,
      { ...nothing, sourceList: 'a-list' },
      { ...nothing, source: 'listing' },
    ],
    [
      'only a price sent',
      { ...nothing, price: microUsd(5n) },
      listing,
      { price: 5n, payTo: '0xlisted', network: base, source: 'request' },
    ],
    [
      'only a payee sent',
      { ...nothing, payTo: '0xsent' },
      listing,
      { price: 10_000n, payTo: '0xsent', source: 'request' },
    ],
    [
      'a payee sent who has no address on the listed network',
      { ...nothing, payTo: '7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV' },
      listing,
      { price: 10_000n, network: null, source: 'request' },
    ],
    [
      'a payee sent who has one',
      { ...nothing, payTo: '0x209693Bc6afc0C5328bA36FaF03C514EF312287C' },
      listing,
      { price: 10_000n, network: base, source: 'request' },
    ],
    [
      'only a network sent',
      { ...nothing, network: polygon },
      listing,
      { network: polygon, source: 'request' },
    ],
    [
      'a price of zero is a price',
      { ...nothing, price: microUsd(0n) },
      listing,
      { price: 0n, source: 'request' },
    ],
    [
      'everything sent, nothing listed',
      { price: microUsd(5n), payTo: '0xsent', network: base },
      null,
      { price: 5n, payTo: '0xsent', source: 'request' },
    ],
  ])('%s', (_, request, listed, expected) => {
    expect(expectedTerms(request, listed)).toMatchObject(expected);
  });
});
