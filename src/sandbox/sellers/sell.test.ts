import { ExactEvmScheme } from '@x402/evm/exact/client';
import { decodePaymentResponseHeader, wrapFetchWithPayment, x402Client } from '@x402/fetch';
import type { Hex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSigner, wrapFetchWithPayment as wrapFetchV1 } from 'x402-fetch';
import { balanceOf, receiptOf } from '../../../test/support/paying/chain-reading.ts';
import { paymentHeader, type Signing, signAuthorization } from '../../../tools/signed-payment.ts';
import { type Ecosystem, startEcosystem } from '../start-ecosystem.ts';
import { createStops } from '../stops.ts';

const SHOP: Hex = '0x1Ad8F6c5c90e085eD4260528fa008C0C68A6c60F';
const STRANGER: Hex = '0xE4486EdC9A7572aBC7E1fd071B736F80A4c7AE9A';
const HELLO = '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824';
const THANKS = { delivered: true };

const stops = createStops();
let world: Ecosystem;

beforeAll(async () => {
  world = await startEcosystem({ stops, now: () => new Date() });
});
afterAll(() => stops.stopAll());

function urlOf(name: string): string {
  const found = world.sellers.find((seller) => seller.name === name);
  if (found === undefined) throw new Error(`no seller has the name ${name}`);
  return found.url;
}

function buyer(index: number) {
  const found = world.chain.accounts.buyers[index];
  if (found === undefined) throw new Error('there are not that many buyers');
  return found;
}

/** What arrived at both payees while this was done. */
async function takings<T>(work: () => Promise<T>): Promise<[result: T, shop: bigint, stranger: bigint]> {
  const before = [await balanceOf(world.chain, SHOP), await balanceOf(world.chain, STRANGER)] as const;
  const result = await work();
  const shop = (await balanceOf(world.chain, SHOP)) - before[0];
  return [result, shop, (await balanceOf(world.chain, STRANGER)) - before[1]];
}

describe('a stock client of version 2', () => {
  const pay = (index: number) => {
    const scheme = new ExactEvmScheme(privateKeyToAccount(buyer(index).key));
    return wrapFetchWithPayment(fetch, new x402Client().register('eip155:8453', scheme));
  };

  it.each<[string, string, bigint, unknown]>([
    ['honest', '', 10_000n, THANKS],
    ['honest-v2', '', 10_000n, THANKS],
    ['currency', '?amount=100&from=USD&to=EUR', 20_000n, { amount: 100, from: 'USD', to: 'EUR', result: 92 }],
    ['hash', '?text=hello', 10_000n, { text: 'hello', sha256: HELLO }],
    ['factors', '?n=360', 30_000n, { n: 360, factors: [2, 2, 2, 3, 3, 5] }],
    ['junk', '?text=hello', 10_000n, { result: 'Lorem ipsum dolor sit amet.' }],
    ['raised-price', '', 50_000n, THANKS],
  ])('buys from %s', async (name, query, price, goods) => {
    const [response, shop, stranger] = await takings(() => pay(0)(urlOf(name) + query));
    expect([response.status, await response.json(), shop, stranger]).toEqual([200, goods, price, 0n]);
    const receipt = decodePaymentResponseHeader(response.headers.get('payment-response') ?? '');
    expect(receipt).toEqual({
      success: true,
      transaction: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      network: 'eip155:8453',
      payer: buyer(0).address.toLowerCase(),
    });
    expect(await receiptOf(world.chain, receipt.transaction)).toMatchObject({ status: '0x1' });
  });

  it('loses its money to the payee that was swapped in', async () => {
    const [response, shop, stranger] = await takings(() => pay(1)(urlOf('swapped-payee')));
    expect([response.status, shop, stranger]).toEqual([200, 0n, 10_000n]);
  });

  it('asks in a JSON body', async () => {
    const question = { method: 'POST', body: '{"text":"hello"}' };
    const response = await pay(1)(urlOf('hash'), question);
    expect(await response.json()).toEqual({ text: 'hello', sha256: HELLO });
  });
});

describe('a stock client of version 1', () => {
  it.each(['honest', 'honest-v1'])('buys from %s', async (name) => {
    const pay = wrapFetchV1(fetch, await createSigner('base', buyer(2).key));
    const [response, shop] = await takings(() => pay(urlOf(name)));
    expect([response.status, await response.json(), shop]).toEqual([200, THANKS, 10_000n]);
    expect(response.headers.get('x-payment-response')).toBe(response.headers.get('payment-response'));
  });
});

describe('what is not paid is not delivered, and what is not delivered is not charged:', () => {
  const signed = (changes: Partial<Signing> = {}) =>
    signAuthorization({ key: buyer(3).key, to: SHOP, value: 10_000n, ...changes });
  const offer = async (url: string, payment: string, name = 'payment-signature') => {
    const [response, shop] = await takings(() => fetch(url, { headers: { [name]: payment } }));
    const terms = response.headers.get('payment-required');
    const { error } = Object(
      terms === null ? await response.json() : JSON.parse(Buffer.from(terms, 'base64').toString()),
    );
    return [response.status, error, shop];
  };

  it.each<[string, Partial<Signing>, string]>([
    ['too little', { value: 9_999n }, 'wrong_amount'],
    ['too much', { value: 10_001n }, 'wrong_amount'],
    ['for somebody else', { to: STRANGER }, 'wrong_payee'],
    ['signed for another chain', { chainId: 137 }, 'bad_signature'],
    ['out of date', { validBefore: 1_700_000_000 }, 'expired'],
  ])('%s', async (_, changes, error) => {
    expect(await offer(urlOf('honest'), paymentHeader(await signed(changes)))).toEqual([402, error, 0n]);
  });

  it('a buyer without money', async () => {
    const payment = paymentHeader(await signed({ key: world.chain.accounts.pauper.key }));
    expect(await offer(urlOf('honest'), payment)).toEqual([402, 'insufficient_funds', 0n]);
  });

  it.each(['payment-signature', 'x-payment'])('garbage in %s', async (name) => {
    expect(await offer(urlOf('honest'), 'garbage', name)).toEqual([402, 'payment_malformed', 0n]);
  });

  it('the same payment twice', async () => {
    const payment = paymentHeader(await signed());
    expect((await offer(urlOf('honest'), payment))[2]).toBe(10_000n);
    expect(await offer(urlOf('honest'), payment)).toEqual([402, 'already_used', 0n]);
  });

  it('a question that makes no sense', async () => {
    const payment = paymentHeader(await signed({ value: 30_000n }));
    const url = urlOf('factors');
    const error = 'n must be a whole number from 1 to 999999999';
    expect(await offer(url, payment)).toEqual([400, error, 0n]);
    expect(await offer(`${url}?n=6`, payment)).toEqual([200, undefined, 30_000n]);
  });

  it('a question that makes no sense, without the money for it', async () => {
    const payment = paymentHeader(await signed({ value: 1n }));
    expect(await offer(urlOf('factors'), payment)).toEqual([402, 'wrong_amount', 0n]);
  });

  it('another path', async () => {
    expect((await fetch(`${urlOf('honest')}/else`)).status).toBe(404);
  });
});

it('a chain that nobody uses goes on making blocks: signatures that begin now are good later, too', async () => {
  const height = async () => Number(await world.chain.ask('eth_blockNumber', []));
  const before = await height();
  await expect.poll(height).toBeGreaterThan(before);
});
