import { describe, expect, it } from 'vitest';
import { aPayment, chargeOf } from '../../../tools/signed-payment.ts';
import { sandboxAccounts } from '../../sandbox/chain/funded-accounts.ts';
import { bridgePayment } from './payment-bridge.ts';

const { buyers, seller } = sandboxAccounts();
const [buyer] = buyers;
const charge = chargeOf(20_000n, seller.address);
const signing = {
  key: buyer?.key ?? '0x',
  to: seller.address,
  value: 20_000n,
  validAfter: 5,
  validBefore: 1_900_000_000,
  nonce: `0x${'ab'.repeat(32)}`,
} as const;

describe('the bridge from a payment to the SDK', () => {
  it.each([1, 2] as const)('makes a payment of version 2 of version %s', async (version) => {
    const payment = await aPayment(signing, { version });
    const requirements = {
      scheme: 'exact',
      network: 'eip155:8453',
      amount: '20000',
      asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
      payTo: '0xcBAe4251640b79C0CFE4aA4ca9255eb4C9a45949',
      maxTimeoutSeconds: 300,
      extra: { name: 'USD Coin', version: '2' },
    };
    expect(bridgePayment(payment, charge)).toEqual({
      kind: 'bridged',
      question: {
        requirements,
        payload: {
          x402Version: 2,
          accepted: requirements,
          payload: {
            signature: payment.signature,
            authorization: {
              from: '0x65261f309c3c554cd49f58d9a4177bd691fc8d02',
              to: '0xcbae4251640b79c0cfe4aa4ca9255eb4c9a45949',
              value: '20000',
              validAfter: '5',
              validBefore: '1900000000',
              nonce: `0x${'ab'.repeat(32)}`,
            },
          },
        },
      },
    });
  });

  it('leaves out what the buyer says beside the authorization', async () => {
    const payment = await aPayment(signing);
    const chatty = {
      ...payment,
      document: { ...payment.document, resource: { url: 'https://elsewhere.example' }, extensions: {} },
    };
    expect(bridgePayment(chatty, charge)).toEqual(bridgePayment(payment, charge));
  });

  it.each([
    ['another network', { network: 'eip155:1' }, charge, 'wrong_network'],
    ['another scheme', { scheme: 'upto' }, charge, 'refused'],
    ['another payee', {}, chargeOf(20_000n, buyer?.address ?? ''), 'wrong_payee'],
    ['one unit less', {}, chargeOf(20_001n, seller.address), 'wrong_amount'],
    ['one unit more', {}, chargeOf(19_999n, seller.address), 'wrong_amount'],
  ])('refuses %s without asking anybody', async (_, wrapping, asked, reason) => {
    expect(bridgePayment(await aPayment(signing, wrapping), asked)).toEqual({ kind: 'refused', reason });
  });
});
