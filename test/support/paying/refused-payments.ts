import type { Payment } from '../../../src/core/x402/payment-payload.ts';
import type { PaymentRefusal } from '../../../src/core/x402/payment-refusal.ts';
import type { SandboxAccounts } from '../../../src/sandbox/chain/funded-accounts.ts';
import {
  aPayment,
  readSigned,
  type SignedAuthorization,
  type Signing,
  secondsFromNow,
  signAuthorization,
  type Wrapping,
} from '../../../tools/signed-payment.ts';

export const STRANGER = '0x00000000000000000000000000000000000051DE';

type Make = (good: Signing, accounts: SandboxAccounts) => Promise<Payment>;

/** Signs `good` and changes the authorization afterwards. */
const tampered =
  (
    change: (signed: SignedAuthorization['authorization']) => Partial<SignedAuthorization['authorization']>,
    wrapping: Wrapping = {},
  ): Make =>
  async (good) => {
    const { authorization, signature } = await signAuthorization(good);
    return readSigned({ authorization: { ...authorization, ...change(authorization) }, signature }, wrapping);
  };

const signedWith =
  (signature: `0x${string}`): Make =>
  async (good) =>
    readSigned({ ...(await signAuthorization(good)), signature });

/** Payments that nobody may take, each made of the terms of a good one. */
export const REFUSED_PAYMENTS: readonly (readonly [why: string, reason: PaymentRefusal, make: Make])[] = [
  ['expired', 'expired', (good) => aPayment({ ...good, validBefore: secondsFromNow(-1) })],
  ['without time left to settle', 'expired', (good) => aPayment({ ...good, validBefore: secondsFromNow(3) })],
  ['not yet valid', 'not_yet_valid', (good) => aPayment({ ...good, validAfter: secondsFromNow(120) })],
  ['signed for less', 'wrong_amount', (good) => aPayment({ ...good, value: good.value - 1n })],
  ['signed for more', 'wrong_amount', (good) => aPayment({ ...good, value: good.value + 1n })],
  ['signed to another payee', 'wrong_payee', (good) => aPayment({ ...good, to: STRANGER })],
  [
    'of a test network',
    'wrong_network',
    (good) => aPayment({ ...good, chainId: 84_532 }, { network: 'eip155:84532' }),
  ],
  [
    'of a test network (version 1)',
    'wrong_network',
    (good) => aPayment({ ...good, chainId: 84_532 }, { version: 1, network: 'base-sepolia' }),
  ],
  ['of another scheme', 'refused', (good) => aPayment(good, { scheme: 'upto' })],
  [
    'without the money behind it',
    'insufficient_funds',
    (good, { pauper }) => aPayment({ ...good, key: pauper.key }),
  ],
  [
    'signed for another network than it names',
    'bad_signature',
    (good) => aPayment({ ...good, chainId: 84_532 }),
  ],
  [
    'signed by somebody else',
    'bad_signature',
    (good, { seller }) => aPayment({ ...good, from: seller.address }),
  ],
  ['with another payer put in', 'bad_signature', tampered(() => ({ from: STRANGER }))],
  ['with another nonce put in', 'bad_signature', tampered(() => ({ nonce: `0x${'11'.repeat(32)}` }))],
  [
    'with a longer life put in',
    'bad_signature',
    tampered(({ validBefore }) => ({ validBefore: validBefore + 1n })),
  ],
  [
    'with an earlier start put in (version 1)',
    'bad_signature',
    tampered(() => ({ validAfter: 0n }), { version: 1 }),
  ],
  ['with another payee put in', 'wrong_payee', tampered(() => ({ to: STRANGER }))],
  ['with another amount put in', 'wrong_amount', tampered(({ value }) => ({ value: value * 2n }))],
  ['signed with nonsense', 'bad_signature', signedWith(`0x${'77'.repeat(65)}`)],
  ['signed with too little', 'bad_signature', signedWith('0x12')],
];
