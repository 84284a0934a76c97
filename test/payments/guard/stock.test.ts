import { describe, expect, it } from 'vitest';
import { startBuying } from '../../support/guarding/buying-process.ts';
import { useGuardingWorld } from '../../support/guarding/guarding-world.ts';
import { measurePurchase } from '../../support/guarding/measure-purchase.ts';
import { moneyCases } from '../../support/guarding/money-rows.ts';
import { PAYERS } from '../../support/guarding/stock-payers.ts';
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

  it('two payments when the process is killed before the answer, and a new one buys again', async () => {
    const stall = world.open('answersLate');
    const { result, payments, toSeller } = await world.moved(async () => {
      const first = startBuying(stall.url, world.buyer.key);
      await expect.poll(() => stall.seen.settled).toBe(1);
      await first.kill();
      const second = startBuying(stall.url, world.buyer.key);
      await expect.poll(() => stall.seen.settled).toBe(2);
      // One for the answer that nobody waits for any more.
      for (let step = 0; step < 2; step += 1) stall.step();
      return second.said();
    });
    expect([result, payments, toSeller]).toEqual(['200 {"delivered":true}', 2, 20_000n]);
  });
});
