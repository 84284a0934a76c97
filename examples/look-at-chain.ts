import { createPublicClient, type Hex, http, parseAbi, parseEventLogs } from 'viem';
import type { Sandbox } from './with-sandbox.ts';

const TOKEN = parseAbi([
  'function balanceOf(address owner) view returns (uint256)',
  'event Transfer(address indexed from, address indexed to, uint256 value)',
]);

/** What the chain itself says, so that an example need not believe anybody. Amounts are atomic: 1 USDC is 1,000,000. */
export function lookAtChain({ rpc_url, usdc }: Sandbox) {
  const chain = createPublicClient({ transport: http(rpc_url), cacheTime: 0 });
  return {
    balanceOf(owner: Hex): Promise<bigint> {
      return chain.readContract({ address: usdc, abi: TOKEN, functionName: 'balanceOf', args: [owner] });
    },
    /** The one transfer of USDC that a transaction made. */
    async transferOf(transaction: Hex): Promise<{ from: Hex; to: Hex; value: bigint }> {
      const { status, logs } = await chain.getTransactionReceipt({ hash: transaction });
      const [transfer, ...more] = parseEventLogs({ abi: TOKEN, logs, eventName: 'Transfer' });
      if (status !== 'success' || transfer === undefined || more.length > 0) {
        throw new Error(`${transaction} is not one transfer`);
      }
      return transfer.args;
    },
  };
}
