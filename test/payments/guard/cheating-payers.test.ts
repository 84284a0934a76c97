import { describe, expect, it } from 'vitest';
import { createGuard, memoryLedger } from '../../../src/guard/index.ts';
import { THIEF } from '../../../tools/samples/challenge.ts';
import {
  paymentHeader,
  type Signing,
  secondsFromNow,
  signAuthorization,
} from '../../../tools/signed-payment.ts';
import { refusalIn } from '../../support/guarding/buyers/measure-purchase.ts';
import { useGuardingWorld } from '../../support/guarding/guarding-world.ts';
import type { SellerName } from '../../support/guarding/sellers/seller-scripts.ts';
import { chainOfTheFile } from '../../support/paying/paying-chain.ts';

const chain = await chainOfTheFile();
const SELLER = chain.accounts.seller.address;

describe('a payer that does not do what was approved', () => {
  const world = useGuardingWorld(chain);
  const newGuard = () =>
    createGuard({ ledger: memoryLedger(), limits: { perPayment: '0.10', perDay: '5' }, ask: null });

  const signed = (changes: Partial<Signing> = {}) =>
    signAuthorization({ key: world.buyer.key, to: SELLER, value: 10_000n, ...changes });

  /** Asks for the price first, and then sends these headers; the last answer, and what the seller saw. */
  async function send(headers: readonly Readonly<Record<string, string>>[], seller: SellerName = 'honest') {
    const stall = world.open(seller);
    const { fetch } = newGuard();
    const { result, spent } = await world.moved(async () => {
      expect((await fetch(stall.url)).status).toBe(402);
      const ends: unknown[] = [];
      for (const one of headers) ends.push(await endOf(fetch(stall.url, { headers: one })));
      return ends;
    });
    return { ends: result, spent, paid: stall.seen.paid };
  }

  it('pays when it signs what was approved', async () => {
    const payment = { 'payment-signature': paymentHeader(await signed({ validBefore: secondsFromNow(60) })) };
    // The entry of the tool has another lifetime; the guard restores the one of the seller.
    expect(await send([payment])).toEqual({ ends: [200], spent: 10_000n, paid: 1 });
  });

  it.each<[string, Partial<Signing>]>([
    ['to somebody else', { to: THIEF }],
    ['for more', { value: 10_001n }],
    ['for less', { value: 9_999n }],
    ['for a year', { validBefore: secondsFromNow(31_536_000) }],
    ['out of date', { validBefore: secondsFromNow(-10) }],
  ])('sends nothing that was signed %s', async (_, changes) => {
    for (const version of [1, 2] as const) {
      const value = paymentHeader(await signed(changes), { version });
      const name = version === 1 ? 'x-payment' : 'payment-signature';
      const nothing = { ends: ['something_else_was_signed'], spent: 0n, paid: 0 };
      expect(await send([{ [name]: value }])).toEqual(nothing);
    }
  });

  it('sends nothing that cannot be read, on another network, or twice at once', async () => {
    const [one, other] = [paymentHeader(await signed()), paymentHeader(await signed(), { version: 1 })];
    const elsewhere = paymentHeader(await signed(), { network: 'eip155:137' });
    const rows = [
      { 'payment-signature': 'garbage' },
      { 'payment-signature': elsewhere },
      { 'payment-signature': one, 'x-payment': other },
    ];
    for (const row of rows) {
      expect(await send([row])).toEqual({ ends: ['something_else_was_signed'], spent: 0n, paid: 0 });
    }
  });

  it('sends no payment for which nothing was asked', async () => {
    const stall = world.open('honest');
    const headers = { 'payment-signature': paymentHeader(await signed()) };
    const { result, spent } = await world.moved(() => endOf(newGuard().fetch(stall.url, { headers })));
    expect([result, spent, stall.seen.paid]).toEqual(['not_approved', 0n, 0]);
  });

  it.each<[SellerName, unknown]>([
    ['asksAgain', 'asked_again_after_payment'],
    ['failsAfterSettling', 500],
    ['deliversNothing', 200],
    ['losesEveryAnswer', 'outcome_unknown'],
  ])('sends no second payment for one purchase, whatever came of the first: %s', async (seller, end) => {
    const payments = await Promise.all([signed(), signed()]);
    const headers = payments.map((one) => ({ 'payment-signature': paymentHeader(one) }));
    expect(await send(headers, seller)).toMatchObject({ ends: [end, 'second_payment'], spent: 10_000n });
  });
});

async function endOf(answering: Promise<Response>): Promise<unknown> {
  try {
    const answer = await answering;
    await answer.arrayBuffer();
    return answer.status;
  } catch (error) {
    return refusalIn(error) ?? error;
  }
}
