import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { createBuiltInFacilitator } from '../../../src/adapters/facilitator/built-in-facilitator.ts';
import { createAuthorizationLog } from '../../../src/adapters/facilitator/chain-log.ts';
import type { Payment } from '../../../src/core/x402/payment-payload.ts';
import type { Facilitator } from '../../../src/ports/facilitator.ts';
import {
  createEvm,
  type Evm,
  type LocalChain,
  startLocalChain,
} from '../../../src/sandbox/chain/local-chain.ts';
import { ALWAYS, aPayment, chargeOf } from '../../../tools/signed-payment.ts';
import { balanceOf } from '../../support/paying/chain-reading.ts';
import { type Fate, type FragileNode, startFragileNode } from '../../support/paying/fragile-node.ts';

const PRICE = 10_000n;
const UNKNOWN = { kind: 'unknown' };

let evm: Evm;
let chain: LocalChain;
const newPayment = (): Promise<Payment> => {
  const [buyer] = chain.accounts.buyers;
  return aPayment({ key: buyer?.key ?? '0x', to: chain.accounts.seller.address, value: PRICE });
};
const charge = () => chargeOf(PRICE, chain.accounts.seller.address);
const earned = () => balanceOf(chain, chain.accounts.seller.address);

beforeAll(async () => {
  evm = await createEvm();
  chain = await startLocalChain({ evm });
});
afterAll(() => chain.stop());

const LONGER_THAN_A_TEST_MS = 600_000;

describe('the built-in facilitator on a node that misbehaves', () => {
  let node: FragileNode;
  let facilitator: Facilitator;
  const lose = (fate: Fate, ...methods: string[]) =>
    node.treat((method) => (methods.includes(method) ? fate : 'fine'));

  beforeAll(async () => {
    node = await startFragileNode(chain.rpcUrl);
    const gasKey = chain.accounts.gas.key;
    facilitator = createBuiltInFacilitator({ rpcUrl: node.url, gasKey, timeoutMs: 5_000, settleMs: 3_000 });
  });
  afterEach(() => node.treat(() => 'fine'));
  afterAll(() => node.stop());

  it('says settled although the answer to the broadcast was lost', async () => {
    lose('answer_lost', 'eth_sendRawTransaction');
    const before = await earned();
    expect(await facilitator.settle(await newPayment(), charge(), ALWAYS)).toMatchObject({ kind: 'settled' });
    expect(await earned()).toBe(before + PRICE);
    node.treat(() => 'fine');
    expect(await facilitator.settle(await newPayment(), charge(), ALWAYS)).toMatchObject({ kind: 'settled' });
  });

  it('says unknown when the node falls silent after the broadcast, and the same transaction later', async () => {
    lose('answer_lost', 'eth_sendRawTransaction', 'eth_getTransactionReceipt');
    const payment = await newPayment();
    const before = await earned();
    expect(await facilitator.settle(payment, charge(), ALWAYS)).toEqual(UNKNOWN);
    expect(await earned()).toBe(before + PRICE);
    const log = createAuthorizationLog({ rpcUrl: chain.rpcUrl });
    const use = await log.useOf(payment.authorization);
    node.treat(() => 'fine');
    const again = await facilitator.settle(payment, charge(), ALWAYS);
    expect(again).toMatchObject({ kind: 'settled' });
    expect(use).toEqual({ kind: 'used', tx: again.kind === 'settled' ? again.tx : '' });
    expect(await earned()).toBe(before + PRICE);
  });

  it('looks again for whoever joined an attempt that ended without knowing', async () => {
    const gasKey = chain.accounts.gas.key;
    const patient = createBuiltInFacilitator({ rpcUrl: node.url, gasKey, settleMs: 8_000 });
    const askedOfFirst = 8_000 / 250;
    let asked = 0;
    node.treat((method) => {
      if (method !== 'eth_getTransactionReceipt') return 'fine';
      asked += 1;
      return asked <= askedOfFirst ? 'answer_lost' : 'fine';
    });
    const payment = await newPayment();
    const before = await earned();
    const first = patient.settle(payment, charge(), ALWAYS);
    await vi.waitFor(() => expect(asked).toBeGreaterThan(askedOfFirst / 2), { timeout: 120_000 });
    const second = patient.settle(payment, charge(), ALWAYS);
    expect(await Promise.all([first, second])).toMatchObject([UNKNOWN, { kind: 'settled' }]);
    expect(await earned()).toBe(before + PRICE);
  });

  it('takes a node at its word that nothing was sent, and waits for nothing', async () => {
    const { gas } = chain.accounts;
    const patient = createBuiltInFacilitator({
      rpcUrl: node.url,
      gasKey: gas.key,
      settleMs: LONGER_THAN_A_TEST_MS,
    });
    lose({ instead: 'insufficient funds for gas * price + value' }, 'eth_sendRawTransaction');
    const payment = await newPayment();
    expect(await patient.settle(payment, charge(), ALWAYS)).toEqual(UNKNOWN);
    node.treat(() => 'fine');
    expect(await patient.settle(payment, charge(), ALWAYS)).toMatchObject({ kind: 'settled' });
  });

  it('takes a transaction that the node already knows for sent', async () => {
    lose({ afterwards: 'already known' }, 'eth_sendRawTransaction');
    expect(await facilitator.settle(await newPayment(), charge(), ALWAYS)).toMatchObject({ kind: 'settled' });
  });

  it('sends again what never arrived', async () => {
    lose('request_lost', 'eth_sendRawTransaction');
    const payment = await newPayment();
    const before = await earned();
    expect(await facilitator.settle(payment, charge(), ALWAYS)).toEqual(UNKNOWN);
    expect(await earned()).toBe(before);
    node.treat(() => 'fine');
    expect(await facilitator.settle(payment, charge(), ALWAYS)).toMatchObject({ kind: 'settled' });
    expect(await earned()).toBe(before + PRICE);
  });

  it.each(['eth_getCode', 'eth_call', 'eth_estimateGas', 'eth_getTransactionCount'])(
    'blames no buyer when %s fails',
    async (method) => {
      lose('answer_lost', method);
      const payment = await newPayment();
      const before = await earned();
      expect(await facilitator.settle(payment, charge(), ALWAYS)).toEqual(UNKNOWN);
      expect(await earned()).toBe(before);
      const verification = await facilitator.verify(payment, charge());
      expect(['valid', 'unavailable']).toContain(verification.kind);
      node.treat(() => 'fine');
      expect(await facilitator.settle(payment, charge(), ALWAYS)).toMatchObject({ kind: 'settled' });
    },
  );

  it('has no gas: unknown, and the buyer keeps the money', async () => {
    const { pauper } = chain.accounts;
    const broke = createBuiltInFacilitator({ rpcUrl: chain.rpcUrl, gasKey: pauper.key, settleMs: 2_000 });
    const payment = await newPayment();
    expect(await broke.settle(payment, charge(), ALWAYS)).toEqual(UNKNOWN);
    const log = createAuthorizationLog({ rpcUrl: chain.rpcUrl });
    expect(await log.useOf(payment.authorization)).toMatchObject({ kind: 'unused' });
  });

  it('spends one transaction on five settlements of one payment, although no block shows it yet', async () => {
    const slow = await startLocalChain({ evm, blockMs: 200 });
    const { gas } = slow.accounts;
    const patient = createBuiltInFacilitator({ rpcUrl: slow.rpcUrl, gasKey: gas.key });
    const payment = await newPayment();
    const results = await Promise.all(
      Array.from({ length: 5 }, () => patient.settle(payment, charge(), ALWAYS)),
    );
    expect(new Set(results.map((one) => (one.kind === 'settled' ? one.tx : one.kind))).size).toBe(1);
    expect(await slow.ask('eth_getTransactionCount', [gas.address, 'pending'])).toBe('0x1');
    await slow.stop();
  });
});
