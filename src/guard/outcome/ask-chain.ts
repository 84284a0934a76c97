import { isDatedAhead } from '../../core/is-dated-ahead.ts';
import type { Authorization } from '../../core/x402/payment-payload.ts';
import { withDeadline } from '../with-deadline.ts';
import { blocksBetween } from './blocks-between.ts';
import { type Block, blockAt, createNode, type Node, quantity } from './chain-node.ts';
import { endOfAuthorization } from './find-end.ts';

export interface ChainOptions {
  readonly rpcUrl: string;
  readonly fetch: typeof globalThis.fetch;
  readonly timeoutMs?: number;
  readonly now: () => Date;
}

export interface ChainQuestion {
  /** CAIP-2. Only EVM networks have such authorizations. */
  readonly network: string;
  /** The token contract. */
  readonly asset: string;
  readonly authorization: Pick<Authorization, 'from' | 'nonce' | 'validBefore'>;
  /** It was not signed before this. */
  readonly since: Date;
}

export type ChainAnswer =
  /** The money moved. The transaction is null when the node did not show it. */
  | { readonly kind: 'used'; readonly transaction: string | null }
  /** `final`: it can no longer be used, because it expired or the payer cancelled it. Otherwise it may be used yet. */
  | { readonly kind: 'not_used'; readonly final: boolean }
  | { readonly kind: 'other_chain' }
  /** The node gave no answer that can be relied on. */
  | { readonly kind: 'unknown' };

const TIMEOUT_MS = 10_000;
const EVM_NETWORK = /^eip155:([1-9][0-9]{0,15})$/;
const ADDRESS = /^0x[0-9a-fA-F]{40}$/;
const WORD = /^0x[0-9a-fA-F]{64}$/;

/** Whether an EIP-3009 authorization was used, as the token contract says. Never rejects. */
export async function askChain(options: ChainOptions, question: ChainQuestion): Promise<ChainAnswer> {
  const chainId = EVM_NETWORK.exec(question.network)?.[1];
  if (chainId === undefined || !isAskable(question)) return { kind: 'unknown' };
  const answer = await withDeadline(options.timeoutMs ?? TIMEOUT_MS, (signal) =>
    ask({ ...question, chainId: BigInt(chainId), node: createNode({ ...options, signal }) }, options.now),
  );
  return answer === 'timed_out' ? { kind: 'unknown' } : answer;
}

function isAskable({ asset, authorization: { from, nonce } }: ChainQuestion): boolean {
  return ADDRESS.test(asset) && ADDRESS.test(from) && WORD.test(nonce);
}

interface Asking extends ChainQuestion {
  readonly chainId: bigint;
  readonly node: Node;
}

async function ask(asking: Asking, now: () => Date): Promise<ChainAnswer> {
  const { node, chainId, authorization } = asking;
  const id = quantity(await node('eth_chainId', []));
  if (id === null) return { kind: 'unknown' };
  if (id !== chainId) return { kind: 'other_chain' };
  const latest = await blockAt(node, 'latest');
  // A block from the future would make a payment look expired that can still be settled.
  if (latest === null || isDatedAhead(latest.timestamp * 1_000, now())) {
    return { kind: 'unknown' };
  }
  const used = await stateAt(asking, latest);
  if (used === null) return { kind: 'unknown' };
  if (used) return usedOrCancelled(asking, latest);
  return { kind: 'not_used', final: BigInt(latest.timestamp) >= authorization.validBefore };
}

/** authorizationState(address,bytes32) */
const AUTHORIZATION_STATE = '0xe94a0102';
const NO = `0x${'0'.repeat(64)}`;
const YES = `0x${'0'.repeat(63)}1`;

/** At this very block: behind one address there may be several nodes, and another one may be behind. */
async function stateAt({ node, asset, authorization }: Asking, { number }: Block): Promise<boolean | null> {
  const { from, nonce } = authorization;
  const data = `${AUTHORIZATION_STATE}${from.slice(2).padStart(64, '0')}${nonce.slice(2)}`.toLowerCase();
  const result = await node('eth_call', [{ to: asset, data }, `0x${number.toString(16)}`]);
  if (result === YES) return true;
  return result === NO ? false : null;
}

/** The contract counts a cancelled authorization as used; only its log tells the difference. */
async function usedOrCancelled(asking: Asking, latest: Block): Promise<ChainAnswer> {
  const { node, asset, authorization, since } = asking;
  const until = Number(authorization.validBefore);
  const range = await blocksBetween(node, latest, { since: Math.floor(since.getTime() / 1_000), until });
  const end = range === null ? null : await endOfAuthorization(node, { asset, authorization, range });
  if (end?.kind === 'cancelled') return { kind: 'not_used', final: true };
  return { kind: 'used', transaction: end?.transaction ?? null };
}
