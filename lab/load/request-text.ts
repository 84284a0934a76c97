import { callerAddress } from '../world/callers.ts';

/** The path of a check of this URL. */
export const checkPath = (url: string, mode: 'live' | 'dry-run') =>
  `/v1/products/endpoint-spot-check?mode=${mode}&url=${encodeURIComponent(url)}`;

/** A plain request of that caller; `fields` are whole header lines. */
export function get(path: string, caller: number, fields = ''): string {
  return `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nx-forwarded-for: ${callerAddress(caller)}\r\n${fields}\r\n`;
}

/** A call of a tool of the MCP server. */
export function callTool(name: string, given: object, caller: number): string {
  const params = { name, arguments: given };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
  return [
    'POST /mcp HTTP/1.1',
    'host: 127.0.0.1',
    `x-forwarded-for: ${callerAddress(caller)}`,
    'content-type: application/json',
    'accept: application/json, text/event-stream',
    'mcp-protocol-version: 2025-11-25',
    `content-length: ${Buffer.byteLength(body)}`,
    '',
    body,
  ].join('\r\n');
}
