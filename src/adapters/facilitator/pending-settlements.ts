import type { PendingSettlementStore } from '@x402/core/facilitator';
import { type Hex, isHash, type PublicClient, TransactionNotFoundError } from 'viem';
import { causeOf } from './node-faults.ts';

/** More than can be under way at once; beyond it the oldest is forgotten, and the chain's log still knows. */
const ENTRIES_MAX = 1_024;

/**
 * Transactions that were sent and not yet seen in a block, by signature: a repeated settlement waits for the first one. One
 * that the node does not know got lost on the way and is sent again, which is safe: the token takes a nonce once.
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

/** Only when the node says so; a node that is silent may know it. */
async function isLost(client: PublicClient, hash: Hex): Promise<boolean> {
  try {
    await client.getTransaction({ hash });
    return false;
  } catch (error) {
    return causeOf(error, TransactionNotFoundError) !== null;
  }
}
