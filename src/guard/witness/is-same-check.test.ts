import { describe, expect, it } from 'vitest';
import { BASE, PAYEE, THIEF } from '../../../tools/samples/challenge.ts';
import { microUsd } from '../../core/money/micro-usd.ts';
import type { Claim } from '../../core/verdict/expected-terms.ts';
import { parseNetwork } from '../../core/x402/networks.ts';
import type { JsonObject } from '../../core/x402/read-json.ts';
import { isSameCheck } from './is-same-check.ts';

describe('a receipt that was compared with a claim of its caller', () => {
  const NOTHING = { claimed_price_usd: null, pay_to: null, network: null };
  const LISTED = { ...NOTHING, claimed_price_usd: 0.01, network: BASE, source_list: 'a-list' };
  const CENT = microUsd(10_000n);
  const network = parseNetwork(BASE);
  const ALL = { price: CENT, payTo: PAYEE, network };
  const compared = (expected: object, listing: unknown = null) => ({
    input: null,
    listing,
    expected: { ...NOTHING, source: 'request', ...expected },
  });

  it.each<[string, JsonObject, Partial<Claim>]>([
    ['the payee', compared({ pay_to: PAYEE }), { payTo: PAYEE }],
    ['the payee without letter case', compared({ pay_to: PAYEE.toLowerCase() }), { payTo: PAYEE }],
    ['the price', compared({ claimed_price_usd: 0.01 }), { price: CENT }],
    ['a price below a cent', compared({ claimed_price_usd: 0.000001 }), { price: microUsd(1n) }],
    ['the network', compared({ network: BASE }), { network }],
    ['all three', compared({ claimed_price_usd: 0.01, pay_to: PAYEE, network: BASE }), ALL],
    [
      'the payee, and a listing the rest',
      compared({ claimed_price_usd: 0.01, pay_to: PAYEE, network: BASE }, LISTED),
      { payTo: PAYEE },
    ],
    [
      'another price than the listing',
      compared({ claimed_price_usd: 0.02, network: BASE }, LISTED),
      { price: microUsd(20_000n) },
    ],
  ])('is believed where this question claims the same: %s', (_, live, asked) => {
    expect(isSameCheck(live, asked)).toBe(true);
  });

  it.each<[string, JsonObject, Partial<Claim>]>([
    ['another payee', compared({ pay_to: THIEF }), { payTo: PAYEE }],
    ['a payee beside ours', compared({ claimed_price_usd: 0.01, pay_to: THIEF }), { price: CENT }],
    ['less than this question', compared({ pay_to: PAYEE }), ALL],
    ['nothing, where this question claims a payee', compared({ network: BASE }), { payTo: PAYEE, network }],
    ['another price', compared({ claimed_price_usd: 0.010001 }), { price: CENT }],
    ['another network', compared({ network: 'eip155:137' }), { network }],
    [
      'another payee than the listing',
      compared({ pay_to: THIEF, network: BASE }, { ...LISTED, pay_to: PAYEE }),
      {},
    ],
    ['less than the listing', compared({ pay_to: PAYEE }, LISTED), { payTo: PAYEE }],
    ['a price in a text', compared({ claimed_price_usd: '0.01' }), { price: CENT }],
    ['a negative price', compared({ claimed_price_usd: -0.01 }), {}],
    ['a payee that is left out', compared({ pay_to: undefined, network: BASE }), { network }],
    ['a listing that is left out', { ...compared({ pay_to: PAYEE }), listing: undefined }, { payTo: PAYEE }],
    ['a listing of another kind', compared({ pay_to: PAYEE }, 'a-list'), { payTo: PAYEE }],
    [
      'the same, with an input of his own',
      { ...compared({ pay_to: PAYEE }), input: { source: 'caller', sha256: 'a'.repeat(64) } },
      { payTo: PAYEE },
    ],
  ])('is not believed where he claims %s', (_, live, asked) => {
    expect(isSameCheck(live, asked)).toBe(false);
  });
});
