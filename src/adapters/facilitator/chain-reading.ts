import { getAddress, type Hex, isAddress, isHex, parseAbi } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { createBaseClient, type NodeOptions, USDC } from './base-chain.ts';

/** What an operator wants to know about the chain; every call throws when the node does not answer. */
export interface ChainReading {
  hasUsdc(): Promise<boolean>;
  /** In wei. */
  ether(address: string): Promise<bigint>;
  /** In millionths of a dollar. */
  usdc(address: string): Promise<bigint>;
  /** The price of a unit of gas, in wei. */
  gasPrice(): Promise<bigint>;
}

const TOKEN = parseAbi(['function balanceOf(address) view returns (uint256)']);

export function createChainReading(options: NodeOptions): ChainReading {
  const client = createBaseClient(options);
  return {
    hasUsdc: async () => ((await client.getCode({ address: USDC })) ?? '0x') !== '0x',
    ether: (address) => client.getBalance({ address: getAddress(address) }),
    usdc: (address) =>
      client.readContract({
        address: USDC,
        abi: TOKEN,
        functionName: 'balanceOf',
        args: [getAddress(address)],
      }),
    gasPrice: () => client.getGasPrice(),
  };
}

export function addressOfKey(key: Hex): string {
  return privateKeyToAccount(key).address;
}

/** Whether the letter case of an address is its checksum (EIP-55); `none` when it has a single case. */
export function checksumOf(address: string): 'valid' | 'wrong' | 'none' {
  const digits = address.slice(2);
  if (!isHex(address) || digits === digits.toLowerCase() || digits === digits.toUpperCase()) return 'none';
  return isAddress(address, { strict: true }) ? 'valid' : 'wrong';
}
