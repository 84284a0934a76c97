import { DEFAULT_ASSETS as DEFAULT_ASSETS_OF_X402 } from '@x402/evm';
import { expect, it } from 'vitest';
import { DEFAULT_ASSETS } from '../../src/core/lint/clients/default-assets.ts';

it('the model of stock payers knows the tokens that @x402/fetch pays with', () => {
  const theirs = Object.entries(DEFAULT_ASSETS_OF_X402).flatMap(([network, assets]) =>
    assets.map(({ asset, decimals }) => [network, asset.toLowerCase(), decimals]),
  );
  expect(DEFAULT_ASSETS).toEqual(theirs);
});
