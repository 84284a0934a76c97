import {
  encodeEventTopics,
  encodeFunctionData,
  type Hex,
  isHex,
  numberToHex,
  pad,
  parseAbi,
  parseEventLogs,
  parseSignature,
  type RpcLog,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll } from 'vitest';
import { createBaseClient } from '../../../src/adapters/facilitator/base-chain.ts';
import { createSerialSender } from '../../../src/adapters/facilitator/serial-sender.ts';
import type { SandboxAccount } from '../../../src/sandbox/chain/funded-accounts.ts';
import { type LocalChain, startLocalChain } from '../../../src/sandbox/chain/local-chain.ts';
import { type SignedAuthorization, USDC } from '../../../tools/signed-payment.ts';
import { balanceOf } from './chain-reading.ts';

const TOKEN = parseAbi([
  'event Transfer(address indexed from, address indexed to, uint256 value)',
  'function transfer(address, uint256)',
  'function transferWithAuthorization(address, address, uint256, uint256, uint256, bytes32, bytes)',
  'function cancelAuthorization(address, bytes32, uint8, bytes32, bytes32)',
]);
const [TRANSFER] = encodeEventTopics({ abi: TOKEN, eventName: 'Transfer' });

/** One chain for all tests of a file; a process may make only one EVM. */
export async function chainOfTheFile(): Promise<LocalChain> {
  const chain = await startLocalChain();
  afterAll(() => chain.stop());
  return chain;
}

export interface Transfer {
  readonly from: string;
  readonly value: bigint;
  readonly tx: string;
}

/** Every transfer that reached the wallet of the service, in order. */
export async function takings({ ask, accounts }: LocalChain): Promise<readonly Transfer[]> {
  const topics = [TRANSFER, null, pad(accounts.seller.address)];
  const filter = { address: USDC, topics, fromBlock: numberToHex(0n), toBlock: 'latest' };
  // eth_getLogs answers a list of logs, or `ask` throws.
  const logs = (await ask('eth_getLogs', [filter])) as RpcLog[];
  return parseEventLogs({ abi: TOKEN, eventName: 'Transfer', logs }).map(({ args, transactionHash }) => ({
    from: args.from,
    value: args.value,
    tx: transactionHash ?? '',
  }));
}

/** What reached the wallet while this was done. */
export async function takingsOf<T>(
  chain: LocalChain,
  work: () => Promise<T>,
): Promise<{ readonly result: T; readonly taken: readonly Transfer[] }> {
  const before = (await takings(chain)).length;
  const result = await work();
  return { result, taken: (await takings(chain)).slice(before) };
}

/** The nth buyer of the sandbox. */
export function buyerOf({ accounts }: LocalChain, index = 0): SandboxAccount {
  const buyer = accounts.buyers[index];
  if (buyer === undefined) throw new Error('there are not that many buyers');
  return buyer;
}

async function send({ rpcUrl }: LocalChain, sender: SandboxAccount, data: Hex): Promise<Hex> {
  const client = createBaseClient({ rpcUrl });
  return createSerialSender(client, privateKeyToAccount(sender.key)).send({ to: USDC, data });
}

/** Moves money of the buyer elsewhere, until so much is left. */
export async function drain(chain: LocalChain, buyer: SandboxAccount, left = 0n): Promise<void> {
  const rest = (await balanceOf(chain, buyer.address)) - left;
  const args = [chain.accounts.minter.address, rest] as const;
  await send(chain, buyer, encodeFunctionData({ abi: TOKEN, functionName: 'transfer', args }));
}

/** The buyer takes an authorization back, as EIP-3009 allows. */
export async function cancel(
  chain: LocalChain,
  buyer: SandboxAccount,
  { authorization: { from, nonce } }: SignedAuthorization,
): Promise<void> {
  const signature = await privateKeyToAccount(buyer.key).signTypedData({
    domain: { name: 'USD Coin', version: '2', chainId: 8_453, verifyingContract: USDC },
    primaryType: 'CancelAuthorization',
    types: {
      CancelAuthorization: [
        { name: 'authorizer', type: 'address' },
        { name: 'nonce', type: 'bytes32' },
      ],
    },
    message: { authorizer: from, nonce },
  });
  const { v, r, s } = parseSignature(signature);
  const args = [from, nonce, Number(v), r, s] as const;
  await send(chain, buyer, encodeFunctionData({ abi: TOKEN, functionName: 'cancelAuthorization', args }));
}

/** Somebody else brings the authorization to the chain; answers the transaction. */
export function bringIn(
  chain: LocalChain,
  sender: SandboxAccount,
  { authorization, signature }: SignedAuthorization,
): Promise<Hex> {
  const { from, to, value, validAfter, validBefore, nonce } = authorization;
  if (!isHex(signature)) throw new Error('a signature is hexadecimal');
  const args = [from, to, value, validAfter, validBefore, nonce, signature] as const;
  return send(
    chain,
    sender,
    encodeFunctionData({ abi: TOKEN, functionName: 'transferWithAuthorization', args }),
  );
}
