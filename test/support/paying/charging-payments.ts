import { microUsd } from '../../../src/core/money/micro-usd.ts';
import { type Payment, readKeptPayment } from '../../../src/core/x402/payment-payload.ts';
import { BASE_USDC } from '../../../src/core/x402/usdc-on-base.ts';
import type { FinishAnswer } from '../../../src/flows/pay/settle-payment.ts';
import { NOON } from '../../../tools/samples/store-receipts.ts';

export const SELLER = '0x5e11e50000000000000000000000000000005e11';
export const PAYER = '0xB0B0000000000000000000000000000000000B0B';
export const PRICE = microUsd(20_000n);

export interface PaymentChanges {
  readonly value?: bigint;
  readonly to?: string;
  readonly validAfter?: bigint;
  readonly validBefore?: bigint;
  /** Payments with the same number are one payment. */
  readonly n?: number;
}

/** Seconds after noon, as authorizations count them. */
export function secondsAfterNoon(seconds: number): bigint {
  return BigInt(NOON.getTime() / 1_000 + seconds);
}

/** A payment that was good at noon; its signature is nobody's, which only a facilitator would see. */
export function unsigned({ n = 1, ...changes }: PaymentChanges = {}): Payment {
  const signed = {
    from: PAYER,
    to: SELLER,
    value: PRICE,
    validAfter: secondsAfterNoon(-600),
    validBefore: secondsAfterNoon(300),
    nonce: `0x${n.toString(16).padStart(64, '0')}`,
    ...changes,
  };
  const authorization = Object.fromEntries(Object.entries(signed).map(([name, value]) => [name, `${value}`]));
  const { value: amount, to: payTo } = authorization;
  const accepted = { scheme: 'exact', network: 'eip155:8453', amount, asset: BASE_USDC, payTo };
  const document = {
    x402Version: 2,
    accepted,
    payload: { signature: `0x${'11'.repeat(65)}`, authorization },
  };
  const payment = readKeptPayment(JSON.stringify(document));
  if (payment === null) throw new Error("a payment of the test's own cannot be read");
  return payment;
}

/** An answer that shows what it was made of. */
export const finishPlainly: FinishAnswer = ({ operation, body }, { tx, payer, amount }) => ({
  status: 200,
  headers: { tx },
  body: `${operation} ${body} paid ${amount} by ${payer}`,
});
