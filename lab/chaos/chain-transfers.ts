import { type Hex, numberToHex, parseAbi, parseEventLogs, type RpcLog } from 'viem';
import { z } from 'zod';
import { createBaseClient, USDC } from '../../src/adapters/facilitator/base-chain.ts';
import type { Transfer } from './evidence.ts';

const TOKEN = parseAbi([
  'event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)',
  'event Transfer(address indexed from, address indexed to, uint256 value)',
]);
const head = z.string().transform(Number);
const BLOCKS_AT_ONCE = 500;

/** Every transfer by authorization that the chain has, with the nonce that was used for it. */
export async function transfersOn(rpcUrl: string): Promise<readonly Transfer[]> {
  const client = createBaseClient({ rpcUrl });
  const last = head.parse(await client.request({ method: 'eth_blockNumber' }));
  const nonces = new Map<Hex, string>();
  const moved: (Omit<Transfer, 'nonce'> & { readonly tx: Hex })[] = [];
  for (let first = 0; first <= last; first += BLOCKS_AT_ONCE) {
    const [fromBlock, toBlock] = [first, first + BLOCKS_AT_ONCE - 1].map((block) => numberToHex(block));
    // eth_getLogs answers a list of logs, or the client throws.
    const logs = (await client.request({
      method: 'eth_getLogs',
      params: [{ address: USDC, ...(fromBlock && toBlock ? { fromBlock, toBlock } : {}) }],
    })) as RpcLog[];
    for (const log of parseEventLogs({ abi: TOKEN, logs })) {
      const tx = log.transactionHash;
      if (tx === null) continue;
      if (log.eventName === 'AuthorizationUsed') nonces.set(tx, log.args.nonce);
      else moved.push({ ...log.args, tx });
    }
  }
  return moved.flatMap((transfer) => {
    const nonce = nonces.get(transfer.tx);
    return nonce === undefined ? [] : [{ ...transfer, nonce }];
  });
}
