import * as z from 'zod';
import type { Reference } from '../../core/known-answer/known-answer-test.ts';
import { postJson } from '../http-client/post-json.ts';
import { decodeReturn } from './decode-return.ts';

type EthCall = Extract<Reference, { readonly kind: 'eth_call' }>;

const MAX_BYTES = 65_536;
const answer = z.object({ result: z.string() });

/** The result of a contract call at the latest block; null when the node, the contract or the type does not fit. */
export async function ethCall(
  { to, data, returns, decimals }: EthCall,
  { rpcUrl, timeoutMs }: { readonly rpcUrl: string; readonly timeoutMs: number },
): Promise<string | boolean | null> {
  const posted = await postJson({
    url: rpcUrl,
    headers: {},
    body: { jsonrpc: '2.0', id: 1, method: 'eth_call', params: [{ to, data }, 'latest'] },
    timeoutMs,
    maxBytes: MAX_BYTES,
  });
  if (posted.kind === 'failed' || posted.status !== 200) return null;
  const read = answer.safeParse(posted.json);
  return read.success ? decodeReturn(read.data.result, returns, decimals) : null;
}
