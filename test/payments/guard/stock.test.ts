import { type Hex, recoverTypedDataAddress } from 'viem';
import { describe, expect, it } from 'vitest';
import { AUTHORIZATION_TYPES, USDC } from '../../../tools/signed-payment.ts';
import { startBuying } from '../../support/guarding/buyers/buying-process.ts';
import { measurePurchase } from '../../support/guarding/buyers/measure-purchase.ts';
import { countingWallet, PAYERS } from '../../support/guarding/buyers/stock-payers.ts';
import { useGuardingWorld } from '../../support/guarding/guarding-world.ts';
import { moneyCases } from '../../support/guarding/money-rows.ts';
import { DAI } from '../../support/judging.ts';
import { documentOf } from '../../support/paying/paying-buyer.ts';
import { chainOfTheFile } from '../../support/paying/paying-chain.ts';

const chain = await chainOfTheFile();

describe('what stock payers pay, on the chain:', () => {
  const world = useGuardingWorld(chain);

  it.each(moneyCases().map((row) => [row.what, PAYERS[row.payer].name, row] as const))(
    '%s, with %s',
    async (_what, _payer, { seller, payer, tries, stock }) => {
      expect(await measurePurchase(world, { seller, payer, tries, fetch })).toEqual(stock);
    },
  );

  it('a signature for another token, because the seller names its contract beside the asset', async () => {
    const stall = world.open('otherDomain');
    const { account } = countingWallet(world.buyer.key);
    await PAYERS.faremeter
      .pays(
        fetch,
        account,
      )(stall.url)
      .catch(() => {});
    const [header = ''] = stall.seen.payments;
    const { signature, authorization } = documentOf(header).payload;
    const domain = { name: 'USD Coin', version: '2', chainId: 8_453 };
    const signerFor = (verifyingContract: Hex) =>
      recoverTypedDataAddress({
        ...{ signature, message: authorization, domain: { ...domain, verifyingContract } },
        primaryType: 'TransferWithAuthorization',
        types: AUTHORIZATION_TYPES,
      });
    expect(await signerFor(DAI)).toBe(world.buyer.address);
    expect(await signerFor(USDC)).not.toBe(world.buyer.address);
  });

  it('two payments when the process is killed before the answer, and a new one buys again', async () => {
    const stall = world.open('answersLate');
    const { result, payments, toSeller } = await world.moved(async () => {
      const first = startBuying({ url: stall.url, key: world.buyer.key });
      await first.killWhen(() => stall.seen.settled === 1);
      const second = startBuying({ url: stall.url, key: world.buyer.key });
      await expect.poll(() => stall.seen.settled).toBe(2);
      // One for the answer that nobody waits for any more.
      for (let step = 0; step < 2; step += 1) stall.step();
      return second.said();
    });
    expect([result, payments, toSeller]).toEqual(['200 {"delivered":true}', 2, 20_000n]);
  });
});
