import { describe, expect, it } from 'vitest';
import { CONTRACT_WALLET } from '../../src/sandbox/chain/funded-accounts.ts';
import {
  paymentHeader,
  type Signing,
  secondsFromNow,
  signAuthorization,
} from '../../tools/signed-payment.ts';
import { checkOf, LOOKUP, LOOKUP_PAID, PACK } from '../support/asking.ts';
import { expectDelivered, expectRefused, settlementIn } from '../support/paying/paying-answers.ts';
import { buy, documentOf, encoded, signFor, withPayment } from '../support/paying/paying-buyer.ts';
import { bringIn, buyerOf, chainOfTheFile, takingsOf } from '../support/paying/paying-chain.ts';
import { usePaying } from '../support/paying/paying-service.ts';
import { REFUSED_PAYMENTS, STRANGER } from '../support/paying/refused-payments.ts';
import type { Received } from '../support/running/running-service.ts';

const chain = await chainOfTheFile();
const PATH = `${LOOKUP_PAID}?task=weather`;
const buyer = buyerOf(chain);
const terms = { key: buyer.key, to: chain.accounts.seller.address, value: 20_000n };

/** Asks with this payment and sees to it that nothing moves and nothing of the goods is shown. */
async function refused(ask: () => Promise<Received>, reason: string): Promise<Received> {
  const { result, taken } = await takingsOf(chain, ask);
  expectRefused(result, reason);
  expect(result.text).not.toContain('plain-weather');
  expect(taken).toEqual([]);
  return result;
}

describe.each(['http', 'built-in'] as const)('a payment is refused by its facilitator (%s)', (through) => {
  const paying = usePaying({ chain, through });

  it.each(REFUSED_PAYMENTS)('PAY-06, PAY-10, PAY-11: %s: %s', async (_, reason, make) => {
    const { x402Version, document } = await make(terms, chain.accounts);
    const sent = withPayment(encoded(document), { version: x402Version });
    await refused(() => paying.ask(PATH, sent), reason);
    expect(paying.facilitator.calls.settle).toBe(0);
  });

  it('PAY-01: used before it came to us', async () => {
    const signed = await signAuthorization(terms);
    await bringIn(chain, chain.accounts.gas, signed);
    await refused(() => paying.ask(PATH, withPayment(paymentHeader(signed))), 'already_used');
  });

  it.each<[string, Partial<Signing>, string]>([
    ['valid until the year 1970', { validBefore: 0 }, 'expired'],
    ['valid from a time that never comes', { validAfter: 2 ** 52 }, 'not_yet_valid'],
    ['valid for nobody: until before from', { validAfter: 2 ** 52, validBefore: 0 }, 'expired'],
    ['of nothing', { value: 0n }, 'wrong_amount'],
    ['of more than there is', { value: 2n ** 256n - 1n }, 'wrong_amount'],
    ['valid until a time that no block has', { validBefore: 2 ** 64 }, 'refused'],
  ])('PAY-10: %s', async (_, changes, reason) => {
    const signed = await signAuthorization({ ...terms, ...changes });
    await refused(() => paying.ask(PATH, withPayment(paymentHeader(signed))), reason);
  });
});

describe('a payment is refused', () => {
  const paying = usePaying({ chain });
  const good = async () => paymentHeader(await signAuthorization(terms));

  it.each<[string, string]>([
    ['a lookup past the quota', `${LOOKUP}?task=weather`],
    ['a spot-check', checkOf('http://seller.example/honest')],
    ['the pack', PACK],
  ])('on every route: %s', async (_, path) => {
    const required = await paying.ask(path);
    const amount = BigInt(required.json.accepts[0].amount);
    for (const value of [amount - 1n, amount + 1n]) {
      const signed = await signFor(required, { buyer, signing: { value } });
      await refused(() => paying.ask(path, withPayment(paymentHeader(signed))), 'wrong_amount');
    }
    const poor = await signFor(required, { buyer: chain.accounts.pauper });
    await refused(() => paying.ask(path, withPayment(paymentHeader(poor))), 'insufficient_funds');
    expect(paying.facilitator.calls.settle).toBe(0);
  });

  it.each<[string, object]>([
    ['a lower amount', { amount: '19999' }],
    ['a higher amount', { amount: '20001' }],
    ['an amount that is no text', { amount: 20_000 }],
    ['another payee', { payTo: STRANGER }],
    ['another asset', { asset: STRANGER }],
    ['the USDC of another network', { asset: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48' }],
  ])('PAY-06: what it says it accepted is tampered with: %s', async (_, changes) => {
    const document = documentOf(await good());
    const header = encoded({ ...document, accepted: { ...document.accepted, ...changes } });
    await refused(() => paying.ask(PATH, withPayment(header)), 'terms_mismatch');
    expect(paying.facilitator.calls.settle).toBe(0);
  });

  it.each<[string, object, string]>([
    ['another network', { network: 'eip155:1' }, 'wrong_network'],
    ['a test network', { network: 'eip155:84532' }, 'wrong_network'],
    ['another scheme', { scheme: 'upto' }, 'refused'],
  ])('PAY-06: it says that it is of %s', async (_, changes, reason) => {
    const document = documentOf(await good());
    const header = encoded({ ...document, accepted: { ...document.accepted, ...changes } });
    await refused(() => paying.ask(PATH, withPayment(header)), reason);
    expect(paying.facilitator.calls.settle).toBe(0);
  });

  it('PAY-11: the other signature of the same key, which the token does not take', async () => {
    const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
    const { authorization, signature } = await signAuthorization(terms);
    const s = (ORDER - BigInt(`0x${signature.slice(66, 130)}`)).toString(16).padStart(64, '0');
    const v = signature.endsWith('1b') ? '1c' : '1b';
    const header = paymentHeader({ authorization, signature: `0x${signature.slice(2, 66)}${s}${v}` });
    await refused(() => paying.ask(PATH, withPayment(header)), 'refused');
  });

  it('with the same word for older clients (G61b)', async () => {
    const signed = await signAuthorization({ ...terms, value: 1n });
    const sent = withPayment(paymentHeader(signed, { version: 1 }), { version: 1 });
    const answer = await paying.ask(PATH, { ...sent, headers: { ...sent.headers, 'x-402-version': '1' } });
    expect(answer.json).toMatchObject({
      x402Version: 1,
      error: 'wrong_amount',
      accepts: [{ maxAmountRequired: '20000', network: 'base' }],
    });
    expect(settlementIn(answer, 'payment-required')).toMatchObject({ x402Version: 2, error: 'wrong_amount' });
  });

  it('and the refused one does not spoil the good one after it', async () => {
    const required = await paying.ask(PATH);
    const late = await signFor(required, { buyer, signing: { validAfter: secondsFromNow(120) } });
    await refused(() => paying.ask(PATH, withPayment(paymentHeader(late))), 'not_yet_valid');
    const { nonce } = late.authorization;
    const bought = await buy(paying.ask, PATH, { buyer, signing: { nonce } });
    await expectDelivered(chain, bought, '0.02');
  });

  it('says nothing about a settlement that was never tried', async () => {
    const signed = await signAuthorization({ ...terms, value: 1n });
    const answer = await paying.ask(PATH, withPayment(paymentHeader(signed)));
    expect([settlementIn(answer), answer.header('x-payment-response')]).toEqual([null, null]);
  });
});

describe('a payment is taken', () => {
  const paying = usePaying({ chain });

  it('PAY-11: from a wallet that is a contract (ERC-1271)', async () => {
    const plain = await signAuthorization({ ...terms, from: CONTRACT_WALLET });
    const signed = { ...plain, signature: `${plain.signature}00` } as const;
    const { result, taken } = await takingsOf(chain, () =>
      paying.ask(PATH, withPayment(paymentHeader(signed))),
    );
    await expectDelivered(chain, { answer: result, signed }, '0.02');
    expect(taken.map(({ from, value }) => [from, value])).toEqual([[CONTRACT_WALLET, 20_000n]]);
  });

  it.each<[string, object]>([
    [
      'addresses in lower case',
      { payTo: terms.to.toLowerCase(), asset: '0x833589fcd6edb6e08f4c7c32d4f71b54bda02913' },
    ],
    ['members of its own', { note: 'mine' }],
  ])('when what it accepted is the same in other words: %s', async (_, changes) => {
    const signed = await signAuthorization(terms);
    const document = documentOf(paymentHeader(signed));
    const header = encoded({ ...document, accepted: { ...document.accepted, ...changes } });
    await expectDelivered(chain, { answer: await paying.ask(PATH, withPayment(header)), signed }, '0.02');
  });
});
