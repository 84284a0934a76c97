import {
  encodeEventTopics,
  getAddress,
  type Hex,
  isHex,
  numberToHex,
  type PublicClient,
  pad,
  parseAbi,
  parseEventLogs,
  type RpcLog,
} from 'viem';
import { isSameAddress } from '../../core/x402/address.ts';
import type { Authorization } from '../../core/x402/payment-payload.ts';
import type { AuthorizationLog, AuthorizationUse } from '../../ports/facilitator.ts';
import { createBaseClient, type NodeOptions, USDC } from './base-chain.ts';

export interface AuthorizationLogOptions extends NodeOptions {
  /** Blocks per query; nodes refuse long ranges. */
  readonly blocksPerQuery?: bigint;
  /** How far back a use is searched: a day of Base, as long as answers are kept. */
  readonly lookbackBlocks?: bigint;
}

const TOKEN = parseAbi([
  'function authorizationState(address authorizer, bytes32 nonce) view returns (bool)',
  'event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)',
  'event AuthorizationCanceled(address indexed authorizer, bytes32 indexed nonce)',
  'event Transfer(address indexed from, address indexed to, uint256 value)',
]);
const [USED] = encodeEventTopics({ abi: TOKEN, eventName: 'AuthorizationUsed' });
const [CANCELED] = encodeEventTopics({ abi: TOKEN, eventName: 'AuthorizationCanceled' });

/** The on-chain state of an authorization of USDC on Base. */
export function createAuthorizationLog(options: AuthorizationLogOptions): AuthorizationLog {
  const client = createBaseClient(options);
  return {
    async useOf(authorization) {
      try {
        return await readUse(client, authorization, options);
      } catch {
        return { kind: 'unavailable' };
      }
    },
  };
}

async function readUse(
  client: PublicClient,
  authorization: Authorization,
  { blocksPerQuery = 2_000n, lookbackBlocks = 43_200n }: AuthorizationLogOptions,
): Promise<AuthorizationUse> {
  const authorizer = getAddress(authorization.from);
  const nonce = hex(authorization.nonce);
  const [isSpent, block] = await Promise.all([
    client.readContract({
      address: USDC,
      abi: TOKEN,
      functionName: 'authorizationState',
      args: [authorizer, nonce],
    }),
    client.getBlock(),
  ]);
  const { number: head } = block;
  // By block time: a node that fell behind does not know later blocks.
  if (!isSpent) return { kind: 'unused', asOf: new Date(Number(block.timestamp) * 1_000) };
  const oldest = head > lookbackBlocks ? head - lookbackBlocks : 0n;
  for (let end = head; end >= oldest; end -= blocksPerQuery) {
    const start = end - blocksPerQuery + 1n;
    const [log] = await client.request({
      method: 'eth_getLogs',
      params: [
        {
          address: USDC,
          topics: [[USED, CANCELED], pad(authorizer), nonce],
          fromBlock: numberToHex(start > oldest ? start : oldest),
          // One node of several may be a block ahead of the one that told us the head.
          toBlock: end === head ? 'latest' : numberToHex(end),
        },
      ],
    });
    if (log !== undefined) return readLog(client, authorization, log);
  }
  // Spent, but before the searched range.
  return { kind: 'unavailable' };
}

/**
 * A nonce can be signed twice, for us and for somebody else: only the transfer says what was paid. The token logs it right after
 * the use, which distinguishes it from other transfers in the same transaction.
 */
async function readLog(
  client: PublicClient,
  { from, to, value }: Authorization,
  { topics, transactionHash, logIndex }: RpcLog,
): Promise<AuthorizationUse> {
  if (topics[0] === CANCELED) return { kind: 'void' };
  if (transactionHash === null || logIndex === null) return { kind: 'unavailable' };
  const { logs } = await client.getTransactionReceipt({ hash: transactionHash });
  const paid = parseEventLogs({ abi: TOKEN, eventName: 'Transfer', logs }).some(
    (log) =>
      log.logIndex === Number(logIndex) + 1 &&
      isSameAddress(log.address, USDC) &&
      isSameAddress(log.args.from, from) &&
      isSameAddress(log.args.to, to) &&
      log.args.value === value,
  );
  return paid ? { kind: 'used', tx: transactionHash } : { kind: 'void' };
}

function hex(text: string): Hex {
  if (!isHex(text)) throw new Error('a nonce is hexadecimal');
  return text;
}
