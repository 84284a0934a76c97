import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createBuiltInFacilitator } from '../../src/adapters/facilitator/built-in-facilitator.ts';
import type { Facilitator } from '../../src/ports/facilitator.ts';
import { ALWAYS, paymentHeader } from '../../tools/signed-payment.ts';
import { CHECK_SALE, LOOKUP_SALE, ledgerRows } from '../support/paying/charging-crash.ts';
import { expectPending, expectSameAnswer, reconcile } from '../support/paying/charging-reconcile.ts';
import { expectDelivered } from '../support/paying/paying-answers.ts';
import { buy, gate, signFor, withPayment } from '../support/paying/paying-buyer.ts';
import { buyerOf, chainOfTheFile, takingsOf } from '../support/paying/paying-chain.ts';
import { type PayingService, startPaying } from '../support/paying/paying-service.ts';
import { sized } from '../support/sized.ts';
import { usePostgres } from '../support/storing/postgres-places.ts';
import { type NewPlace, newSqlitePlace, type Place } from '../support/storing/stores.ts';

const chain = await chainOfTheFile();
const buyer = buyerOf(chain);
const ROUNDS = sized(5, 20);

const STORES: [name: string, newPlace: NewPlace][] = [
  ['SQLite', newSqlitePlace],
  ['PostgreSQL', usePostgres()],
];

describe.each(STORES)('C-09: two services on one %s, each with its own way to the chain', (_, newPlace) => {
  const open: { place?: Place; services: PayingService[] } = { services: [] };
  const at = (index: number): PayingService => {
    const service = open.services[index];
    if (service === undefined) throw new Error('the services are not started yet');
    return service;
  };
  beforeAll(async () => {
    open.place = await newPlace();
    const shared = { ...open.place, remove: async () => {} };
    // Another account pays for the gas of the second one, so that neither waits for the other.
    const second = createBuiltInFacilitator({ rpcUrl: chain.rpcUrl, gasKey: chain.accounts.minter.key });
    open.services.push(await startPaying({ chain, place: shared }));
    open.services.push(await startPaying({ chain, place: shared, through: second }));
  });
  beforeEach(() => {
    for (const { facilitator } of open.services) facilitator.reset();
    at(0).misbehave(null);
  });
  afterAll(async () => {
    await Promise.all(open.services.map((service) => service.close()));
    await open.place?.remove();
  });

  it('both find out about the same payment at the same time: one transfer, the same bytes', async () => {
    const { path, price, usd } = CHECK_SALE;
    for (let round = 0; round < ROUNDS; round += 1) {
      at(0).facilitator.beforeSettle = async () => at(0).misbehave({ kind: 'answer', status: 500, body: '' });
      const { result, taken } = await takingsOf(chain, async () => {
        const bought = await buy(at(0).ask, path, { buyer });
        expectPending(bought.answer);
        at(0).misbehave(null);
        at(0).facilitator.reset();
        const counts = await Promise.all([reconcile(chain, at(0)), reconcile(chain, at(1))]);
        expect(counts.map(({ settled }) => settled)).toContain(1);
        expect(counts.map(({ rejected }) => rejected)).toEqual([0, 0]);
        return { ...bought, answer: await at(0).ask(path, bought.paid) };
      });
      await expectDelivered(chain, result, usd);
      const { tx } = result.answer.json.access;
      expect(taken).toEqual([{ from: buyer.address, value: price, tx }]);
      expectSameAnswer(await at(1).ask(path, result.paid), result.answer);
    }
    const rows = await ledgerRows(at(0).place);
    expect(rows.map(({ state }) => state)).toEqual(Array.from({ length: ROUNDS }, () => 'settled'));
    expect(await at(0).place.ask('select id from live_receipts')).toHaveLength(ROUNDS);
    expect([...at(0).faults, ...at(1).faults]).toEqual([]);
  });

  /** The moment at which one of the two stands still while the other goes through. */
  const held = (facilitator: PayingService['facilitator']) => {
    const { opened, open: goOn } = gate();
    const arrived = gate();
    facilitator.beforeSettle = async () => {
      arrived.open();
      await opened;
    };
    return { arrived: arrived.opened, goOn };
  };
  const order = async () => {
    const signed = await signFor(await at(0).ask(LOOKUP_SALE.path), { buyer });
    return { signed, sent: withPayment(paymentHeader(signed)) };
  };

  it("a reconciler that settles before the buyer's own attempt does no harm", async () => {
    const { signed, sent } = await order();
    const { arrived, goOn } = held(at(0).facilitator);
    const { result, taken } = await takingsOf(chain, async () => {
      const asked = at(0).ask(LOOKUP_SALE.path, sent);
      await arrived;
      expect(await reconcile(chain, at(1))).toEqual({ settled: 1, rejected: 0, open: 0 });
      goOn();
      return asked;
    });
    await expectDelivered(chain, { answer: result, signed }, '0.02');
    expect(taken).toHaveLength(1);
    expectSameAnswer(await at(1).ask(LOOKUP_SALE.path, sent), result);
  });

  it("a reconciler that comes after the buyer's own attempt does no harm", async () => {
    const { signed, sent } = await order();
    const attempt = held(at(0).facilitator);
    const reconciler = held(at(1).facilitator);
    const { result, taken } = await takingsOf(chain, async () => {
      const asked = at(0).ask(LOOKUP_SALE.path, sent);
      await attempt.arrived;
      const reconciled = reconcile(chain, at(1));
      await reconciler.arrived;
      attempt.goOn();
      const answer = await asked;
      reconciler.goOn();
      expect(await reconciled).toEqual({ settled: 1, rejected: 0, open: 0 });
      return answer;
    });
    await expectDelivered(chain, { answer: result, signed }, '0.02');
    expect(taken).toHaveLength(1);
    expectSameAnswer(await at(1).ask(LOOKUP_SALE.path, sent), result);
  });

  // A facilitator that looks at the balance first: the other settlement has emptied the wallet.
  const REFUSAL = {
    success: false,
    errorReason: 'insufficient_funds',
    transaction: '',
    network: 'eip155:8453',
  };

  it.each<[string, moves: 'before' | 'after']>([
    ['is about to write', 'before'],
    ['is about to send', 'after'],
  ])("a refusal of the buyer's own attempt does not undo what a reconciler %s", async (_, moves) => {
    const { signed, sent } = await order();
    const attempt = held(at(0).facilitator);
    const [answered, asked] = [gate(), gate()];
    const facilitator: Pick<Facilitator, 'settle'> = {
      async settle(payment, charge) {
        const settle = () => at(1).facilitator.settle(payment, charge, ALWAYS);
        const moved = moves === 'before' ? await settle() : null;
        asked.open();
        await answered.opened;
        return moved ?? settle();
      },
    };
    const { result, taken } = await takingsOf(chain, async () => {
      const bought = at(0).ask(LOOKUP_SALE.path, sent);
      await attempt.arrived;
      const reconciled = reconcile(chain, at(1), { facilitator });
      await asked.opened;
      at(0).misbehave({ kind: 'answer', status: 200, body: JSON.stringify(REFUSAL) });
      attempt.goOn();
      const answer = await bought;
      answered.open();
      await reconciled;
      return answer;
    });
    expect(taken).toHaveLength(1);
    expect([200, 503]).toContain(result.status);
    at(0).misbehave(null);
    const answer = await at(0).ask(LOOKUP_SALE.path, sent);
    await expectDelivered(chain, { answer, signed }, '0.02');
  });
});
