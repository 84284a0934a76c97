import { describe, expect, it } from 'vitest';
import { createBuiltInFacilitator } from '../../../src/adapters/facilitator/built-in-facilitator.ts';
import { CONTRACT_WALLET } from '../../../src/sandbox/chain/funded-accounts.ts';
import { paymentHeader, type SignedAuthorization, signAuthorization } from '../../../tools/signed-payment.ts';
import { LOOKUP_PAID } from '../../support/asking.ts';
import {
  burnsGas,
  delegatedTo,
  fromContractWallet,
  gasSpent,
  REVERTS_ON_CHAIN,
  setCode,
} from '../../support/hostile/hostile-wallets.ts';
import { expectRefused, expectUnavailable } from '../../support/paying/paying-answers.ts';
import { buy, withPayment } from '../../support/paying/paying-buyer.ts';
import { buyerOf, chainOfTheFile, takingsOf } from '../../support/paying/paying-chain.ts';
import { usePaying } from '../../support/paying/paying-service.ts';

const PATH = `${LOOKUP_PAID}?task=weather`;
const chain = await chainOfTheFile();
const { gas, seller } = chain.accounts;
const signing = (buyer = 0) => ({ key: buyerOf(chain, buyer).key, to: seller.address, value: 20_000n });
const sent = (signed: SignedAuthorization) => withPayment(paymentHeader(signed));
const spentBy = async (work: () => Promise<void>) => {
  const before = await gasSpent(chain);
  await work();
  const after = await gasSpent(chain);
  return { transactions: after.transactions - before.transactions, gas: after.gas - before.gas };
};
const NOTHING = { transactions: 0, gas: 0n };

describe('where our own key pays for the gas, a payer with code (L90)', () => {
  const paying = usePaying({ chain, through: 'built-in' });

  it.each([
    ['a contract wallet that reverts on the chain', REVERTS_ON_CHAIN],
    ['a contract wallet that needs eight million gas', burnsGas(300_000)],
  ])('is refused: %s', async (_, code) => {
    await setCode(chain, CONTRACT_WALLET, code);
    const paid = sent(await fromContractWallet(signing()));
    const spent = await spentBy(async () => {
      expectRefused(await paying.ask(PATH, paid), 'payer_has_code');
    });
    expect(spent).toEqual(NOTHING);
  });

  it('is refused: a key that has delegated to a contract, although its signature is good', async () => {
    await setCode(chain, CONTRACT_WALLET, REVERTS_ON_CHAIN);
    await setCode(chain, buyerOf(chain, 7).address, delegatedTo(CONTRACT_WALLET));
    const paid = sent(await signAuthorization(signing(7)));
    const spent = await spentBy(async () => {
      expectRefused(await paying.ask(PATH, paid), 'payer_has_code');
    });
    expect(spent).toEqual(NOTHING);
  });

  it('does not keep anybody else from paying', async () => {
    const { taken } = await takingsOf(chain, () => buy(paying.ask, PATH, { buyer: buyerOf(chain, 1) }));
    expect(taken).toHaveLength(1);
  });
});

describe('where the operator allows payers with code (L90)', () => {
  const through = createBuiltInFacilitator({
    rpcUrl: chain.rpcUrl,
    gasKey: gas.key,
    contractPayers: 'allow',
  });
  const paying = usePaying({ chain, through });

  it('a transaction that reverted is the last one: 402, nothing charged, nothing sent again', async () => {
    await setCode(chain, CONTRACT_WALLET, REVERTS_ON_CHAIN);
    const paid = sent(await fromContractWallet(signing()));
    const spent = await spentBy(async () => {
      for (let round = 0; round < 13; round += 1) {
        expectRefused(await paying.ask(PATH, paid), 'failed_on_chain');
        await paying.reconcile();
        paying.clock.aheadMs += 5_000;
      }
    });
    expect(spent.transactions).toBe(1);
    expect(spent.gas).toBeLessThan(100_000n);
    expect(await paying.place.ask("select sends from payments where state = 'rejected'")).toEqual([
      { sends: 5 },
    ]);
  });

  it('no transaction needs more gas than the ceiling', async () => {
    await setCode(chain, CONTRACT_WALLET, burnsGas(30_000));
    const paid = sent(await fromContractWallet(signing()));
    const spent = await spentBy(async () => {
      expectRefused(await paying.ask(PATH, paid), 'gas_too_high');
    });
    expect(spent).toEqual(NOTHING);
  });
});

describe('a fee above the ceiling (L90)', () => {
  const dear = createBuiltInFacilitator({
    rpcUrl: chain.rpcUrl,
    gasKey: gas.key,
    ceilings: { gas: 200_000n, feeWei: 1_000_000n },
  });
  const paying = usePaying({ chain, through: dear });

  it('is not paid: the settlement waits, and takes none of its sends', async () => {
    const spent = await spentBy(async () => {
      const { answer } = await buy(paying.ask, PATH, { buyer: buyerOf(chain, 2) });
      expectUnavailable(answer, 'settlement_pending');
      expect(await paying.reconcile()).toEqual({ settled: 0, rejected: 0, open: 1 });
    });
    expect(spent).toEqual(NOTHING);
    expect(await paying.place.ask('select sends from payments')).toEqual([{ sends: 0 }]);
  });
});
