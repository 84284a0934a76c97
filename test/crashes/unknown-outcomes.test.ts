import { afterAll, describe, expect, it } from 'vitest';
import { createBuiltInFacilitator } from '../../src/adapters/facilitator/built-in-facilitator.ts';
import { createAuthorizationLog } from '../../src/adapters/facilitator/chain-log.ts';
import { createHttpFacilitator } from '../../src/adapters/facilitator/http-facilitator.ts';
import type { Facilitator } from '../../src/ports/facilitator.ts';
import { type Misbehaviour, startFacilitatorServer } from '../../src/sandbox/facilitator-server.ts';
import { LOOKUP_SALE, SALES, type Sale, until } from '../support/paying/charging-crash.ts';
import { expectPending, expectSameAnswer, reconcile } from '../support/paying/charging-reconcile.ts';
import { startFragileNode } from '../support/paying/fragile-node.ts';
import { fragileWay } from '../support/paying/fragile-way.ts';
import { expectDelivered } from '../support/paying/paying-answers.ts';
import { buy, type Purchase } from '../support/paying/paying-buyer.ts';
import { buyerOf, chainOfTheFile, takings, takingsOf } from '../support/paying/paying-chain.ts';
import { type PayingService, usePaying } from '../support/paying/paying-service.ts';

const chain = await chainOfTheFile();
const { rpcUrl, accounts } = chain;
const gasKey = accounts.gas.key;
const buyer = buyerOf(chain);

/** A purchase whose settlement ends without a word, and a buyer who asks again while nothing is known. */
async function buyInVain(paying: PayingService, path: string, moved: 0 | 1): Promise<Purchase> {
  const before = (await takings(chain)).length;
  const { result, taken } = await takingsOf(chain, async () => {
    const bought = await buy(paying.ask, path, { buyer });
    expectPending(bought.answer);
    expectPending(await paying.ask(path, bought.paid));
    // On a busy machine we may have given up before the broadcast.
    await until(async () => (await takings(chain)).length >= before + moved);
    return bought;
  });
  expect(taken).toHaveLength(moved);
  expect(paying.facilitator.calls).toEqual({ verify: 1, settle: 1 });
  return result;
}

/** The reconciler finds out; the same payment brings the answer, and all in all it was taken once. */
async function expectFoundOut(
  paying: PayingService,
  { path, usd }: Sale,
  { paid, signed }: Purchase,
): Promise<void> {
  expect(await reconcile(chain, paying)).toEqual({ settled: 1, rejected: 0, open: 0 });
  const answer = await paying.ask(path, paid);
  await expectDelivered(chain, { answer, signed }, usd);
  expectSameAnswer(await paying.ask(path, paid), answer);
  const { from, value } = signed.authorization;
  const tx: string = answer.json.access.tx;
  const paidBy = (await takings(chain)).filter((one) => one.tx === tx);
  expect(paidBy).toEqual([{ from, value, tx }]);
  expect(await reconcile(chain, paying)).toEqual({ settled: 0, rejected: 0, open: 0 });
}

const says = (status: number, body: unknown): Misbehaviour => ({
  kind: 'answer',
  status,
  body: typeof body === 'string' ? body : JSON.stringify(body),
});
const TX = `0x${'ab'.repeat(32)}`;
const YES = { success: true, transaction: TX, network: 'eip155:8453', payer: buyer.address };
const NO = { success: false, errorReason: 'insufficient_funds', transaction: '', network: 'eip155:8453' };

describe('C-03, C-04: a facilitator that settles and says nothing that can be believed', () => {
  const paying = usePaying({ chain });
  const settlingBadly = (how: Misbehaviour) => {
    paying.facilitator.beforeSettle = async () => paying.misbehave(how);
  };
  const behave = () => {
    paying.misbehave(null);
    paying.facilitator.beforeSettle = async () => {};
  };

  it.each<[string, Misbehaviour, 0 | 1]>([
    ['broadcasts and resets the connection', { kind: 'lost_answer' }, 1],
    ['500', says(500, { error: 'execution reverted' }), 0],
    ['500 with a yes', says(500, YES), 0],
    ['502 with a no', says(502, NO), 0],
    ['garbage', says(200, '<html>it works</html>'), 0],
  ])('%s', async (_, how, moved) => {
    settlingBadly(how);
    const bought = await buyInVain(paying, LOOKUP_SALE.path, moved);
    behave();
    await expectFoundOut(paying, LOOKUP_SALE, bought);
    expect(paying.faults).toEqual([]);
  });

  it.each(SALES)(
    '%s, lost after the broadcast: no receipt, no goods, until it is found out',
    async (__, sale) => {
      const { length } = await paying.place.ask('select id from live_receipts');
      settlingBadly({ kind: 'lost_answer' });
      const bought = await buyInVain(paying, sale.path, 1);
      expect(await paying.place.ask('select id from live_receipts')).toHaveLength(length);
      behave();
      await expectFoundOut(paying, sale, bought);
    },
  );

  it('a log that cannot be read leaves it open; once it can be, the chain decides without the facilitator', async () => {
    const node = await startFragileNode(rpcUrl);
    const authorizationLog = createAuthorizationLog({ rpcUrl: node.url });
    settlingBadly({ kind: 'lost_answer' });
    const { paid, signed } = await buyInVain(paying, LOOKUP_SALE.path, 1);
    settlingBadly(says(500, ''));
    for (const method of ['eth_call', 'eth_getBlockByNumber', 'eth_getLogs', 'eth_getTransactionReceipt']) {
      node.treat((asked) => (asked === method ? 'request_lost' : 'fine'));
      expect(await reconcile(chain, paying, { authorizationLog })).toEqual({
        settled: 0,
        rejected: 0,
        open: 1,
      });
      expectPending(await paying.ask(LOOKUP_SALE.path, paid));
    }
    node.treat(() => 'fine');
    expect(await reconcile(chain, paying, { authorizationLog })).toEqual({
      settled: 1,
      rejected: 0,
      open: 0,
    });
    const answer = await paying.ask(LOOKUP_SALE.path, paid);
    await expectDelivered(chain, { answer, signed }, '0.02');
    await node.stop();
  });
});

describe('C-03, C-04: a way to the settlement that breaks', async () => {
  const server = await startFacilitatorServer({ rpcUrl, gasKey });
  const way = await fragileWay(new URL(server.url));
  const node = await startFragileNode(rpcUrl);
  afterAll(async () => {
    way.close();
    await Promise.all([server.stop(), node.stop()]);
  });
  const good = createHttpFacilitator({ url: server.url });
  const state: { settles: Pick<Facilitator, 'settle'> } = { settles: good };
  const through: Facilitator = {
    verify: good.verify,
    settle: (...asked) => state.settles.settle(...asked),
  };
  const paying = usePaying({ chain, through });
  const builtIn = () =>
    createBuiltInFacilitator({ rpcUrl: node.url, gasKey: accounts.minter.key, settleMs: 1_000 });

  it.each<[string, () => Pick<Facilitator, 'settle'>, 0 | 1]>([
    [
      'the answer comes too late',
      () => {
        server.misbehave({ kind: 'delay', milliseconds: 1_000 });
        return createHttpFacilitator({ url: server.url, timeoutMs: 300 });
      },
      1,
    ],
    ['nobody is there any more', () => createHttpFacilitator({ url: 'http://127.0.0.1:1' }), 0],
    [
      'the network goes dead before the question',
      () => {
        way.die();
        return createHttpFacilitator({ url: way.url, timeoutMs: 500 });
      },
      0,
    ],
    [
      'our node falls silent after the broadcast',
      () => {
        const lost = ['eth_sendRawTransaction', 'eth_getTransactionReceipt'];
        node.treat((method) => (lost.includes(method) ? 'answer_lost' : 'fine'));
        return builtIn();
      },
      1,
    ],
    [
      'our node loses what it was to broadcast',
      () => {
        node.treat((method) => (method === 'eth_sendRawTransaction' ? 'request_lost' : 'fine'));
        return builtIn();
      },
      0,
    ],
  ])('%s', async (_, breaks, moved) => {
    paying.facilitator.beforeSettle = async () => {
      state.settles = breaks();
    };
    const bought = await buyInVain(paying, LOOKUP_SALE.path, moved);
    paying.facilitator.reset();
    server.misbehave(null);
    node.treat(() => 'fine');
    state.settles = good;
    await expectFoundOut(paying, LOOKUP_SALE, bought);
  });
});
