import { ExactEvmScheme } from '@x402/evm/exact/client';
import { wrapFetchWithPayment, x402Client } from '@x402/fetch';
import { privateKeyToAccount } from 'viem/accounts';
import { describe, expect, it } from 'vitest';
import { askService } from '../../../src/guard/witness/ask-service.ts';
import { fetchOf } from '../../support/asking-fetch.ts';
import { buyerOf, chainOfTheFile, takingsOf } from '../../support/paying/paying-chain.ts';
import { usePaying } from '../../support/paying/paying-service.ts';
import { BASE_URL } from '../../support/running/running-service.ts';

const HONEST_SHA256 = '680f87ccbad4b20d7afe26edf88997fd45b62596c94881a8a0b07cadc366b33b';
const chain = await chainOfTheFile();

describe('a check that costs', () => {
  const paying = usePaying({ chain });
  const ask = async (path: string, payer: typeof fetch | 'stock' | null) => {
    const plain = fetchOf(paying.ask);
    const scheme = new ExactEvmScheme(privateKeyToAccount(buyerOf(chain).key));
    const stock = wrapFetchWithPayment(plain, new x402Client().register('eip155:8453', scheme));
    const payAsk = payer === 'stock' ? stock : (payer ?? undefined);
    return takingsOf(chain, () =>
      askService(
        { service: BASE_URL, fetch: plain, now: () => new Date(), payAsk },
        { url: `http://seller.example/${path}`, method: 'GET', termsSha256s: [HONEST_SHA256] },
      ),
    );
  };

  it('is bought once with a fetch that pays', async () => {
    const { result, taken } = await ask('honest', 'stock');
    expect(result).toMatchObject({ kind: 'agrees', witness: { termsSha256: HONEST_SHA256 } });
    expect(taken.map(({ value }) => value)).toEqual([10_000n]);
  });

  it('brings the reason with it', async () => {
    const { result, taken } = await ask('no-paywall', 'stock');
    expect(result).toMatchObject({ kind: 'disagrees', verdict: 'skip', reason: 'no_paywall' });
    expect(taken).toHaveLength(1);
  });

  it('is not bought when that fetch does not want to', async () => {
    const unwilling: typeof fetch = async () => {
      throw new Error('over the limit');
    };
    const { result, taken } = await ask('dear', unwilling);
    expect(result).toEqual({ kind: 'unavailable', cause: 'costs_money' });
    expect(taken).toEqual([]);
  });

  it('is not bought without one', async () => {
    const { result, taken } = await ask('dear', null);
    expect(result).toEqual({ kind: 'unavailable', cause: 'costs_money' });
    expect(taken).toEqual([]);
  });
});
