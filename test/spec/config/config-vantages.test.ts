import { describe, expect, it } from 'vitest';
import { readConfig } from '../../../src/main/config/config.ts';

describe('the settings of vantages', () => {
  it.each<[NodeJS.ProcessEnv, object]>([
    [{}, { file: null, fromPrice: 100_000n, clientName: 'localhost/vantages' }],
    [{ VANTAGES: 'vantages.txt' }, { file: 'vantages.txt' }],
    [{ VANTAGE_FROM_USD: '0' }, { fromPrice: 0n }],
    [{ VANTAGE_FROM_USD: '2.5000009' }, { fromPrice: 2_500_000n }],
    [{ BASE_URL: 'https://assay.example.com' }, { clientName: 'assay.example.com/vantages' }],
    [{ BASE_URL: 'http://127.0.0.1:4402' }, { clientName: '127.0.0.1:4402/vantages' }],
  ])('%j', (variables, vantages) => {
    expect(readConfig(variables)).toMatchObject({ kind: 'config', config: { vantages } });
  });

  it.each(['x', '-1', '1e3', '$1', ' '])('refuse a price of %j', (price) => {
    const problem = 'VANTAGE_FROM_USD must be a plain decimal of USD, such as 0.10';
    expect(readConfig({ VANTAGE_FROM_USD: price })).toEqual({ kind: 'invalid', problem });
  });
});
