import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ChargeStep } from '../../src/flows/pay/charge.ts';
import type { LocalChain } from '../../src/sandbox/chain/local-chain.ts';
import { startFacilitatorServer } from '../../src/sandbox/facilitator-server.ts';
import type { ChargingChild } from '../support/paying/charging-child.ts';
import {
  type Crash,
  ledgerRows,
  type Order,
  type Relay,
  SALES,
  startRelay,
  untilAnswered,
} from '../support/paying/charging-crash.ts';
import { expectSameAnswer } from '../support/paying/charging-reconcile.ts';
import { expectDelivered } from '../support/paying/paying-answers.ts';
import { takings } from '../support/paying/paying-chain.ts';
import { startSeller } from '../support/probing/fake-seller.ts';
import { scriptedSeller } from '../support/probing/scripted-seller.ts';
import type { NewPlace, Place } from '../support/storing/stores.ts';

/** What a process that dies there leaves of each payment: a row in this state, and perhaps a transfer. */
const STEPS: readonly (readonly [id: string, step: ChargeStep, row: string, moved: boolean])[] = [
  ['C-01', 'verified', 'none', false],
  ['C-01', 'claimed', 'claimed', false],
  ['C-01', 'worked', 'claimed', false],
  ['C-01', 'prepared', 'settling', false],
  ['C-02', 'settled', 'settling', true],
  ['C-06', 'frozen', 'settled', true],
];

/** Everything that is sold, in processes that are killed after every step: paid once and answered, or neither. */
export function describeCrashMatrix(store: string, chain: LocalChain, relayOf: () => Relayed): void {
  describe.each(STEPS)(`%s: a process on ${store} is killed after a charge was %s`, (_, step, row, moved) => {
    const crashed = useCrash(step, chain, relayOf);

    it('leaves no answer, and of the payments what that step has done', () => {
      const { crash } = crashed();
      expect([crash.heard, crash.ended]).toEqual([['nothing', 'nothing', 'nothing'], 'SIGKILL']);
      expect(crash.rows.map(({ state }) => state)).toEqual(row === 'none' ? [] : [row, row, row]);
      expect(crash.moved).toBe(moved ? 3 : 0);
    });

    it.each(SALES)('%s: the retry is answered, and it was paid for once', async (what, { price, usd }) => {
      const { orderOf, since, place, next } = crashed();
      const order = orderOf(what);
      const { ask } = await next();
      const answer = await untilAnswered(ask, order);
      await expectDelivered(chain, { answer, signed: order.signed }, usd);
      expectSameAnswer(await ask(order.path, order.sent), answer);
      const { tx } = answer.json.access;
      const { from, nonce } = order.signed.authorization;
      const transfers = (await takings(chain)).slice(since).filter((one) => one.from === from);
      expect(transfers).toEqual([{ from, value: price, tx }]);
      expect(await ledgerRows(place, [order])).toEqual([{ nonce, state: 'settled', tx }]);
    });

    it('the check has one public receipt, which is the one that its buyer was told of', async () => {
      const { orderOf, newReceipts, next } = crashed();
      const { path, sent } = orderOf('a check');
      const { ask } = await next();
      const { json } = await ask(path, sent);
      expect(await newReceipts()).toEqual([json.receipt_id]);
      const receipt = await ask(`/v1/receipts/${json.receipt_id}`);
      expect([receipt.status, receipt.json.id]).toEqual([200, json.receipt_id]);
    });
  });
}

export interface Relayed {
  readonly relay: Relay;
  readonly place: Place;
}

/** One store, and everything around it, for all crashes of a file. */
export function useRelay(chain: LocalChain, newPlace: NewPlace): () => Relayed {
  const state: { relayed?: Relayed; end?: () => Promise<void> } = {};
  beforeAll(async () => {
    const { rpcUrl, accounts } = chain;
    const place = await newPlace();
    const seller = await startSeller(scriptedSeller);
    const facilitator = await startFacilitatorServer({ rpcUrl, gasKey: accounts.gas.key });
    const relay = startRelay({ chain, place, facilitatorUrl: facilitator.url }, seller.port);
    state.relayed = { relay, place };
    state.end = async () => {
      await relay.end();
      await Promise.all([facilitator.stop(), seller.close(), place.remove()]);
    };
  });
  afterAll(() => state.end?.());
  return () => {
    if (state.relayed === undefined) throw new Error('nothing is started yet');
    return state.relayed;
  };
}

export interface Crashed {
  readonly crash: Crash;
  readonly place: Place;
  /** How many transfers there were before it. */
  readonly since: number;
  orderOf(what: string): Order;
  newReceipts(): Promise<unknown[]>;
  /** The process that comes after it. */
  next(): Promise<ChargingChild>;
}

/** One crash for all tests of a suite. */
export function useCrash(step: ChargeStep, chain: LocalChain, relayOf: () => Relayed): () => Crashed {
  const state: { crashed?: Crashed } = {};
  beforeAll(async () => {
    const { relay, place } = relayOf();
    await relay.current();
    const receipts = async () => (await place.ask('select id from live_receipts')).map(({ id }) => id);
    const [since, old] = [(await takings(chain)).length, await receipts()];
    const crash = await relay.crashAfter(step);
    state.crashed = {
      crash,
      place,
      since,
      orderOf(what) {
        const order = crash.orders.get(what);
        if (order === undefined) throw new Error(`nobody ordered ${what}`);
        return order;
      },
      newReceipts: async () => (await receipts()).filter((id) => !old.includes(id)),
      next: relay.current,
    };
  });
  return () => {
    if (state.crashed === undefined) throw new Error('there was no crash yet');
    return state.crashed;
  };
}
