import type { McpAnswer } from './mcp-port.ts';

export const PARSE_ERROR = -32_700;
export const INVALID_REQUEST = -32_600;
export const METHOD_NOT_FOUND = -32_601;
/** For errors with an HTTP status but no JSON-RPC code. */
export const UNSPECIFIED = -32_000;

interface Details {
  readonly id?: string | number | null;
  readonly data?: unknown;
}

export function rpcError(
  status: number,
  code: number,
  message: string,
  { id = null, data }: Details = {},
): McpAnswer {
  const error = { code, message, ...(data === undefined ? {} : { data }) };
  return { status, body: JSON.stringify({ jsonrpc: '2.0', error, id }) };
}
