import type { Authorization } from '../../core/x402/payment-payload.ts';
import { isJsonObject, member, textMember } from '../../core/x402/read-json.ts';
import type { BlockRange } from './blocks-between.ts';
import type { Node } from './chain-node.ts';

/** How an authorization ended. */
export interface AuthorizationEnd {
  readonly kind: 'used' | 'cancelled';
  readonly transaction: string;
}

export interface Searched {
  readonly asset: string;
  readonly authorization: Pick<Authorization, 'from' | 'nonce'>;
  readonly range: BlockRange;
}

/** AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce) */
const USED = '0x98de503528ee59b575ef0c0a2576a82497bfc029a5685b209e9ec333479b10a5';
/** AuthorizationCanceled(address indexed authorizer, bytes32 indexed nonce) */
const CANCELLED = '0x1cdd46ff242716cdaa72d159d339a485b3438398348d68f09d7c8c0a59353d81';

const HASH = /^0x[0-9a-fA-F]{64}$/;
const TOPIC = /^0x[0-9a-f]{64}$/;

/** Null when the node refuses or has no such log. A token writes at most one for each nonce. */
export async function endOfAuthorization(
  node: Node,
  { asset, authorization: { from, nonce }, range }: Searched,
): Promise<AuthorizationEnd | null> {
  const authorizer = `0x${from.slice(2).toLowerCase().padStart(64, '0')}`;
  const filter = {
    address: asset,
    topics: [[USED, CANCELLED], authorizer, nonce.toLowerCase()],
    fromBlock: `0x${range.from.toString(16)}`,
    toBlock: `0x${range.to.toString(16)}`,
  };
  const logs = await node('eth_getLogs', [filter]);
  const log: unknown = Array.isArray(logs) && logs.length === 1 ? logs[0] : null;
  // A node that ignores the filter shows logs of somebody else.
  if (!isJsonObject(log) || member(log, 'removed') === true) return null;
  const [event, ...rest] = topicsOf(member(log, 'topics'));
  if (!isSameText(member(log, 'address'), asset)) return null;
  if (rest.join() !== [authorizer, nonce.toLowerCase()].join()) return null;
  const transaction = textMember(log, 'transactionHash', HASH)?.toLowerCase() ?? null;
  if (transaction === null || (event !== USED && event !== CANCELLED)) return null;
  return { kind: event === USED ? 'used' : 'cancelled', transaction };
}

function topicsOf(topics: unknown): readonly string[] {
  if (!Array.isArray(topics) || topics.length !== 3) return [];
  return topics.map((topic: unknown) => (typeof topic === 'string' && TOPIC.test(topic) ? topic : ''));
}

function isSameText(left: unknown, right: string): boolean {
  return typeof left === 'string' && left.toLowerCase() === right.toLowerCase();
}
