import { isJsonObject, member } from '../../core/x402/read-json.ts';
import { postJson } from '../http-client/post-json.ts';

const ANSWER_MAX_BYTES = 16_384;

/** The chain id of a node; null without an answer in time. */
export async function chainIdOf(rpcUrl: string, timeoutMs = 3_000): Promise<number | null> {
  const posted = await postJson({
    url: rpcUrl,
    headers: {},
    body: { jsonrpc: '2.0', id: 1, method: 'eth_chainId', params: [] },
    timeoutMs,
    maxBytes: ANSWER_MAX_BYTES,
  });
  const json = posted.kind === 'answered' ? posted.json : null;
  const result = isJsonObject(json) ? member(json, 'result') : null;
  return typeof result === 'string' && /^0x[0-9a-fA-F]{1,8}$/.test(result) ? Number(result) : null;
}
