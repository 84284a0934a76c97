import { describe, expect, it } from 'vitest';
import { useService } from '../support/asking.ts';

const VERSION = 'io.modelcontextprotocol/protocolVersion';
const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';

describe('an error of /mcp that was found before anything was done', () => {
  const { ask } = useService({});

  const post = (message: object, headers: Readonly<Record<string, string>>) =>
    ask('/mcp', {
      method: 'POST',
      body: JSON.stringify(message),
      headers: { host: 'assay.example.org', 'content-type': 'application/json', ...headers },
    });

  it.each<[why: string, method: string, params: object, headers: Record<string, string>, code: number]>([
    ['no envelope', 'server/discover', {}, { 'mcp-protocol-version': '2026-07-28' }, -32_602],
    [
      'an envelope without the version',
      'server/discover',
      { _meta: { [CAPABILITIES]: {} } },
      { 'mcp-protocol-version': '2026-07-28' },
      -32_602,
    ],
    [
      'an envelope without the capabilities',
      'server/discover',
      { _meta: { [VERSION]: '2026-07-28' } },
      { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'server/discover' },
      -32_602,
    ],
    [
      'two versions',
      'server/discover',
      { _meta: { [VERSION]: '2026-07-28', [CAPABILITIES]: {} } },
      { 'mcp-protocol-version': '2025-11-25', 'mcp-method': 'server/discover' },
      -32_020,
    ],
    ['a version that is none', 'ping', {}, { 'mcp-protocol-version': '1999-01-01' }, -32_000],
  ])('is under the id of its request: %s', async (_, method, params, headers, code) => {
    for (const id of [101, 'a-1']) {
      const { status, json } = await post({ jsonrpc: '2.0', id, method, params }, headers);
      expect([status, json.error.code, json.id]).toEqual([400, code, id]);
    }
  });

  it.each<[why: string, message: object]>([
    ['an id that is an object', { jsonrpc: '2.0', id: {}, method: 'ping' }],
    ['an id with a fraction', { jsonrpc: '2.0', id: 1.5, method: 'ping' }],
    ['no method', { jsonrpc: '2.0', id: 1 }],
  ])('is under no id where there is no request: %s', async (_, message) => {
    const { status, json } = await post(message, {});
    expect([status, json.error.code, json.id]).toEqual([400, -32_600, null]);
  });
});
