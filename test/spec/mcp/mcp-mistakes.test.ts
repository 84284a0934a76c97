import { describe, expect, it } from 'vitest';
import { useService } from '../../support/asking.ts';
import { sendRaw } from '../../support/running/raw-http.ts';
import type { Ask } from '../../support/running/running-service.ts';

const VERSION = 'io.modelcontextprotocol/protocolVersion';
const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';
const MODERN = '2026-07-28';

/** JSON may hold more levels than any function that calls itself survives. */
const DEEP: unknown = JSON.parse(`${'{"a":'.repeat(33)}1${'}'.repeat(33)}`);

function post(ask: Ask, message: object, headers: Readonly<Record<string, string>> = {}, from?: string) {
  return ask('/mcp', {
    ...(from === undefined ? {} : { from }),
    method: 'POST',
    body: JSON.stringify(message),
    headers: { host: 'assay.example.org', 'content-type': 'application/json', ...headers },
  });
}

/** With the envelope and the headers that a request of 2026-07-28 has. */
function postModern(ask: Ask, method: string, params: unknown) {
  const sent: Record<string, unknown> = { ...Object(params) };
  const name = sent['name'] ?? sent['uri'];
  const _meta = { [VERSION]: MODERN, [CAPABILITIES]: {} };
  return post(
    ask,
    { jsonrpc: '2.0', id: 1, method, params: { ...sent, _meta } },
    {
      'mcp-protocol-version': MODERN,
      'mcp-method': method,
      ...(typeof name === 'string' ? { 'mcp-name': name } : {}),
    },
  );
}

describe('an error of /mcp that was found before anything was done', () => {
  const { ask } = useService({});

  it.each<[why: string, method: string, params: object, headers: Record<string, string>, code: number]>([
    ['no envelope', 'server/discover', {}, { 'mcp-protocol-version': MODERN }, -32_602],
    [
      'an envelope without the version',
      'server/discover',
      { _meta: { [CAPABILITIES]: {} } },
      { 'mcp-protocol-version': MODERN },
      -32_602,
    ],
    [
      'an envelope without the capabilities',
      'server/discover',
      { _meta: { [VERSION]: MODERN } },
      { 'mcp-protocol-version': MODERN, 'mcp-method': 'server/discover' },
      -32_602,
    ],
    [
      'two versions',
      'server/discover',
      { _meta: { [VERSION]: MODERN, [CAPABILITIES]: {} } },
      { 'mcp-protocol-version': '2025-11-25', 'mcp-method': 'server/discover' },
      -32_020,
    ],
    ['a version that is none', 'ping', {}, { 'mcp-protocol-version': '1999-01-01' }, -32_000],
  ])('is under the id of its request: %s', async (_, method, params, headers, code) => {
    for (const id of [101, 'a-1']) {
      const { status, json } = await post(ask, { jsonrpc: '2.0', id, method, params }, headers);
      expect([status, json.error.code, json.id]).toEqual([400, code, id]);
    }
  });

  it.each<[why: string, message: object]>([
    ['an id that is an object', { jsonrpc: '2.0', id: {}, method: 'ping' }],
    ['an id with a fraction', { jsonrpc: '2.0', id: 1.5, method: 'ping' }],
    ['no method', { jsonrpc: '2.0', id: 1 }],
    [
      'one that is nested too deeply to be looked at',
      { jsonrpc: '2.0', id: 1, method: 'ping', params: DEEP },
    ],
  ])('is under no id where there is no request: %s', async (_, message) => {
    const { status, json } = await post(ask, message);
    expect([status, json.error.code, json.id]).toEqual([400, -32_600, null]);
  });
});

describe('params of /mcp that are none', () => {
  const service = useService({});
  const MISTAKES: readonly [why: string, method: string, params: unknown][] = [
    ['a cursor that is an object', 'tools/list', { cursor: {} }],
    ['a cursor that is null', 'resources/list', { cursor: null }],
    ['no prompt at all', 'prompts/get', undefined],
    ['a prompt with arguments in a list', 'prompts/get', { name: 'pick_service', arguments: [] }],
    ['a prompt with a number', 'prompts/get', { name: 'pick_service', arguments: { task: 1 } }],
    ['no address', 'resources/read', {}],
    ['an address that is a list', 'resources/read', { uri: [] }],
    ['nothing to complete', 'completion/complete', undefined],
    ['a reference of an unknown kind', 'completion/complete', { ref: { type: 'x' }, argument: {} }],
    ['a call of nothing', 'tools/call', {}],
    ['arguments in a list', 'tools/call', { name: 'lookup', arguments: [] }],
  ];

  it.each([
    ...MISTAKES,
    ['a handshake without a client', 'initialize', { protocolVersion: '2025-11-25', capabilities: {} }],
  ])('are the mistake of the caller: %s', async (_, method, params) => {
    const { status, json } = await post(service.ask, { jsonrpc: '2.0', id: 1, method, params });
    expect([status, json.id, json.error.code]).toEqual([200, 1, -32_602]);
    expect(json.error.message).toMatch(/^(Invalid params for [a-z/]+\.|Invalid tools\/call request)/);
    expect(service.faults).toEqual([]);
  });

  // Some are found before anything is asked, and others are an error in a good answer.
  it.each(MISTAKES)('are that in 2026-07-28 too: %s', async (_, method, params) => {
    const { status, json } = await postModern(service.ask, method, params);
    expect([200, 400]).toContain(status);
    expect([json.id, [-32_602, -32_020].includes(json.error.code)]).toEqual([1, true]);
    expect(service.faults).toEqual([]);
  });

  it('use up nothing of the day', async () => {
    const from = '198.51.100.77';
    const wrong: unknown[] = [
      { name: 'lookup', arguments: [] },
      { name: 'lookup', arguments: { tsak: 'weather' } },
      { name: 'lookup', arguments: { task: {} } },
      { name: 'lookup', arguments: { task: 5 } },
      { name: 'lookup', arguments: { task: 'weather', n: '3.5' } },
      { name: 'lookup', arguments: { task: 'weather', limit: -1 } },
      { name: 'lookup', arguments: { task: 'weather', constructor: 'x' } },
      { name: 'lookup', arguments: { task: 'weather', max_price: DEEP } },
    ];
    for (const params of wrong) {
      const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
      const { json } = await post(service.ask, message, {}, from);
      expect(json.error !== undefined || json.result.isError).toBe(true);
    }
    const { json } = await service.ask('/v1/lookup?task=weather', { from });
    expect(json.access.free_used_today).toBe(1);
  });
});

describe('a call of a tool without an id', () => {
  const service = useService({});

  it.each<[era: string, meta: Record<string, unknown>, headers: Record<string, string>]>([
    ['before 2026', {}, {}],
    [
      'in 2026-07-28',
      { [VERSION]: MODERN, [CAPABILITIES]: {} },
      { 'mcp-protocol-version': MODERN, 'mcp-method': 'tools/call', 'mcp-name': 'lookup' },
    ],
  ])('asks for no answer, so nothing is done and nothing used up: %s', async (era, meta, headers) => {
    const from = era === 'before 2026' ? '198.51.100.81' : '198.51.100.82';
    const params = { name: 'lookup', arguments: { task: 'weather' }, _meta: meta };
    const message = { jsonrpc: '2.0', method: 'tools/call', params };
    const { status, text } = await post(service.ask, message, headers, from);
    expect([status, text]).toEqual([202, '']);
    const { json } = await service.ask('/v1/lookup?task=weather', { from });
    expect(json.access.free_used_today).toBe(1);
  });
});

describe('bytes that are no text', () => {
  const service = useService({ door: 'socket' });
  const PING = '{"jsonrpc":"2.0","id":1,"method":"ping"}';

  it.each<[why: string, body: string, status: number, code: number | undefined]>([
    ['a message, to compare with', PING, 200, undefined],
    ['no UTF-8', `{"jsonrpc":"2.0","id":"\xff\xfe","method":"ping"}`, 400, -32_700],
    ['UTF-16', [...PING].map((one) => `${one}\0`).join(''), 400, -32_700],
    ['a zero at the end', `${PING}\0`, 400, -32_700],
    ['a compressed body', '\x1f\x8b\x08\0\0\0', 400, -32_700],
  ])('are answered in JSON-RPC: %s', async (_, body, status, code) => {
    const [answer] = await sendRaw(
      service.address ?? '',
      'POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nContent-Type: application/json\r\n',
      `Content-Length: ${body.length}\r\n\r\n${body}`,
    );
    const { jsonrpc, error } = JSON.parse(answer?.body ?? '');
    expect([answer?.status, jsonrpc, error?.code]).toEqual([status, '2.0', code]);
  });
});
