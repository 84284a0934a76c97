import { describe, expect, it } from 'vitest';
import type { Misbehaviour } from '../../../src/sandbox/facilitator-server.ts';
import { checkOf, LOOKUP, LOOKUP_PAID, PACK } from '../../support/asking.ts';
import { expectDelivered, expectRefused, expectUnavailable } from '../../support/paying/paying-answers.ts';
import { buy, type Purchase } from '../../support/paying/paying-buyer.ts';
import { buyerOf, cancel, chainOfTheFile, drain, takingsOf } from '../../support/paying/paying-chain.ts';
import { usePaying } from '../../support/paying/paying-service.ts';
import { DOORS } from '../../support/running/running-service.ts';

const chain = await chainOfTheFile();
const PATHS: [what: string, path: string, usd: string][] = [
  ['a lookup past the quota', `${LOOKUP}?task=weather`, '0.02'],
  ['a paid lookup', `${LOOKUP_PAID}?task=weather`, '0.02'],
  ['a check', checkOf('http://seller.example/dear'), '0.1'],
  ['the pack', PACK, '9'],
];

describe.each(DOORS)('a settlement whose outcome did not come back, through the %s', (door) => {
  const paying = usePaying({ chain, door, patienceMs: 4_000 });
  const buyer = buyerOf(chain, DOORS.indexOf(door));

  /** Verified by an honest facilitator; what it says about the settlement is not heard. */
  const unheard = async (path: string, how: Misbehaviour, who = buyer): Promise<Purchase> => {
    paying.facilitator.beforeSettle = async () => paying.misbehave(how);
    const bought = await buy(paying.ask, path, { buyer: who });
    expectUnavailable(bought.answer, 'settlement_pending');
    paying.misbehave(null);
    paying.facilitator.reset();
    // As often as it is asked: never a new demand, and no settlement on top.
    expectUnavailable(await paying.ask(path, bought.paid), 'settlement_pending');
    expect(paying.facilitator.calls).toEqual({ verify: 0, settle: 0 });
    return bought;
  };
  const SILENT: Misbehaviour = { kind: 'answer', status: 500, body: '' };

  describe.each(PATHS)('%s', (_, path, usd) => {
    const late: [string, Misbehaviour] = [
      'C-04: the money moved, and the answer came too late',
      { kind: 'delay', milliseconds: 5_000 },
    ];
    it.each<[string, Misbehaviour]>([
      ['C-04: the money moved, and the answer was lost', { kind: 'lost_answer' }],
      ['C-03: nothing moved', SILENT],
      // It takes its time, so one of them is enough.
      ...(path === PACK && door === 'app' ? [late] : []),
    ])('%s: it is settled once, and the same payment brings the answer', async (__, how) => {
      const { result, taken } = await takingsOf(chain, async () => {
        const bought = await unheard(path, how);
        expect(await paying.reconcile()).toEqual({ settled: 1, rejected: 0, open: 0 });
        const answer = await paying.ask(path, bought.paid);
        expect((await paying.ask(path, bought.paid)).text).toBe(answer.text);
        return { ...bought, answer };
      });
      await expectDelivered(chain, result, usd);
      expect(taken.map(({ tx }) => tx)).toEqual([result.answer.json.access.tx]);
      expect(await paying.reconcile()).toEqual({ settled: 0, rejected: 0, open: 0 });
    });

    it('nothing moved and nothing ever will: 402, and only then', async () => {
      const { result, taken } = await takingsOf(chain, async () => {
        const bought = await unheard(path, SILENT);
        await cancel(chain, buyer, bought.signed);
        expect(await paying.reconcile()).toEqual({ settled: 0, rejected: 1, open: 0 });
        return paying.ask(path, bought.paid);
      });
      expectRefused(result, 'already_used');
      expect(taken).toEqual([]);
    });
  });

  it('it may still move while it is valid, so it stays open; afterwards it is refused', async () => {
    const poor = buyerOf(chain, 8 + DOORS.indexOf(door));
    const [, path = ''] = PATHS[1] ?? [];
    const bought = await unheard(path, SILENT, poor);
    await drain(chain, poor);
    expect(await paying.reconcile()).toEqual({ settled: 0, rejected: 0, open: 1 });
    expectUnavailable(await paying.ask(path, bought.paid), 'settlement_pending');
    paying.clock.aheadMs = 400_000;
    expect(await paying.reconcile()).toEqual({ settled: 0, rejected: 1, open: 0 });
    expectRefused(await paying.ask(path, bought.paid), 'expired');
  });

  it('a check that was paid in the end has its public receipt, and only then', async () => {
    const url = `http://seller.example/dear?${door}`;
    const bought = await unheard(checkOf(url), SILENT);
    const byUrl = `/v1/receipts/by-url?url=${encodeURIComponent(url)}`;
    expect((await paying.ask(byUrl)).status).toBe(404);
    await paying.reconcile();
    const { json } = await paying.ask(checkOf(url), bought.paid);
    expect((await paying.ask(byUrl)).json.latest_live.id).toBe(json.receipt_id);
  });
});
