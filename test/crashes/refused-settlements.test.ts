import { describe, expect, it } from 'vitest';
import type { SandboxAccount } from '../../src/sandbox/chain/funded-accounts.ts';
import type { Misbehaviour } from '../../src/sandbox/facilitator-server.ts';
import { type SignedAuthorization, signAuthorization } from '../../tools/signed-payment.ts';
import { balanceOf } from '../support/paying/chain-reading.ts';
import { CHECK_SALE, ledgerRows, SALES } from '../support/paying/charging-crash.ts';
import { expectPending, reconcile } from '../support/paying/charging-reconcile.ts';
import { expectDelivered, expectRefused, settlementIn } from '../support/paying/paying-answers.ts';
import { buy, type Purchase } from '../support/paying/paying-buyer.ts';
import {
  bringIn,
  buyerOf,
  cancel,
  chainOfTheFile,
  drain,
  takingsOf,
} from '../support/paying/paying-chain.ts';
import { usePaying } from '../support/paying/paying-service.ts';

const chain = await chainOfTheFile();
const NETWORK = 'eip155:8453';

const refusing = (errorReason: string): Misbehaviour => ({
  kind: 'answer',
  status: 200,
  body: JSON.stringify({ success: false, errorReason, transaction: '', network: NETWORK }),
});
const SILENT: Misbehaviour = { kind: 'answer', status: 500, body: '' };

/** Money goes back to a buyer who has none. */
async function refill(buyer: SandboxAccount, value: bigint): Promise<void> {
  const { minter } = chain.accounts;
  const other = buyerOf(chain, 9);
  await bringIn(chain, minter, await signAuthorization({ key: other.key, to: buyer.address, value }));
}

describe('C-05: a settlement that is refused', () => {
  const paying = usePaying({ chain });
  const rowOf = async (signed: SignedAuthorization) =>
    (await ledgerRows(paying.place, [{ signed }])).map(({ state }) => state);
  const receipts = async () => (await paying.place.ask('select id from live_receipts')).length;
  const nothingTaken = async (work: () => Promise<Purchase>): Promise<Purchase> => {
    const before = await receipts();
    const { result, taken } = await takingsOf(chain, work);
    expect([taken, await receipts()]).toEqual([[], before]);
    return result;
  };
  /** Nothing is delivered, and the buyer is told why and may pay anew. */
  const expectRefusedAtLast = ({ answer }: Purchase, reason: string) => {
    expectRefused(answer, reason);
    expect(settlementIn(answer)).toEqual({
      success: false,
      errorReason: reason,
      transaction: '',
      network: NETWORK,
    });
  };

  it.each<[string, string]>([
    ['invalid_exact_evm_payload_signature', 'bad_signature'],
    ['insufficient_funds', 'insufficient_funds'],
    ['invalid_exact_evm_payload_authorization_valid_before', 'expired'],
    ['invalid_exact_evm_transaction_simulation_failed', 'refused'],
  ])('in the words %s: 402 %s, no receipt, and the row is rejected', async (code, reason) => {
    const bought = await nothingTaken(() => {
      paying.facilitator.beforeSettle = async () => paying.misbehave(refusing(code));
      return buy(paying.ask, CHECK_SALE.path, { buyer: buyerOf(chain) });
    });
    expectRefusedAtLast(bought, reason);
    expect(await rowOf(bought.signed)).toEqual(['rejected']);
    expect(await reconcile(chain, paying)).toEqual({ settled: 0, rejected: 0, open: 0 });
  });

  it.each(SALES)(
    '%s: a buyer who spends the money elsewhere gets nothing, and can try again',
    async (_, sale) => {
      const buyer = buyerOf(chain, 1);
      const had = await balanceOf(chain, buyer.address);
      const bought = await nothingTaken(() => {
        paying.facilitator.afterVerify = () => drain(chain, buyer);
        return buy(paying.ask, sale.path, { buyer });
      });
      expectRefusedAtLast(bought, 'insufficient_funds');
      expect(await rowOf(bought.signed)).toEqual(['rejected']);
      paying.facilitator.reset();
      await refill(buyer, had < 10_000_000n ? had : 10_000_000n);
      const { result, taken } = await takingsOf(chain, () => paying.ask(sale.path, bought.paid));
      await expectDelivered(chain, { answer: result, signed: bought.signed }, sale.usd);
      expect(taken).toEqual([{ from: buyer.address, value: sale.price, tx: result.json.access.tx }]);
    },
  );

  describe('after an unknown outcome', () => {
    const buyInVain = (buyer: SandboxAccount) =>
      nothingTaken(async () => {
        paying.facilitator.beforeSettle = async () => paying.misbehave(SILENT);
        const bought = await buy(paying.ask, CHECK_SALE.path, { buyer });
        expectPending(bought.answer);
        return bought;
      });

    it('a payment that was never used and has run out is rejected, and the buyer is told so', async () => {
      const { paid, signed } = await buyInVain(buyerOf(chain, 3));
      paying.clock.aheadMs = 350_000;
      expect(await reconcile(chain, paying)).toEqual({ settled: 0, rejected: 0, open: 1 });
      expectPending(await paying.ask(CHECK_SALE.path, paid));
      paying.clock.aheadMs = 370_000;
      expect(await reconcile(chain, paying)).toEqual({ settled: 0, rejected: 1, open: 0 });
      expect(await rowOf(signed)).toEqual(['rejected']);
      const answer = await paying.ask(CHECK_SALE.path, paid);
      expectRefused(answer, 'expired');
      expect(settlementIn(answer)).toBeNull();
    });

    it('a payment that its buyer took back is rejected', async () => {
      const buyer = buyerOf(chain, 4);
      const { paid, signed } = await buyInVain(buyer);
      await cancel(chain, buyer, signed);
      expect(await reconcile(chain, paying)).toEqual({ settled: 0, rejected: 1, open: 0 });
      expect(await rowOf(signed)).toEqual(['rejected']);
      paying.misbehave(null);
      expectRefused(await paying.ask(CHECK_SALE.path, paid), 'already_used');
    });

    it('a refusal proves nothing: an earlier transaction may be on its way, so it stays open', async () => {
      const buyer = buyerOf(chain, 5);
      const { paid, signed } = await buyInVain(buyer);
      paying.facilitator.beforeSettle = async () => paying.misbehave(refusing('insufficient_funds'));
      expect(await reconcile(chain, paying)).toEqual({ settled: 0, rejected: 0, open: 1 });
      expect(await rowOf(signed)).toEqual(['unknown']);
      expectPending(await paying.ask(CHECK_SALE.path, paid));
      const tx = await bringIn(chain, chain.accounts.minter, signed);
      expect(await reconcile(chain, paying)).toEqual({ settled: 1, rejected: 0, open: 0 });
      expect((await paying.ask(CHECK_SALE.path, paid)).json.access.tx).toBe(tx);
    });
  });
});
