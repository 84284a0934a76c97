import { afterEach, describe, expect, it } from 'vitest';
import type { PaymentLedger } from '../../src/ports/payment-ledger.ts';
import type { Misbehaviour } from '../../src/sandbox/facilitator-server.ts';
import { paymentHeader } from '../../tools/signed-payment.ts';
import { checkOf, expectProblem, LOOKUP_PAID } from '../support/asking.ts';
import { ledgerRows, PAST_THE_CLAIM_MS } from '../support/paying/charging-crash.ts';
import { type Fault, failingOnce } from '../support/paying/charging-faults.ts';
import { expectPending, expectSameAnswer, reconcile } from '../support/paying/charging-reconcile.ts';
import { expectDelivered } from '../support/paying/paying-answers.ts';
import { signFor, withPayment } from '../support/paying/paying-buyer.ts';
import { buyerOf, chainOfTheFile, takingsOf } from '../support/paying/paying-chain.ts';
import { type PayingService, startPaying } from '../support/paying/paying-service.ts';
import { newSqlitePlace } from '../support/storing/stores.ts';

const chain = await chainOfTheFile();
const buyer = buyerOf(chain);
const TASK = `${LOOKUP_PAID}?task=weather`;
const open: PayingService[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((paying) => paying.close()));
});

/** A service whose ledger fails once, and which does not wait for others: only the test's clock goes on. */
async function startFailing(fault: Fault): Promise<PayingService> {
  const place = await newSqlitePlace();
  const store = await place.open();
  const world = { store: { ...store, payments: failingOnce(store.payments, fault) }, wait: async () => {} };
  const paying = await startPaying({ chain, place, world });
  open.push(paying);
  return paying;
}

const REFUSED: Misbehaviour = {
  kind: 'answer',
  status: 200,
  body: JSON.stringify({
    success: false,
    errorReason: 'insufficient_funds',
    transaction: '',
    network: 'eip155:8453',
  }),
};
const LOST: Misbehaviour = { kind: 'lost_answer' };

type Left = 'nothing' | 'claimed' | 'settling' | 'unknown' | 'settled' | 'rejected';
/** What brings it to its end: the next try, the end of the claim, or the reconciler. */
type Mended = 'at once' | 'when the claim runs out' | 'by the reconciler';

interface Row extends Fault {
  /** How the facilitator settles meanwhile. */
  readonly settles?: Misbehaviour;
  readonly code: 'store_unavailable' | 'settlement_pending';
  readonly moved: 0 | 1;
  readonly left: Left;
  readonly mended: Mended;
}

const unstored = (method: keyof PaymentLedger) => ({ method, when: 'before' }) as const;
const unheard = (method: keyof PaymentLedger) => ({ method, when: 'after' }) as const;
const failed = { code: 'store_unavailable', moved: 0 } as const;
const pending = { code: 'settlement_pending' } as const;
const [atOnce, byItself, byUs] = ['at once', 'when the claim runs out', 'by the reconciler'] as const;

const FAULTS: readonly [string, Row][] = [
  ['before the first look', { ...unstored('look'), ...failed, left: 'nothing', mended: atOnce }],
  ['between verify and claim', { ...unstored('claim'), ...failed, left: 'nothing', mended: atOnce }],
  ['after the claim', { ...unheard('claim'), ...failed, left: 'claimed', mended: byItself }],
  ['before prepare', { ...unstored('prepare'), ...pending, moved: 0, left: 'claimed', mended: byItself }],
  ['after prepare', { ...unheard('prepare'), ...pending, moved: 0, left: 'settling', mended: byUs }],
  ['before freezing', { ...unstored('settle'), ...pending, moved: 1, left: 'settling', mended: byUs }],
  ['after freezing', { ...unheard('settle'), ...pending, moved: 1, left: 'settled', mended: atOnce }],
  [
    'before an unknown outcome is noted',
    { ...unstored('leaveOpen'), ...pending, settles: LOST, moved: 1, left: 'settling', mended: byUs },
  ],
  [
    'after an unknown outcome is noted',
    { ...unheard('leaveOpen'), ...pending, settles: LOST, moved: 1, left: 'unknown', mended: byUs },
  ],
  [
    'before a refusal is noted',
    { ...unstored('refuse'), ...pending, settles: REFUSED, moved: 0, left: 'settling', mended: byUs },
  ],
  [
    'after a refusal is noted',
    { ...unheard('refuse'), ...pending, settles: REFUSED, moved: 0, left: 'rejected', mended: atOnce },
  ],
];

describe('C-07: the store fails in the middle of a charge', () => {
  it.each(FAULTS)('%s: 503, and in the end it is paid once and answered', async (_, row) => {
    const { settles = null, code, moved, left, mended } = row;
    const paying = await startFailing(row);
    const signed = await signFor(await paying.ask(TASK), { buyer });
    const paid = withPayment(paymentHeader(signed));
    paying.facilitator.beforeSettle = async () => paying.misbehave(settles);
    const first = await takingsOf(chain, () => paying.ask(TASK, paid));
    expectProblem(first.result, 503, code);
    if (code === 'settlement_pending') expectPending(first.result);
    expect(first.taken).toHaveLength(moved);
    const rows = await ledgerRows(paying.place);
    expect(rows.map(({ state }) => state)).toEqual(left === 'nothing' ? [] : [left]);

    paying.misbehave(null);
    paying.facilitator.reset();
    const { result, taken } = await takingsOf(chain, async () => {
      if (mended !== 'at once') expectPending(await paying.ask(TASK, paid));
      if (mended === 'when the claim runs out') paying.clock.aheadMs = PAST_THE_CLAIM_MS;
      expect(await reconcile(chain, paying)).toMatchObject({
        settled: mended === 'by the reconciler' ? 1 : 0,
      });
      const answer = await paying.ask(TASK, paid);
      expectSameAnswer(await paying.ask(TASK, paid), answer);
      return answer;
    });
    await expectDelivered(chain, { answer: result, signed }, '0.02');
    const { tx } = result.json.access;
    expect([...first.taken, ...taken]).toEqual([{ from: buyer.address, value: 20_000n, tx }]);
    expect(await ledgerRows(paying.place)).toEqual([
      { nonce: signed.authorization.nonce, state: 'settled', tx },
    ]);
  });

  it('a claim that could not be given back is given back at the second try', async () => {
    const paying = await startFailing(unstored('release'));
    const down = checkOf('http://seller.example/down');
    const signed = await signFor(await paying.ask(down), { buyer });
    const paid = withPayment(paymentHeader(signed));
    expectProblem(await paying.ask(down, paid), 503, 'store_unavailable');
    expect(await ledgerRows(paying.place)).toEqual([]);
    expect((await paying.ask(down, paid)).json.access).toMatchObject({ charged_usd: '0' });
  });

  it('a reconciler without a store takes nothing back: the next round goes on', async () => {
    const paying = await startFailing(unstored('settle'));
    const signed = await signFor(await paying.ask(TASK), { buyer });
    const paid = withPayment(paymentHeader(signed));
    expectPending(await paying.ask(TASK, paid));
    const ledger = failingOnce(paying.store.payments, unstored('settle'));
    await expect(reconcile(chain, paying, { ledger })).rejects.toThrow('the disk is full');
    expectPending(await paying.ask(TASK, paid));
    expect(await reconcile(chain, paying, { ledger })).toEqual({ settled: 1, rejected: 0, open: 0 });
    await expectDelivered(chain, { answer: await paying.ask(TASK, paid), signed }, '0.02');
  });
});
