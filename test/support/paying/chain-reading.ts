import { decodeFunctionResult, encodeFunctionData, type Hex, isHex, parseAbi } from 'viem';
import type { LocalChain } from '../../../src/sandbox/chain/local-chain.ts';
import { USDC } from '../../../tools/signed-payment.ts';

const TOKEN = parseAbi(['function balanceOf(address) view returns (uint256)']);

export async function balanceOf({ ask }: LocalChain, owner: Hex): Promise<bigint> {
  const data = encodeFunctionData({ abi: TOKEN, functionName: 'balanceOf', args: [owner] });
  const result = await ask('eth_call', [{ to: USDC, data }, 'latest']);
  if (!isHex(result)) throw new Error('no balance');
  return decodeFunctionResult({ abi: TOKEN, functionName: 'balanceOf', data: result });
}

/** Status, sender and receiver of a transaction that is in a block. */
export async function receiptOf({ ask }: LocalChain, tx: string): Promise<Record<string, unknown>> {
  return Object(await ask('eth_getTransactionReceipt', [tx]));
}
