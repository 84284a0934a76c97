import { describe, expect, it } from 'vitest';
import { SOLANA, SOLANA_PAYEE, USDC_ON_SOLANA } from '../../../test/support/judging.ts';
import { ENTRY, PAYEE, paywall, THIEF } from '../../../tools/samples/challenge.ts';
import { LISTED, network } from '../../../tools/samples/listed.ts';
import { microUsd } from '../money/micro-usd.ts';
import { type Claims, expectationFor } from './expectation.ts';
import type { Claim } from './expected-terms.ts';
import { readOutcome } from './reading.ts';

const NOTHING = { price: null, payTo: null, network: null };
const listing = { ...LISTED, sourceList: 'a-list' };
const ours = { ...LISTED, price: microUsd(20_000n), sourceList: 'catalog' };
const asked = readOutcome(paywall([ENTRY]));

describe('what an answer is compared with (G99)', () => {
  it.each<[string, Omit<Claims, 'request'>, object]>([
    ['nothing', { listed: [], catalog: [] }, { listing: null, expected: { ...NOTHING, source: null } }],
    [
      'the crawl before the catalog',
      { listed: [listing], catalog: [ours] },
      { listing, expected: { ...LISTED, source: 'listing' } },
    ],
    [
      'the catalog without a crawl',
      { listed: [], catalog: [ours] },
      { listing: ours, expected: { price: 20_000n, payTo: PAYEE, source: 'listing' } },
    ],
    [
      'the catalog where the rows of the crawl disagree and none is confirmed',
      {
        listed: [
          { ...listing, payTo: THIEF },
          { ...listing, payTo: `0x${'5'.repeat(40)}` },
        ],
        catalog: [ours],
      },
      { listing: { payTo: null, sourceList: 'a-list' }, expected: { price: 20_000n, payTo: PAYEE } },
    ],
    [
      'the row that is confirmed',
      { listed: [{ ...listing, payTo: THIEF }, listing], catalog: [] },
      { listing, expected: { payTo: PAYEE } },
    ],
  ])('%s', (_, claims, expectation) => {
    expect(expectationFor({ request: NOTHING, ...claims }, asked)).toMatchObject(expectation);
  });

  const onSolana = { ...listing, network: network('solana'), payTo: SOLANA_PAYEE };
  const both = readOutcome(
    paywall([ENTRY, { ...ENTRY, network: SOLANA, asset: USDC_ON_SOLANA, payTo: SOLANA_PAYEE }]),
  );
  it.each<[string, Partial<Claim>, object]>([
    ['no network', {}, { payTo: PAYEE, network: listing.network }],
    ['the one network', { network: listing.network }, { payTo: PAYEE, network: listing.network }],
    ['the other network', { network: onSolana.network }, { payTo: SOLANA_PAYEE, network: onSolana.network }],
    ['the other payee', { payTo: SOLANA_PAYEE }, { payTo: SOLANA_PAYEE, network: onSolana.network }],
  ])('the row of the network that the caller names, of two that are confirmed: %s', (_, claim, expected) => {
    const claims = { request: { ...NOTHING, ...claim }, listed: [listing, onSolana], catalog: [] };
    expect(expectationFor(claims, both).expected).toMatchObject(expected);
  });

  it('a row on another network vouches for no payee there', () => {
    const claims = { request: { ...NOTHING, network: onSolana.network }, listed: [listing], catalog: [] };
    expect(expectationFor(claims, both).expected.payTo).toBe(PAYEE);
  });

  it.each([
    [
      'an answer without a challenge',
      { kind: 'answered', status: 200, headers: [], body: new Uint8Array(), bodyComplete: true },
    ],
    ['no answer', { kind: 'timed_out' }],
  ] as const)('%s confirms no row', (_, outcome) => {
    const claims = {
      request: NOTHING,
      listed: [{ ...listing, payTo: THIEF }, listing],
      catalog: [],
    } as const;
    expect(expectationFor(claims, readOutcome(outcome)).expected.payTo).toBeNull();
  });
});
