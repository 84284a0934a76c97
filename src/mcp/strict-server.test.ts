import { readFileSync } from 'node:fs';
import { type JSONRPCMessage, Server, type Transport } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';
import type { Ask } from '../wire/mcp/mcp-port.ts';
import { createAnswerMcp } from './answer-mcp.ts';
import { StrictServer } from './strict-server.ts';

const MODERN = '2026-07-28';
const ENVELOPE = {
  'io.modelcontextprotocol/protocolVersion': MODERN,
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** What a client is told, and what is noted here, when the routes behind the tools behave like this. */
async function tell(ask: Ask, era: string, method: string, params: Readonly<Record<string, unknown>>) {
  const faults: unknown[] = [];
  const headers = new Map<string, unknown>([
    ['mcp-protocol-version', MODERN],
    ['mcp-method', method],
    ['mcp-name', params['name'] ?? params['uri']],
  ]);
  const header = (name: string) => {
    const value = era === MODERN ? headers.get(name) : undefined;
    return typeof value === 'string' ? value : null;
  };
  const sent = era === MODERN ? { ...params, _meta: ENVELOPE } : params;
  const body = { jsonrpc: '2.0', id: 1, method, params: sent };
  const answer = await createAnswerMcp(
    (fault) => faults.push(fault),
    true,
  )({
    body,
    base: 'http://a',
    header,
    ask,
  });
  return { message: JSON.parse(answer.body ?? 'null'), faults };
}

const ASKING: readonly [method: string, params: Readonly<Record<string, unknown>>][] = [
  ['tools/call', { name: 'lookup', arguments: { task: 'weather' } }],
  ['resources/read', { uri: 'assay://tasks' }],
  [
    'completion/complete',
    { ref: { type: 'ref/prompt', name: 'pick_service' }, argument: { name: 'task', value: 'w' } },
  ],
];

describe.each(['2025-11-25', MODERN])('a bug of ours in %s', (era) => {
  it.each(ASKING)('%s: is noted, and the caller sees nothing of it', async (method, params) => {
    const bug = new Error('a secret of the store');
    const ask: Ask = async () => {
      throw bug;
    };
    const { message, faults } = await tell(ask, era, method, params);
    expect([message.id, message.error.code, faults]).toEqual([1, -32_603, [bug]]);
    expect(JSON.stringify(message)).not.toContain('secret');
  });

  it.each(ASKING.slice(1))('%s: a route that cannot answer is no bug', async (method, params) => {
    const ask: Ask = async () => ({
      status: 503,
      text: '{"detail":"busy"}',
      paymentResponse: null,
      retryAfterSeconds: 5,
    });
    const { message, faults } = await tell(ask, era, method, params);
    const error = { code: -32_603, message: 'The service is unavailable.', data: { retry_after_seconds: 5 } };
    expect([message.error, faults]).toEqual([error, []]);
  });
});

/** What a server says to `resources/read` without its `uri`. */
function invalidParams(server: Server): Promise<JSONRPCMessage> {
  server.setRequestHandler('resources/read', () => ({ contents: [] }));
  return new Promise((resolve, reject) => {
    const transport: Transport = {
      async start() {},
      async close() {},
      send: async (message) => resolve(message),
    };
    server.connect(transport).then(() => {
      transport.onmessage?.({ jsonrpc: '2.0', id: 1, method: 'resources/read', params: {} });
    }, reject);
  });
}

describe('the hook of the SDK that turns schema errors into invalid params', () => {
  const [info, options] = [{ name: 'a', version: '1' }, { capabilities: { resources: {} } }] as const;

  it('is known to work with this version: after an upgrade, read the SDK and the two cases below again', () => {
    const url = new URL('../package.json', import.meta.resolve('@modelcontextprotocol/server'));
    expect(JSON.parse(readFileSync(url, 'utf8')).version).toBe('2.4.0');
  });

  it('is still needed: without it the caller gets an internal error with the schema in it', async () => {
    expect(await invalidParams(new Server(info, options))).toMatchObject({
      error: { code: -32_603, message: expect.stringContaining('invalid_type') },
    });
  });

  it('is called for every handler', async () => {
    expect(await invalidParams(new StrictServer(info, options))).toMatchObject({
      error: { code: -32_602, message: 'Invalid params for resources/read.' },
    });
  });
});
