import { Worker } from 'node:worker_threads';
import type { Hex } from 'viem';

/** Payments that were signed ahead. */
export interface SignedPayments {
  /** The header line of a payment of so much; null when none is ready. */
  take(units: bigint): string | null;
  /** Until the stock is full. */
  filled(): Promise<void>;
  close(): Promise<void>;
}

export interface Signing {
  readonly key: Hex;
  readonly to: Hex;
  readonly value: bigint;
}

const STOCK = 32;

/** A signature takes milliseconds, in which no answer could be noticed: they are made in a thread of their own. */
export function signAhead(
  { buyerKeys, payTo }: { readonly buyerKeys: readonly Hex[]; readonly payTo: Hex },
  prices: readonly bigint[],
): SignedPayments {
  const worker = new Worker(new URL('./signer.js', import.meta.url));
  const stock = new Map<bigint, string[]>(prices.map((units) => [units, []]));
  const state = { buyer: 0, ordered: 0 };
  const order = (value: bigint) => {
    const key = buyerKeys[state.buyer++ % buyerKeys.length];
    if (key === undefined) throw new Error('there are no buyers');
    state.ordered += 1;
    worker.postMessage({ key, to: payTo, value } satisfies Signing);
  };
  // Only signer.ts talks here.
  worker.on('message', ({ value, header }: { readonly value: bigint; readonly header: string }) => {
    state.ordered -= 1;
    stock.get(value)?.push(`payment-signature: ${header}\r\n`);
  });
  for (const units of prices) for (let n = 0; n < STOCK; n += 1) order(units);
  return {
    take(units) {
      const payment = stock.get(units)?.shift() ?? null;
      if (payment !== null) order(units);
      return payment;
    },
    async filled() {
      while (state.ordered > 0) await new Promise((done) => setTimeout(done, 20));
    },
    async close() {
      await worker.terminate();
    },
  };
}
