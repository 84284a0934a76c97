import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createGuard, memoryLedger } from '../../../src/guard/index.ts';
import { freePort } from '../../../tools/free-port.ts';
import { refusalIn } from '../../support/guarding/buyers/measure-purchase.ts';
import { countingWallet, PAYERS, type PayerName } from '../../support/guarding/buyers/stock-payers.ts';
import { useGuardingWorld } from '../../support/guarding/guarding-world.ts';
import { REFUSAL_ROWS, type RefusalRow } from '../../support/guarding/refusal-rows.ts';
import { chainOfTheFile } from '../../support/paying/paying-chain.ts';
import { holdTimers } from '../../support/probing/held-timers.ts';
import { startService } from '../../support/running/running-service.ts';

const chain = await chainOfTheFile();
const deaf = `http://127.0.0.1:${await freePort()}`;
const LIMITS = { perPayment: '0.10', perDay: '5' };
const NAMES: readonly PayerName[] = ['x402Fetch', 'x402FetchV1', 'x402Axios', 'faremeter'];

describe('the guard refuses, and no money moves:', () => {
  const world = useGuardingWorld(chain);

  async function refuse({ seller, options, before = [], headers = {} }: RefusalRow, payer: PayerName) {
    const stall = world.open(seller);
    const guard = createGuard({
      ledger: memoryLedger(),
      limits: LIMITS,
      ask: null,
      ...options?.({ seller: chain.accounts.seller.address, deaf }),
    });
    const { account, signatures } = countingWallet(world.buyer.key);
    const pay = PAYERS[payer].pays(guard.fetch, account);
    const earlier = before === 'here' ? [stall] : before.map((name) => world.open(name));
    for (const { url } of earlier) {
      const answer = await pay(url, { headers: { ...headers, 'x-assay-purchase': 'before' } });
      expect([answer.status, await answer.text()]).toEqual([200, '{"delivered":true}']);
    }
    const signedBefore = signatures();
    const { result, payments, spent } = await world.moved(() =>
      pay(stall.url, { headers }).then(
        ({ status }) => status,
        (error: unknown) => refusalIn(error) ?? error,
      ),
    );
    return { code: result, payments, spent, signatures: signatures() - signedBefore };
  }

  it.each(
    REFUSAL_ROWS.flatMap((row) =>
      NAMES.map((payer) => [row.code, row.what, PAYERS[payer].name, row, payer] as const),
    ),
  )('%s, because %s, with %s', async (code, _what, _payer, row, payer) => {
    const nothing = { payments: 0, spent: 0n, signatures: row.signatures ?? 0 };
    expect(await refuse(row, payer)).toEqual({ code, ...nothing });
  });

  it('frozen, because the ledger says so', async () => {
    const ledger = memoryLedger();
    await ledger.freeze(true);
    const row: RefusalRow = {
      ...{ code: 'frozen', what: '', seller: 'honest' },
      options: () => ({ ledger }),
    };
    const frozen = { code: 'frozen', payments: 0, spent: 0n, signatures: 0 };
    for (const payer of NAMES) expect(await refuse(row, payer)).toEqual(frozen);
    await ledger.freeze(false);
    expect(await refuse(row, 'x402Fetch')).toMatchObject({ code: 200, payments: 1 });
  });

  it('service_disagrees, because a service may not look at this address', async () => {
    const service = await startService({ door: 'socket' });
    onTestFinished(() => service.close());
    const row: RefusalRow = {
      ...{ code: 'service_disagrees', what: '', seller: 'honest' },
      options: () => ({ ask: service.address }),
    };
    const refused = { code: 'service_disagrees', payments: 0, spent: 0n, signatures: 0 };
    for (const payer of NAMES) expect(await refuse(row, payer)).toEqual(refused);
  });

  it('timeout, because the 402 does not end', async () => {
    const timers = holdTimers();
    const stall = world.open('neverEnds402');
    const { fetch } = createGuard({ ledger: memoryLedger(), limits: LIMITS, ask: null });
    const refused = fetch(stall.url).catch(refusalIn);
    await expect.poll(() => vi.getTimerCount()).toBeGreaterThan(0);
    await expect.poll(() => stall.seen.unpaid).toBe(1);
    const passing = setInterval(() => timers.pass(10_000), 10);
    expect(await refused).toBe('timeout');
    clearInterval(passing);
    stall.step();
  });
});
