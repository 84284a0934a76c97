import { decodeErrorResult, isHex, parseAbi } from 'viem';
import { isJsonObject, type JsonObject, member, parseJson } from '../../core/x402/read-json.ts';
import type { EvmProvider } from './evm-binding.ts';

const BATCH_MAX = 100;
/** This EVM aborts the process when it mines many OP blocks at once; `evm_mine` mines one. */
const FATAL: ReadonlySet<string> = new Set(['hardhat_mine']);
const REASON = parseAbi(['error Error(string reason)']);

/** Answers a JSON-RPC request or batch, with the errors of a Base node. */
export async function answerJsonRpc(provider: EvmProvider, text: string): Promise<string> {
  const request = parseJson(text);
  if (!Array.isArray(request)) return JSON.stringify(await answerOne(provider, request));
  if (request.length === 0 || request.length > BATCH_MAX) {
    return JSON.stringify(fault(null, -32_600, `a batch has 1 to ${BATCH_MAX} requests`));
  }
  return JSON.stringify(await Promise.all(request.map((one) => answerOne(provider, one))));
}

async function answerOne(provider: EvmProvider, request: unknown): Promise<JsonObject> {
  if (!isJsonObject(request)) return fault(null, -32_700, 'not a JSON-RPC request');
  const id = member(request, 'id') ?? null;
  const method = member(request, 'method');
  if (typeof method !== 'string') return fault(id, -32_600, 'a request has a method');
  if (FATAL.has(method)) return fault(id, -32_601, `the method ${method} is not available`);
  const params = member(request, 'params') ?? [];
  // This EVM neither needs nor returns the id.
  const { data } = await provider.handleRequest(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }));
  const answer = typeof data === 'string' ? parseJson(data) : data;
  if (!isJsonObject(answer)) return fault(id, -32_603, 'the EVM gave no answer');
  const error = member(answer, 'error');
  return error === undefined
    ? { jsonrpc: '2.0', id, result: member(answer, 'result') ?? null }
    : { jsonrpc: '2.0', id, error: nodeError(error) };
}

/** A revert is code 3 with its data, as from Base nodes; other errors are unchanged. */
function nodeError(error: unknown): unknown {
  const data = isJsonObject(error) ? member(error, 'data') : undefined;
  const reverted = isJsonObject(data) ? member(data, 'data') : undefined;
  if (!isHex(reverted)) return error;
  const reason = reasonOf(reverted);
  const message = reason === null ? 'execution reverted' : `execution reverted: ${reason}`;
  return { code: 3, message, data: reverted };
}

function reasonOf(data: `0x${string}`): string | null {
  try {
    return decodeErrorResult({ abi: REASON, data }).args[0];
  } catch {
    return null;
  }
}

function fault(id: unknown, code: number, message: string): JsonObject {
  return { jsonrpc: '2.0', id, error: { code, message } };
}
