import type { LocalChain } from '../../src/sandbox/chain/local-chain.ts';

const USDC = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';

export interface Transfer {
  readonly tx: string;
  readonly value: bigint;
}

/** What moved on the chain while something was done, in order. */
export async function transfersOn<T>(
  { ask }: Pick<LocalChain, 'ask'>,
  work: () => Promise<T>,
): Promise<{ readonly result: T; readonly transfers: readonly Transfer[] }> {
  const before = BigInt(String(await ask('eth_blockNumber', [])));
  const result = await work();
  const filter = {
    address: USDC,
    topics: [TRANSFER],
    fromBlock: `0x${(before + 1n).toString(16)}`,
    toBlock: 'latest',
  };
  const logs = await ask('eth_getLogs', [filter]);
  if (!Array.isArray(logs)) throw new Error('a chain without logs');
  const transfers = logs.map((log) => ({
    tx: String(Object(log).transactionHash),
    value: BigInt(String(Object(log).data)),
  }));
  return { result, transfers };
}
