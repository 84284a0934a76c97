import type { PendingSettlementStore } from '@x402/core/facilitator';
import { type Hex, isHash, type PublicClient, TransactionNotFoundError } from 'viem';
import { causeOf } from './node-faults.ts';

/** More than can be in flight; beyond it the oldest is dropped, and the chain's log still has it. */
const ENTRIES_MAX = 1_024;

/**
 * Transactions that were sent but not yet mined, by signature: a repeated settlement waits for the first one. A transaction
 * that the node does not know was lost and is sent again, which is safe: the token accepts a nonce once.
 */
export function createPendingSettlements(client: PublicClient): PendingSettlementStore {
  const sent = new Map<string, Hex>();
  return {
    async get(signature) {
      const hash = sent.get(signature);
      if (hash === undefined || (await isLost(client, hash))) return undefined;
      return hash;
    },
    async set(signature, hash) {
      if (!isHash(hash)) return;
      const [oldest] = sent.keys();
      if (sent.size >= ENTRIES_MAX && oldest !== undefined) sent.delete(oldest);
      sent.set(signature, hash);
    },
    async delete(signature) {
      sent.delete(signature);
    },
  };
}

/** Only if the node says so; without an answer it may know it. */
async function isLost(client: PublicClient, hash: Hex): Promise<boolean> {
  try {
    await client.getTransaction({ hash });
    return false;
  } catch (error) {
    return causeOf(error, TransactionNotFoundError) !== null;
  }
}
