import { createPublicClient, defineChain, getAddress, http, type PublicClient } from 'viem';
import { BASE_CHAIN_ID, BASE_USDC } from '../../core/x402/usdc-on-base.ts';

/** As viem types an address. */
export const USDC = getAddress(BASE_USDC);

/** Far more than any answer we need; nodes are untrusted, too. */
const ANSWER_MAX_BYTES = 1_048_576;

// Written here because viem's own table of chains takes a second to load.
const BASE = defineChain({
  id: BASE_CHAIN_ID,
  name: 'Base',
  nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
  rpcUrls: { default: { http: [] } },
});

export interface NodeOptions {
  readonly rpcUrl: string;
  /** For one call; 10 seconds when left out. */
  readonly timeoutMs?: number;
}

/** A client of one node, without retries: only the caller knows whether a retry is safe. */
export function createBaseClient({ rpcUrl, timeoutMs = 10_000 }: NodeOptions): PublicClient {
  return createPublicClient({
    chain: BASE,
    cacheTime: 0,
    transport: http(rpcUrl, {
      timeout: timeoutMs,
      retryCount: 0,
      maxResponseBodySize: ANSWER_MAX_BYTES,
      fetchOptions: { redirect: 'error' },
    }),
  });
}
