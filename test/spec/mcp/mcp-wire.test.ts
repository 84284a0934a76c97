import { describe, expect, it } from 'vitest';
import { useService } from '../../support/asking.ts';
import { AT_HOME, MCP, MODERN, post, rpc } from '../../support/mcp/mcp-asking.ts';
import { BOTH_DOORS, type Sent } from '../../support/running/running-service.ts';

const PING = { jsonrpc: '2.0', id: 1, method: 'ping' };
const LIST = { jsonrpc: '2.0', id: 7, method: 'tools/list' };

describe.each(BOTH_DOORS)('POST /mcp through the %s', (door) => {
  const service = useService({ door });

  it.each<[why: string, body: unknown, status: number, code: number]>([
    ['no JSON', '{', 400, -32_700],
    ['nothing at all', '', 400, -32_700],
    [
      'an argument that is sent twice',
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"lookup","arguments":{"task":"a","task":"b"}}}',
      400,
      -32_600,
    ],
    ['JSON that is no message', '5', 400, -32_600],
    ['an object that is no message', {}, 400, -32_600],
    ['another JSON-RPC', { jsonrpc: '1.0', id: 1, method: 'ping' }, 400, -32_600],
    ['an id that is an object', { jsonrpc: '2.0', id: {}, method: 'ping' }, 400, -32_600],
    ['an empty batch', [], 400, -32_600],
    ['a batch of eleven', Array.from({ length: 11 }, () => PING), 400, -32_600],
  ])('a JSON-RPC error with the right status: %s', async (_, body, status, code) => {
    const answer = await post(service.ask, body);
    expect([answer.status, answer.json.jsonrpc, answer.json.error.code, answer.json.id]).toEqual([
      status,
      '2.0',
      code,
      null,
    ]);
    expect(answer.header('content-type')).toBe('application/json; charset=utf-8');
    expect(answer.header('cache-control')).toBe('no-store');
  });

  it.each<[why: string, sent: Sent, status: number]>([
    ['another content type', { headers: { 'content-type': 'text/plain' } }, 415],
    [
      'a body of more than 64 kB',
      { body: JSON.stringify({ ...PING, params: { x: 'x'.repeat(65_536) } }) },
      413,
    ],
    ['a page of a stranger', { headers: { origin: 'https://evil.example.com' } }, 403],
    ['a name that is not ours', { headers: { host: 'evil.example.com' } }, 403],
    ['an origin that is none', { headers: { origin: 'null' } }, 403],
  ])(
    'refused before anything is read: %s',
    async (_, { headers = {}, body = JSON.stringify(PING) }, status) => {
      const answer = await service.ask(MCP, { method: 'POST', body, headers: { ...AT_HOME, ...headers } });
      expect([answer.status, answer.json.error.code]).toEqual([status, -32_000]);
    },
  );

  it.each([
    ['our own pages', 'https://assay.example.org'],
    ['our own pages at another address', 'https://alt.example.org'],
  ])('answers %s', async (_, origin) => {
    expect((await post(service.ask, PING, { headers: { origin } })).status).toBe(200);
  });

  it.each(['GET', 'DELETE', 'PUT', 'PATCH'])('%s: there are no streams and no sessions', async (method) => {
    const answer = await service.ask(MCP, { method, headers: AT_HOME });
    expect([answer.status, answer.header('allow'), answer.json.error.code]).toEqual([
      405,
      'POST, OPTIONS',
      -32_000,
    ]);
  });

  it('OPTIONS: a browser may send what a client of today sends', async () => {
    const answer = await service.ask(MCP, { method: 'OPTIONS', headers: { origin: 'https://a.example' } });
    expect(answer.status).toBe(204);
    const allowed = answer.header('access-control-allow-headers')?.toLowerCase().split(', ');
    for (const name of [
      'mcp-protocol-version',
      'mcp-method',
      'mcp-name',
      'content-type',
      'payment-signature',
    ]) {
      expect(allowed).toContain(name);
    }
  });

  it.each([
    ['none', undefined],
    ['anything', '*/*'],
    ['JSON', 'application/json'],
    ['a stream', 'text/event-stream'],
    ['both, as clients should', 'application/json, text/event-stream'],
  ])('answers in JSON, whatever is accepted: %s', async (_, accept) => {
    const answer = await post(service.ask, LIST, { headers: accept === undefined ? {} : { accept } });
    expect([answer.status, answer.header('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
  });

  it.each<[why: string, body: unknown]>([
    ['a notification', { jsonrpc: '2.0', method: 'notifications/initialized' }],
    ['an answer that nobody asked for', { jsonrpc: '2.0', id: 1, result: {} }],
    [
      'a call back of something',
      { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } },
    ],
    ['a batch of such', [{ jsonrpc: '2.0', method: 'notifications/initialized' }]],
  ])('202 and nothing else: %s', async (_, body) => {
    const answer = await post(service.ask, body);
    expect([answer.status, answer.text]).toEqual([202, '']);
  });

  it.each(['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'])('shakes hands in %s', async (version) => {
    const params = { protocolVersion: version, capabilities: {}, clientInfo: { name: 'a', version: '1' } };
    const { json } = await rpc(service.ask, 'initialize', { params });
    expect(json.result).toMatchObject({
      protocolVersion: version,
      serverInfo: { name: 'assay', version: '0.16.1' },
      capabilities: { tools: { listChanged: false } },
      instructions: expect.stringContaining('endpoint_spot_check'),
    });
  });

  it('shakes hands in 2025-11-25 with whoever asks for a revision without handshakes', async () => {
    const params = { protocolVersion: MODERN, capabilities: {}, clientInfo: { name: 'a', version: '1' } };
    const { json } = await rpc(service.ask, 'initialize', { params });
    expect(json.result.protocolVersion).toBe('2025-11-25');
  });

  it('needs no handshake', async () => {
    const { json } = await rpc(service.ask, 'tools/list', { id: 'seven' });
    expect([json.id, json.result.tools.length]).toEqual(['seven', 6]);
  });

  it.each<[why: string, method: string, params: unknown, code: number]>([
    ['a method that is none', 'tools/destroy', undefined, -32_601],
    ['a tool that is none', 'tools/call', { name: 'destroy' }, -32_602],
    ['a call of nothing', 'tools/call', {}, -32_602],
    ['a prompt that is none', 'prompts/get', { name: 'destroy' }, -32_602],
    ['a prompt without its argument', 'prompts/get', { name: 'check_before_paying' }, -32_602],
    ['a resource that is none', 'resources/read', { uri: 'assay://secrets' }, -32_602],
    ['a receipt that is none', 'resources/read', { uri: 'assay://receipts/sc-0000000000000000' }, -32_602],
    ['a way out of the receipts', 'resources/read', { uri: 'assay://receipts/../tasks' }, -32_602],
  ])('200 with an error: %s', async (_, method, params, code) => {
    const { status, json } = await rpc(service.ask, method, { params });
    expect([status, json.id, json.error?.code]).toEqual([200, 1, code]);
  });

  it('refuses a revision that nobody has heard of, and says which there are', async () => {
    const headers = { 'mcp-protocol-version': '1999-01-01' };
    const { status, json } = await post(service.ask, LIST, { headers });
    expect([status, json.error.code]).toEqual([400, -32_000]);
    expect(json.error.message).toContain('2025-11-25');
  });

  it('answers a batch with a batch: what needs an answer, each under its id', async () => {
    const broken = { jsonrpc: '2.0', id: 3, method: 'nope' };
    const { status, json } = await post(service.ask, [
      PING,
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      broken,
      { ...LIST, id: 'b' },
    ]);
    expect(status).toBe(200);
    const told = json.map((one: { id: unknown; error?: { code: number } }) => [one.id, one.error?.code]);
    expect(told).toEqual([
      [1, undefined],
      [3, -32_601],
      ['b', undefined],
    ]);
  });

  it('keeps callers with the same id apart', async () => {
    const asked = ['search_catalog', 'get_service'].map((name) =>
      rpc(service.ask, 'tools/call', { id: 1, params: { name, arguments: { id: 'x' } } }),
    );
    const [search, one] = await Promise.all(asked);
    // Each is told what is wrong with its own question.
    expect(search?.json.result.structuredContent.field).toBe('arguments');
    expect(one?.json.result.structuredContent.code).toBe('not_found');
  });
});
