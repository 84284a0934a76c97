import { expect } from 'vitest';
import type { LocalChain } from '../../../src/sandbox/chain/local-chain.ts';
import { paymentRequiredShape } from '../../../src/wire/payment/payment-required.ts';
import { USDC } from '../../../tools/signed-payment.ts';
import { expectProblem } from '../asking.ts';
import type { Received } from '../running/running-service.ts';
import { receiptOf } from './chain-reading.ts';
import type { Document, Purchase } from './paying-buyer.ts';

/** What the settlement header says; null without one. */
export function settlementIn({ header }: Received, name = 'payment-response'): Document {
  const value = header(name);
  return value === null ? null : JSON.parse(Buffer.from(value, 'base64').toString());
}

/** A 402 that is a whole payment requirement, in header and body, with this word. */
export function expectRefused(answer: Received, error: string): void {
  expect([answer.status, answer.json.error]).toEqual([402, error]);
  expect(paymentRequiredShape.safeParse(answer.json).error).toBeUndefined();
  expect(settlementIn(answer, 'payment-required')).toEqual(answer.json);
  // What stock clients can read (G61).
  expect(answer.header('payment-required')?.length).toBeLessThanOrEqual(4_096);
  expect(answer.header('cache-control')).toBe('no-store');
  expectNoInternals(answer);
}

/** Trouble that passes: a problem, when to come back, and never a new demand. */
export function expectUnavailable(answer: Received, code: string): void {
  expectProblem(answer, 503, code);
  expect(Number(answer.header('retry-after'))).toBeGreaterThan(0);
  expect(answer.header('payment-required')).toBeNull();
}

/** The answer says who paid what in which transaction, the header says the same, and the chain confirms it. */
export async function expectDelivered(
  chain: LocalChain,
  { answer, signed }: Pick<Purchase, 'answer' | 'signed'>,
  usd: string,
): Promise<void> {
  expect([answer.status, answer.json.error]).toEqual([200, undefined]);
  const { settlement, ...access } = answer.json.access;
  const tx = access.tx;
  const payer = signed.authorization.from;
  expect(access).toEqual({
    tier: 'paid',
    charged_usd: usd,
    asset: USDC,
    tx: expect.stringMatching(/^0x[0-9a-f]{64}$/),
    basescan_url: `https://basescan.org/tx/${tx}`,
    payer,
  });
  const settled = { success: true, transaction: tx, network: 'eip155:8453', payer };
  expect(settlementIn(answer)).toEqual(settled);
  expect(answer.header('x-payment-response')).toBe(answer.header('payment-response'));
  expect(answer.header('cache-control')).toBe('no-store');
  expect(answer.header('content-type')).toBe('application/json; charset=utf-8');
  expect(answer.header('access-control-allow-origin')).toBe('*');
  if (answer.json.product !== undefined) expect(settlement).toEqual(settled);
  expect((await receiptOf(chain, tx))['status']).toBe('0x1');
}

/** Words of our libraries, of a node, of files and addresses of machines: none of them is a buyer's business. */
const INTERNALS =
  /sqlite|kysely|postgres|node_modules|viem|fetch failed|ECONN|revert|simulation|calldata|127\.0\.0\.1|10\.0\.0\.7|localhost|invalid_exact|\bat \S+:\d+|\w\.[jt]s\b|[a-z]Error\b/i;

export function expectNoInternals(answer: Received): void {
  const decoded = JSON.stringify([settlementIn(answer), settlementIn(answer, 'payment-required')]);
  expect(answer.text + decoded).not.toMatch(INTERNALS);
}

/** What only a buyer gets to see of the goods, of whatever was sold; the 402 shows an example with another verdict. */
export const GOODS = /plain-weather|"verdict":"pay"|briefing-writer/;
