import { randomBytes } from 'node:crypto';
import { bytesToHex, getAddress, type Hex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { microUsd } from '../src/core/money/micro-usd.ts';
import { type Payment, readPayment } from '../src/core/x402/payment-payload.ts';
import type { Charge, MaySend } from '../src/ports/facilitator.ts';

export const USDC = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';

export const AUTHORIZATION_TYPES = {
  TransferWithAuthorization: [
    { name: 'from', type: 'address' },
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'validAfter', type: 'uint256' },
    { name: 'validBefore', type: 'uint256' },
    { name: 'nonce', type: 'bytes32' },
  ],
} as const;

export interface Signing {
  readonly key: Hex;
  /** The account that pays, where it is not the key's own: a wallet that is a contract. */
  readonly from?: Hex;
  readonly to: Hex;
  readonly value: bigint;
  readonly validAfter?: number;
  readonly validBefore?: number;
  readonly nonce?: Hex;
  readonly chainId?: number;
}

export type SignedAuthorization = Awaited<ReturnType<typeof signAuthorization>>;

/** For settlements whose transactions nobody counts. */
export const ALWAYS: MaySend = async () => true;

export const newNonce = (): Hex => bytesToHex(randomBytes(32));
export const secondsFromNow = (seconds: number): number => Math.floor(Date.now() / 1000) + seconds;

/** An EIP-3009 authorization, signed as wallets do. */
export async function signAuthorization(signing: Signing) {
  const account = privateKeyToAccount(signing.key);
  const authorization = {
    from: signing.from ?? account.address,
    to: signing.to,
    value: signing.value,
    validAfter: BigInt(signing.validAfter ?? secondsFromNow(-600)),
    validBefore: BigInt(signing.validBefore ?? secondsFromNow(300)),
    nonce: signing.nonce ?? newNonce(),
  };
  const signature = await account.signTypedData({
    domain: {
      name: 'USD Coin',
      version: '2',
      chainId: signing.chainId ?? 8_453,
      verifyingContract: getAddress(USDC),
    },
    types: AUTHORIZATION_TYPES,
    primaryType: 'TransferWithAuthorization',
    message: authorization,
  });
  return { authorization, signature };
}

export interface Wrapping {
  readonly version?: 1 | 2;
  readonly network?: string;
  readonly scheme?: string;
}

/** The header a buyer sends: X-PAYMENT for version 1, PAYMENT-SIGNATURE for version 2. */
export function paymentHeader(
  { authorization, signature }: SignedAuthorization,
  { version = 2, network = version === 1 ? 'base' : 'eip155:8453', scheme = 'exact' }: Wrapping = {},
): string {
  const { from, to, value, validAfter, validBefore, nonce } = authorization;
  const payload = {
    signature,
    authorization: {
      from,
      to,
      value: String(value),
      validAfter: String(validAfter),
      validBefore: String(validBefore),
      nonce,
    },
  };
  const accepted = { scheme, network, amount: String(value), asset: USDC, payTo: to, maxTimeoutSeconds: 300 };
  const document =
    version === 1
      ? { x402Version: 1, scheme, network, payload }
      : { x402Version: 2, accepted: { ...accepted, extra: { name: 'USD Coin', version: '2' } }, payload };
  return Buffer.from(JSON.stringify(document)).toString('base64');
}

/** The payment as our own reader understands it. */
export function readSigned(signed: SignedAuthorization, wrapping: Wrapping = {}): Payment {
  const header = paymentHeader(signed, wrapping);
  const reading = readPayment(
    wrapping.version === 1
      ? { paymentSignature: null, xPayment: header }
      : { paymentSignature: header, xPayment: null },
  );
  if (reading.kind !== 'payment') throw new Error(`a payment of the test's own is ${reading.kind}`);
  return reading.payment;
}

export async function aPayment(signing: Signing, wrapping: Wrapping = {}): Promise<Payment> {
  return readSigned(await signAuthorization(signing), wrapping);
}

export function chargeOf(amount: bigint, payTo: string): Charge {
  return { amount: microUsd(amount), payTo };
}
