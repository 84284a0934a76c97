import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createBuiltInFacilitator } from '../../src/adapters/facilitator/built-in-facilitator.ts';
import { LOOKUP_PAID } from '../support/asking.ts';
import { type FragileNode, startFragileNode } from '../support/paying/fragile-node.ts';
import { expectUnavailable } from '../support/paying/paying-answers.ts';
import { buy } from '../support/paying/paying-buyer.ts';
import { buyerOf, chainOfTheFile } from '../support/paying/paying-chain.ts';
import { type PayingService, startPaying } from '../support/paying/paying-service.ts';
import { usePostgres } from '../support/storing/postgres-places.ts';
import { type NewPlace, newSqlitePlace, type Place } from '../support/storing/stores.ts';

const PATH = `${LOOKUP_PAID}?task=weather`;
const chain = await chainOfTheFile();
const { gas } = chain.accounts;
/** Only the test moves the clock. */
const NOW = new Date();

describe.each<[string, NewPlace]>([
  ['SQLite', newSqlitePlace],
  ['PostgreSQL', usePostgres()],
])('transactions that a node does not take, on %s (L90)', (_, newPlace) => {
  let node: FragileNode;
  let place: Place;
  const services: PayingService[] = [];
  beforeAll(async () => {
    node = await startFragileNode(chain.rpcUrl);
    place = await newPlace();
  });
  afterAll(async () => {
    for (const service of services) await service.close();
    await place.remove();
    await node.stop();
  });
  /** A process on this store, with its own memory of what it sent. */
  const start = async (place: Place) => {
    const through = createBuiltInFacilitator({ rpcUrl: node.url, gasKey: gas.key });
    const service = await startPaying({ chain, through, place: { ...place, remove: async () => {} } });
    services.push(service);
    service.clock.stoppedAt = NOW;
    return service;
  };

  it('are sent five times with back-off, restarts included; afterwards the chain is only read', async () => {
    const sentAt: number[] = [];
    const first = await start(place);
    let current = first;
    node.treat((method) => {
      if (method !== 'eth_sendRawTransaction') return 'fine';
      sentAt.push(current.clock.aheadMs);
      // The node says so at once, so that nothing is waited for.
      return { instead: 'insufficient funds for gas * price + value' };
    });
    const { answer, paid } = await buy(first.ask, PATH, { buyer: buyerOf(chain, 3) });
    expectUnavailable(answer, 'settlement_pending');
    for (let seconds = 5; seconds <= 200; seconds += 5) {
      if (seconds === 20) current = await start(place);
      current.clock.aheadMs = seconds * 1_000;
      expect(await current.reconcile()).toEqual({ settled: 0, rejected: 0, open: 1 });
    }
    expect(sentAt.map((ms) => ms / 1_000)).toEqual([0, 5, 15, 35, 75]);
    expectUnavailable(await current.ask(PATH, paid), 'settlement_pending');
  });
});
