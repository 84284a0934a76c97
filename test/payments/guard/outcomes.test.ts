import { describe, expect, it } from 'vitest';
import { createGuard, memoryLedger } from '../../../src/guard/index.ts';
import { refusalIn } from '../../support/guarding/buyers/measure-purchase.ts';
import { countingWallet, PAYERS } from '../../support/guarding/buyers/stock-payers.ts';
import { useGuardingWorld } from '../../support/guarding/guarding-world.ts';
import { chainOfTheFile } from '../../support/paying/paying-chain.ts';

const chain = await chainOfTheFile();
/** Past the four minutes for which the payments are valid, and short of the five by which two clocks may differ. */
const LATER_SECONDS = 270;

describe('what became of payments without an answer', () => {
  const world = useGuardingWorld(chain);

  it('is asked of the chain: taken stays spent, and what can no longer be taken is free again', async () => {
    const clock = { aheadMs: 0 };
    const guard = createGuard({
      ledger: memoryLedger(),
      limits: { perPayment: '0.10', perDay: '0.025' },
      ask: null,
      chain: { rpcUrl: chain.rpcUrl },
      now: () => new Date(Date.now() + clock.aheadMs),
    });
    const { account } = countingWallet(world.buyer.key);
    const pay = PAYERS.x402Fetch.pays(guard.fetch, account);
    const settled = async () => (await guard.settle()).map(({ state }) => state);
    const [taken, dropped, third] = [
      world.open('losesEveryAnswer'),
      world.open('dropsPayment'),
      world.open('honest'),
    ];

    const { result, payments } = await world.moved(async () => [
      await pay(taken.url).catch(refusalIn),
      await pay(dropped.url).catch(refusalIn),
      await pay(third.url).catch(refusalIn),
    ]);
    expect([result, payments]).toEqual([['outcome_unknown', 'outcome_unknown', 'over_day_limit'], 1]);

    // While it is valid, the same payment may still bring the goods.
    expect(await settled()).toEqual([]);
    expect(await pay(taken.url).catch(refusalIn)).toBe('outcome_unknown');
    expect(await pay(third.url).catch(refusalIn)).toBe('over_day_limit');

    clock.aheadMs = LATER_SECONDS * 1_000;
    await chain.ask('evm_increaseTime', [LATER_SECONDS]);
    await chain.ask('evm_mine', []);
    expect((await settled()).sort()).toEqual(['never_settled', 'paid_undelivered']);
    expect(await pay(taken.url).catch(refusalIn)).toBe('bought_already');
    // Only the payer's wallet is asked now; the guard lets the price through.
    expect((await guard.fetch(third.url)).status).toBe(402);
    expect(third.seen.paid).toBe(0);
  });
});
