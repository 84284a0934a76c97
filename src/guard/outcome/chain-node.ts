import { isJsonObject, member } from '../../core/x402/read-json.ts';
import { fetchJson } from '../fetch-json.ts';

/** One JSON-RPC call. Undefined when the node refuses it or gives no sound answer. */
export type Node = (method: string, params: readonly unknown[]) => Promise<unknown>;

export interface NodeOptions {
  readonly rpcUrl: string;
  readonly fetch: typeof globalThis.fetch;
  readonly signal: AbortSignal;
}

/** A block lists the hashes of its transactions, which can be thousands. */
const ANSWER_MAX_BYTES = 1_048_576;

export function createNode({ rpcUrl, fetch, signal }: NodeOptions): Node {
  let id = 0;
  return async (method, params) => {
    id += 1;
    const sent = id;
    const answer = await fetchJson({ fetch, maxBytes: ANSWER_MAX_BYTES, signal }, rpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: sent, method, params }),
    });
    if (answer.kind !== 'answer' || answer.status !== 200 || !isJsonObject(answer.json)) return undefined;
    const { json } = answer;
    const failed = member(json, 'error') !== undefined && member(json, 'error') !== null;
    return failed || member(json, 'id') !== sent ? undefined : member(json, 'result');
  };
}

export interface Block {
  readonly number: number;
  /** Unix seconds. */
  readonly timestamp: number;
}

export async function blockAt(node: Node, at: number | 'latest'): Promise<Block | null> {
  const tag = at === 'latest' ? at : `0x${at.toString(16)}`;
  const block = await node('eth_getBlockByNumber', [tag, false]);
  if (!isJsonObject(block)) return null;
  const number = quantity(member(block, 'number'));
  const timestamp = quantity(member(block, 'timestamp'));
  if (number === null || timestamp === null || (at !== 'latest' && number !== BigInt(at))) return null;
  return { number: Number(number), timestamp: Number(timestamp) };
}

// Twelve digits are more than any chain id, height or time, and a double holds them exactly.
const QUANTITY = /^0x(?:0|[1-9a-f][0-9a-f]{0,11})$/;

/** A number as nodes write it. */
export function quantity(value: unknown): bigint | null {
  return typeof value === 'string' && QUANTITY.test(value) ? BigInt(value) : null;
}
