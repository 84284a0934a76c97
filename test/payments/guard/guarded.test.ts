import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createGuard, memoryLedger } from '../../../src/guard/index.ts';
import { startBuying } from '../../support/guarding/buyers/buying-process.ts';
import { measurePurchase } from '../../support/guarding/buyers/measure-purchase.ts';
import { PAYERS } from '../../support/guarding/buyers/stock-payers.ts';
import { useGuardingWorld } from '../../support/guarding/guarding-world.ts';
import { moneyCases } from '../../support/guarding/money-rows.ts';
import { chainOfTheFile } from '../../support/paying/paying-chain.ts';

const chain = await chainOfTheFile();
const LIMITS = { perPayment: '0.10', perDay: '5' };

describe('what the same payers pay over the guard, on the chain:', () => {
  const world = useGuardingWorld(chain);

  it.each(moneyCases().map((row) => [row.what, PAYERS[row.payer].name, row] as const))(
    '%s, with %s',
    async (_what, _payer, { seller, payer, tries, guarded }) => {
      const guard = createGuard({ ledger: memoryLedger(), limits: LIMITS, ask: null });
      const measured = await measurePurchase(world, { seller, payer, tries, fetch: guard.fetch });
      expect(measured).toEqual(guarded);
    },
  );

  it('one payment when the process is killed before the answer, and a new one buys again', async () => {
    const stall = world.open('answersLate');
    const folder = await mkdtemp(join(tmpdir(), 'guarded-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const ledgerFile = join(folder, 'purchases.db');
    const buying = { url: stall.url, key: world.buyer.key, ledgerFile };
    const { result, payments, toSeller } = await world.moved(async () => {
      const first = startBuying(buying);
      await first.killWhen(() => stall.seen.settled === 1);
      return startBuying(buying).said();
    });
    expect([result, payments, toSeller]).toEqual(['200 {"delivered":true}', 1, 10_000n]);
    expect(stall.seen.payments).toHaveLength(2);
    expect(new Set(stall.seen.payments).size).toBe(1);
  });
});
