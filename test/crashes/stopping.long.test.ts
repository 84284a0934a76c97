import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { startFacilitatorServer } from '../../src/sandbox/facilitator-server.ts';
import { paymentHeader } from '../../tools/signed-payment.ts';
import { type ChargingChild, servingChild } from '../support/paying/charging-child.ts';
import {
  LOOKUP_SALE,
  ledgerRows,
  type Order,
  until,
  untilAnswered,
} from '../support/paying/charging-crash.ts';
import { holdSettlements } from '../support/paying/held-settlements.ts';
import { expectDelivered } from '../support/paying/paying-answers.ts';
import { signFor, withPayment } from '../support/paying/paying-buyer.ts';
import { buyerOf, chainOfTheFile, takings } from '../support/paying/paying-chain.ts';
import { connectTo } from '../support/running/raw-http.ts';
import { newSqlitePlace } from '../support/storing/stores.ts';

const chain = await chainOfTheFile();
const facilitator = await startFacilitatorServer({ rpcUrl: chain.rpcUrl, gasKey: chain.accounts.gas.key });
const place = await newSqlitePlace();
const settlements = await holdSettlements(facilitator.url);
const around = { chain, facilitatorUrl: settlements.url, place };
const running: { child: ChargingChild | null } = { child: null };
afterAll(async () => {
  running.child?.signal('SIGKILL');
  await running.child?.ended();
  await settlements.stop();
  await facilitator.stop();
  await place.remove();
});
afterEach(() => settlements.release());

/** The program; a new one on the same store when the last has ended. */
async function program(): Promise<ChargingChild> {
  if (running.child === null) {
    running.child = servingChild(around);
    await running.child.go();
  }
  return running.child;
}

/** Until it has ended; answers with its code. */
async function ended(child: ChargingChild): Promise<number | string> {
  const code = await child.ended();
  running.child = null;
  return code;
}

/** Tells it to stop, and waits until it has heard: from then on it is not ready, or takes nobody in. */
async function stop(child: ChargingChild): Promise<void> {
  child.signal('SIGTERM');
  await until(() =>
    child.ask('/readyz').then(
      ({ status }) => status !== 200,
      () => true,
    ),
  );
}

const BUYERS = 10;
const all = <T>(one: T): T[] => Array.from({ length: BUYERS }, () => one);

describe('C-08: the program is told to stop while ten buyers wait for their settlement', () => {
  const states = async (orders: readonly Order[]) =>
    (await ledgerRows(place, orders)).map(({ state }) => state);

  /** A facilitator that has moved the money of all and keeps its answers back. */
  const begin = async () => {
    const since = (await takings(chain)).length;
    const child = await program();
    const { path } = LOOKUP_SALE;
    const required = await child.ask(path);
    const orders = await Promise.all(
      all(required).map(async (one, index): Promise<Order> => {
        const signed = await signFor(one, { buyer: buyerOf(chain, index) });
        return { path, signed, sent: withPayment(paymentHeader(signed)) };
      }),
    );
    settlements.hold();
    const areBroadcast = () => until(async () => (await takings(chain)).length === since + BUYERS);
    return { since, child, orders, areBroadcast };
  };
  /** Each was paid for once, and the next process has the answer. */
  const expectAllAnswered = async (orders: readonly Order[], since: number) => {
    const next = await program();
    for (const order of orders) {
      const answer = await untilAnswered(next.ask, order);
      await expectDelivered(chain, { answer, signed: order.signed }, '0.02');
    }
    const payers = (await takings(chain)).slice(since).map(({ from }) => from);
    expect(payers.sort()).toEqual(orders.map(({ signed }) => signed.authorization.from).sort());
    expect(await states(orders)).toEqual(all('settled'));
  };

  it('finishes what was begun', async () => {
    const { since, child, orders, areBroadcast } = await begin();
    const answers = Promise.all(orders.map(({ path, sent }) => child.ask(path, sent)));
    await areBroadcast();
    await stop(child);
    settlements.release();
    expect((await answers).map(({ status }) => status)).toEqual(all(200));
    expect([await ended(child), await states(orders)]).toEqual([0, all('settled')]);
    await expectAllAnswered(orders, since);
  });

  it('leaves to the next start what its buyers no longer wait for', async () => {
    const { since, child, orders, areBroadcast } = await begin();
    const sockets = await Promise.all(orders.map(() => connectTo(child.address())));
    for (const [index, { path, sent }] of orders.entries()) {
      const payment = `payment-signature: ${sent.headers?.['payment-signature']}`;
      sockets[index]?.write(`GET ${path} HTTP/1.1\r\nhost: a.example\r\n${payment}\r\n\r\n`);
    }
    await areBroadcast();
    await stop(child);
    for (const socket of sockets) socket.destroy();
    settlements.release();
    expect(await ended(child)).toBe(0);
    // Settled in time, or ready for whoever comes next: nothing in between.
    const left = await states(orders);
    expect(left).toHaveLength(BUYERS);
    for (const state of left) expect(['settling', 'settled']).toContain(state);
    await expectAllAnswered(orders, since);
  });
});
