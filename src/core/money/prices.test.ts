import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { microUsd } from './micro-usd.ts';
import { isSanePrice, spotCheckPrice } from './prices.ts';

describe('the price of a spot-check (G47)', () => {
  it.each<[string, bigint | null, bigint]>([
    ['no readable quote', null, 10_000n],
    ['a free target', 0n, 10_000n],
    ['a tenth below the minimum', 99_994n, 10_000n],
    ['a tenth that rounds half up', 100_005n, 10_001n],
    ['a tenth that rounds down', 100_004n, 10_000n],
    ['a tenth between the bounds', 1_000_000n, 100_000n],
    ['a tenth at the maximum', 2_500_000n, 250_000n],
    ['a tenth above the maximum', 2_510_000n, 250_000n],
    ['the largest quote there is', 2n ** 256n - 1n, 250_000n],
  ])('%s', (_, quoted, price) => {
    expect(spotCheckPrice(quoted === null ? null : microUsd(quoted))).toBe(price);
  });

  it('is always between one and twenty-five cents', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }), (quoted) => {
        const price = spotCheckPrice(microUsd(quoted));
        expect(price >= 10_000n && price <= 250_000n).toBe(true);
      }),
    );
  });
});

describe('a sane price (G37, G74)', () => {
  it.each<[string, bigint, bigint | null, boolean]>([
    ['one millionth, nothing claimed', 1n, null, true],
    ['ten dollars, nothing claimed', 10_000_000n, null, true],
    ['a millionth above ten dollars, nothing claimed', 10_000_001n, null, false],
    ['nothing to pay, nothing claimed', 0n, null, false],
    ['a large price that was claimed exactly', 1_000_000_000_000n, 1_000_000_000_000n, true],
    ['a large price that was claimed differently', 20_000_000n, 10_000n, false],
    ['nothing to pay, as claimed', 0n, 0n, true],
  ])('%s', (_, quoted, claimed, sane) => {
    expect(isSanePrice(microUsd(quoted), claimed === null ? null : microUsd(claimed))).toBe(sane);
  });
});
