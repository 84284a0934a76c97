import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Payment } from '../../../src/core/x402/payment-payload.ts';
import type { Charge, Facilitator, Settlement, Verification } from '../../../src/ports/facilitator.ts';
import {
  BUYER_FUNDS,
  CONTRACT_WALLET,
  type SandboxAccount,
} from '../../../src/sandbox/chain/funded-accounts.ts';
import type { LocalChain } from '../../../src/sandbox/chain/local-chain.ts';
import {
  ALWAYS,
  aPayment,
  chargeOf,
  readSigned,
  signAuthorization,
  USDC,
} from '../../../tools/signed-payment.ts';
import { balanceOf, receiptOf } from '../../support/paying/chain-reading.ts';
import { REFUSED_PAYMENTS, STRANGER } from '../../support/paying/refused-payments.ts';

export interface FacilitatorPlace {
  readonly chain: LocalChain;
  readonly facilitator: Facilitator;
  /** The same adapter where nobody listens. */
  readonly deserted: Facilitator;
  stop(): Promise<void>;
}

export type OpenPlace = (options: { readonly blockMs?: number }) => Promise<FacilitatorPlace>;

const TX = /^0x[0-9a-f]{64}$/;
const PRICE = 20_000n;

/** What every facilitator promises, on a real chain. */
export function describeFacilitator(name: string, open: OpenPlace): void {
  describe(`payments through ${name}`, () => {
    let place: FacilitatorPlace;
    let chain: LocalChain;
    let buyers: readonly SandboxAccount[];
    let seller: SandboxAccount;
    let charge: Charge;
    const outcomes: (Verification | Settlement)[] = [];

    const note = <T extends Verification | Settlement>(outcome: T): T => {
      outcomes.push(outcome);
      return outcome;
    };
    const verify = async (payment: Payment, asked = charge) =>
      note(await place.facilitator.verify(payment, asked));
    const settle = async (payment: Payment, asked = charge) =>
      note(await place.facilitator.settle(payment, asked, ALWAYS));
    const buyer = (index: number): SandboxAccount => {
      const found = buyers[index];
      if (found === undefined) throw new Error('there are not that many buyers');
      return found;
    };
    const terms = (index = 0) => ({ key: buyer(index).key, to: seller.address, value: PRICE });

    beforeAll(async () => {
      place = await open({});
      ({ chain } = place);
      ({ buyers, seller } = chain.accounts);
      charge = chargeOf(PRICE, seller.address);
    });
    afterAll(() => place.stop());

    it.each([
      [2 as const, 1],
      [1 as const, 2],
    ])('verify and move exactly the amount (version %s)', async (version, index) => {
      const payment = await aPayment(terms(index), { version });
      const payer = buyer(index).address.toLowerCase();
      const before = await balanceOf(chain, seller.address);

      expect(await verify(payment)).toEqual({ kind: 'valid', payer });
      expect(await balanceOf(chain, seller.address)).toBe(before);

      const settled = await settle(payment);
      expect(settled).toEqual({ kind: 'settled', tx: expect.stringMatching(TX), payer });
      expect(await balanceOf(chain, seller.address)).toBe(before + PRICE);
      expect(await balanceOf(chain, buyer(index).address)).toBe(BUYER_FUNDS - PRICE);
      const { status, to } = await receiptOf(chain, settled.kind === 'settled' ? settled.tx : '');
      expect([status, String(to).toLowerCase()]).toEqual(['0x1', USDC.toLowerCase()]);
    });

    it('are good once: a replay is already used', async () => {
      const payment = await aPayment(terms());
      expect(await settle(payment)).toMatchObject({ kind: 'settled' });
      const before = await balanceOf(chain, seller.address);
      expect(await verify(payment)).toEqual({ kind: 'invalid', reason: 'already_used' });
      expect(await settle(payment)).toEqual({ kind: 'refused', reason: 'already_used' });
      expect(await balanceOf(chain, seller.address)).toBe(before);
    });

    it.each(REFUSED_PAYMENTS)('that are %s are refused: %s', async (_, reason, make) => {
      const payment = await make(terms(), chain.accounts);
      const before = await balanceOf(chain, seller.address);
      expect(await verify(payment)).toEqual({ kind: 'invalid', reason });
      expect(await settle(payment)).toEqual({ kind: 'refused', reason });
      expect(await balanceOf(chain, seller.address)).toBe(before);
    });

    it('compare with what is asked now, not with what was asked then', async () => {
      const payment = await aPayment(terms());
      const dearer = chargeOf(PRICE + 1n, seller.address);
      expect(await verify(payment, dearer)).toEqual({ kind: 'invalid', reason: 'wrong_amount' });
      expect(await settle(payment, dearer)).toEqual({ kind: 'refused', reason: 'wrong_amount' });
      const elsewhere = chargeOf(PRICE, STRANGER);
      expect(await verify(payment, elsewhere)).toEqual({ kind: 'invalid', reason: 'wrong_payee' });
    });

    it('take the payee in any letter case', async () => {
      const payment = await aPayment(terms());
      const shouted = chargeOf(PRICE, `0x${seller.address.slice(2).toUpperCase()}`);
      expect(await settle(payment, shouted)).toMatchObject({ kind: 'settled' });
    });

    it('can come from a wallet that is a contract', async () => {
      const plain = await signAuthorization({ ...terms(), from: CONTRACT_WALLET });
      const payment = readSigned({ ...plain, signature: `${plain.signature}00` });
      const payer = CONTRACT_WALLET.toLowerCase();
      expect(await verify(payment)).toEqual({ kind: 'valid', payer });
      expect(await settle(payment)).toMatchObject({ kind: 'settled', payer });
      expect(await balanceOf(chain, CONTRACT_WALLET)).toBe(BUYER_FUNDS - PRICE);
    });

    it('settled 20 times at once move once', async () => {
      const payment = await aPayment(terms());
      const before = await balanceOf(chain, seller.address);
      const results = await Promise.all(Array.from({ length: 20 }, () => settle(payment)));
      expect(await balanceOf(chain, seller.address)).toBe(before + PRICE);
      const transactions = new Set(results.flatMap((one) => (one.kind === 'settled' ? [one.tx] : [])));
      expect(transactions.size).toBe(1);
      const others = results.filter(({ kind }) => kind !== 'settled');
      expect(others.filter((one) => one.kind !== 'refused' || one.reason !== 'already_used')).toEqual([]);
    });

    const settleForty = async (on: FacilitatorPlace) => {
      const before = await balanceOf(on.chain, seller.address);
      const payments = await Promise.all(
        Array.from({ length: 40 }, (_, index) =>
          aPayment(terms(index % 8), { version: index % 2 === 0 ? 1 : 2 }),
        ),
      );
      const results = await Promise.all(
        payments.map(async (payment) => note(await on.facilitator.settle(payment, charge, ALWAYS))),
      );
      const transactions = new Set(results.flatMap((one) => (one.kind === 'settled' ? [one.tx] : [])));
      expect(transactions.size).toBe(40);
      expect(await balanceOf(on.chain, seller.address)).toBe(before + 40n * PRICE);
    };

    it('of 40 buyers at once all arrive', () => settleForty(place));

    it('are not held up by one that fails', async () => {
      const poor = await aPayment({ ...terms(), key: chain.accounts.pauper.key });
      const good = await Promise.all(Array.from({ length: 4 }, () => aPayment(terms())));
      const results = await Promise.all(good.flatMap((payment) => [settle(poor), settle(payment)]));
      expect(results.map(({ kind }) => kind)).toEqual(
        Array.from({ length: 4 }, () => ['refused', 'settled']).flat(),
      );
    });

    it('wait for their block where blocks take time', async () => {
      const slow = await open({ blockMs: 300 });
      try {
        const payment = await aPayment(terms());
        const results = await Promise.all(
          Array.from({ length: 5 }, async () => note(await slow.facilitator.settle(payment, charge, ALWAYS))),
        );
        expect(results.some(({ kind }) => kind === 'settled')).toBe(true);
        expect(await balanceOf(slow.chain, seller.address)).toBe(PRICE);
        await settleForty(slow);
      } finally {
        await slow.stop();
      }
    });

    it('have no verdict when nobody can be asked', async () => {
      const payment = await aPayment(terms());
      expect(note(await place.deserted.verify(payment, charge))).toEqual({ kind: 'unavailable' });
      expect(note(await place.deserted.settle(payment, charge, ALWAYS))).toEqual({ kind: 'unknown' });
    });

    it('bring back our own words and nothing else', () => {
      const reason = expect.stringMatching(/^[a-z_]{6,18}$/);
      const payer = expect.stringMatching(/^0x[0-9a-f]{40}$/);
      const shapes: Record<string, object> = {
        valid: { kind: 'valid', payer },
        invalid: { kind: 'invalid', reason },
        unavailable: { kind: 'unavailable' },
        settled: { kind: 'settled', tx: expect.stringMatching(TX), payer },
        refused: { kind: 'refused', reason },
        unknown: { kind: 'unknown' },
      };
      expect(outcomes.length).toBeGreaterThan(100);
      for (const outcome of outcomes) expect(outcome).toEqual(shapes[outcome.kind]);
    });
  });
}
