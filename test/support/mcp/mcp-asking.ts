import { expect } from 'vitest';
import type { Ask, Received, Sent } from '../running/running-service.ts';

export const MCP = '/mcp';
/** The app door has no host of its own. */
export const AT_HOME = { host: 'assay.example.org', 'content-type': 'application/json' };
export const MODERN = '2026-07-28';

/** POSTs whatever it is given. */
export function post(ask: Ask, body: unknown, sent: Sent = {}): Promise<Received> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return ask(MCP, { ...sent, method: 'POST', body: text, headers: { ...AT_HOME, ...sent.headers } });
}

export interface RpcOptions {
  readonly id?: unknown;
  readonly params?: unknown;
  readonly sent?: Sent;
}

/** A request as clients of the years before 2026-07-28 send it, without a handshake. */
export function rpc(ask: Ask, method: string, { id = 1, params, sent }: RpcOptions = {}): Promise<Received> {
  return post(ask, { jsonrpc: '2.0', id, method, ...(params === undefined ? {} : { params }) }, sent);
}

// biome-ignore lint/suspicious/noExplicitAny: a test looks at whatever a result holds.
export type Result = any;

export interface ToolCall {
  readonly arguments?: Readonly<Record<string, unknown>>;
  readonly meta?: Readonly<Record<string, unknown>>;
  readonly sent?: Sent;
}

/** Calls a tool, and expects a result whatever became of it. */
export async function callTool(
  ask: Ask,
  name: string,
  { arguments: given, meta, sent = {} }: ToolCall = {},
): Promise<Result> {
  const params = {
    name,
    ...(given === undefined ? {} : { arguments: given }),
    ...(meta === undefined ? {} : { _meta: meta }),
  };
  const { status, json } = await rpc(ask, 'tools/call', { params, sent });
  expect([status, json.id, json.error]).toEqual([200, 1, undefined]);
  return json.result;
}

/** The envelope that every request of 2026-07-28 carries. */
export function envelope() {
  return {
    'io.modelcontextprotocol/protocolVersion': MODERN,
    'io.modelcontextprotocol/clientInfo': { name: 'a-client', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': { extensions: {} },
  };
}

export interface ModernCall {
  readonly params?: Readonly<Record<string, unknown>>;
  readonly meta?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly from?: string;
}

/** A request of 2026-07-28 with the headers it has to have. */
export function modern(
  ask: Ask,
  method: string,
  { params = {}, meta = {}, headers = {}, from }: ModernCall = {},
): Promise<Received> {
  const name = params['name'] ?? params['uri'];
  const message = { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: { ...envelope(), ...meta } } };
  return post(ask, message, {
    ...(from === undefined ? {} : { from }),
    headers: {
      'mcp-protocol-version': MODERN,
      'mcp-method': method,
      ...(typeof name === 'string' ? { 'mcp-name': name } : {}),
      ...headers,
    },
  });
}
