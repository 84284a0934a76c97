import { setTimeout as wait } from 'node:timers/promises';
import { x402HTTPClient } from '@x402/core/client';
import { ExactEvmScheme } from '@x402/evm/exact/client';
import { x402Client } from '@x402/fetch';
import type { Hex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { z } from 'zod';
import type { Answer, Ask, Sent } from './callers.ts';

/** A payment, as it was signed for one 402. */
export interface Signed {
  readonly header: string;
  readonly nonce: string;
  readonly payer: string;
  /** What the 402 asked for, in millionths of a dollar. */
  readonly offered: bigint;
  /** What was signed. */
  readonly value: bigint;
  readonly payTo: string;
}

export interface Buyer {
  readonly address: Hex;
  sign(required: Answer): Promise<Signed>;
}

const payload = z.object({
  payload: z.object({
    authorization: z.object({ from: z.string(), to: z.string(), value: z.string(), nonce: z.string() }),
  }),
});

/** Signs what a 402 asks for, with the SDK that buyers use. */
export function createBuyer(key: Hex): Buyer {
  const account = privateKeyToAccount(key);
  const client = new x402Client()
    .register('eip155:8453', new ExactEvmScheme(account))
    // The pack costs more than the client signs by itself.
    .setSpendControls({ maxAmountPerPayment: '$10' });
  const http = new x402HTTPClient(client);
  return {
    address: account.address,
    async sign(required) {
      const demand = http.getPaymentRequiredResponse(required.header, parsed(required.text));
      const signed = await client.createPaymentPayload(demand);
      const { from, to, value, nonce } = payload.parse(signed).payload.authorization;
      const header = http.encodePaymentSignatureHeader(signed)['PAYMENT-SIGNATURE'];
      const offered = demand.accepts[0]?.amount;
      if (header === undefined || offered === undefined) throw new Error('the SDK signed in another form');
      return { header, nonce, payer: from, payTo: to, value: BigInt(value), offered: BigInt(offered) };
    },
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** How a purchase ended for a client that keeps to the rules. */
export type Bought =
  /** It was free after all, or cannot be bought. */
  | { readonly kind: 'unpaid'; readonly answer: Answer }
  | { readonly kind: 'paid'; readonly answer: Answer; readonly signed: Signed }
  | { readonly kind: 'not_charged'; readonly answer: Answer; readonly signed: Signed }
  /** Its patience is over and nobody has said; the payment must not be signed anew. */
  | { readonly kind: 'open'; readonly signed: Signed | null };

export interface Buying {
  readonly ask: Ask;
  readonly path: string;
  readonly buyer: Buyer;
  readonly sent?: Sent;
  readonly patienceMs?: number;
  /** Told before a payment is sent for the first time. */
  readonly onSigned?: (signed: Signed) => void;
  /** Told of every answer to a payment; null when none came. */
  readonly onAnswer?: (signed: Signed, answer: Answer | null) => void;
}

const PATIENCE_MS = 60_000;
const SIGNED_MAX = 4;

/** A new payment is signed only after a 402, which says that the last one was not charged. */
export async function buy(buying: Buying): Promise<Bought> {
  const { ask, path, buyer, sent = {}, patienceMs = PATIENCE_MS } = buying;
  const giveUpAt = Date.now() + patienceMs;
  let required = await untilSaid(() => ask(path, sent), giveUpAt);
  for (let count = 1; required !== null; count += 1) {
    if (required.status !== 402) return { kind: 'unpaid', answer: required };
    const signed = await buyer.sign(required);
    buying.onSigned?.(signed);
    const answer = await sendUntilSaid(buying, signed, giveUpAt);
    if (answer === null) return { kind: 'open', signed };
    if (isPaidFor(answer)) return { kind: 'paid', answer, signed };
    if (answer.status !== 402 || count >= SIGNED_MAX) return { kind: 'not_charged', answer, signed };
    required = answer;
  }
  return { kind: 'open', signed: null };
}

/** The same payment again and again, until somebody says what became of it; null when nobody did. */
export function sendUntilSaid(
  { ask, path, sent = {}, onAnswer }: Pick<Buying, 'ask' | 'path' | 'sent' | 'onAnswer'>,
  signed: Signed,
  giveUpAt: number,
): Promise<Answer | null> {
  const paid = { ...sent, headers: { ...sent.headers, 'payment-signature': signed.header } };
  return untilSaid(
    () => ask(path, paid),
    giveUpAt,
    (answer) => onAnswer?.(signed, answer),
  );
}

/** Trouble that passes, and a conflict with whoever is at work on the same payment. */
const ASK_AGAIN: ReadonlySet<number> = new Set([409, 503]);
const PAUSE_MS = { first: 100, longest: 1_000 };

async function untilSaid(
  ask: () => Promise<Answer>,
  giveUpAt: number,
  onAnswer: (answer: Answer | null) => void = () => {},
): Promise<Answer | null> {
  for (let pause = PAUSE_MS.first; ; pause = Math.min(2 * pause, PAUSE_MS.longest)) {
    const answer = await ask().catch(() => null);
    onAnswer(answer);
    if (answer !== null && !ASK_AGAIN.has(answer.status)) return answer;
    if (Date.now() + pause > giveUpAt) return null;
    await wait(pause);
  }
}

const paid = z.object({
  access: z.object({ tier: z.literal('paid'), charged_usd: z.string().refine((charged) => charged !== '0') }),
});

/**
 * Whether an answer says that it was paid for. A check of a seller who could not be reached costs nothing, and what is free
 * again on a new day costs nothing either; then the payment stays the buyer's.
 */
export function isPaidFor({ status, text }: Answer): boolean {
  return status === 200 && paid.safeParse(parsed(text)).success;
}
