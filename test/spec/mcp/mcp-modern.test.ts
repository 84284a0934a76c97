import { describe, expect, it } from 'vitest';
import { useService } from '../../support/asking.ts';
import { envelope, MODERN, modern, post, rpc } from '../../support/mcp/mcp-asking.ts';

const LIST = { jsonrpc: '2.0', id: 7, method: 'tools/list' };
const PING = { jsonrpc: '2.0', id: 1, method: 'ping' };

describe('2026-07-28', () => {
  const service = useService({});

  it('tells who it is without a handshake', async () => {
    const { status, json } = await modern(service.ask, 'server/discover');
    expect(status).toBe(200);
    expect(json.result).toMatchObject({
      supportedVersions: expect.arrayContaining([MODERN]),
      capabilities: { extensions: { 'org.x402/payment': {} } },
    });
  });

  it('lists the same tools as before, and says how long the list is good', async () => {
    const [now, before] = [await modern(service.ask, 'tools/list'), await rpc(service.ask, 'tools/list')];
    expect(now.json.result).toMatchObject({ resultType: 'complete', ttlMs: 300_000, cacheScope: 'public' });
    expect(now.json.result.tools).toEqual(before.json.result.tools);
  });

  it.each<[why: string, Parameters<typeof modern>[2], status: number, code: number]>([
    ['the method in the header is another', { headers: { 'mcp-method': 'tools/call' } }, 400, -32_020],
    [
      'the revision in the header is another',
      { headers: { 'mcp-protocol-version': '2025-11-25' } },
      400,
      -32_020,
    ],
    [
      'a revision of the future',
      {
        meta: { 'io.modelcontextprotocol/protocolVersion': '2030-01-01' },
        headers: { 'mcp-protocol-version': '2030-01-01' },
      },
      400,
      -32_022,
    ],
  ])('refused: %s', async (_, call, status, code) => {
    const answer = await modern(service.ask, 'tools/list', call);
    expect([answer.status, answer.json.error.code]).toEqual([status, code]);
  });

  it('needs the header of the method', async () => {
    const message = { ...LIST, params: { _meta: envelope() } };
    const answer = await post(service.ask, message, { headers: { 'mcp-protocol-version': MODERN } });
    expect([answer.status, answer.json.error.code]).toEqual([400, -32_020]);
  });

  it('needs the whole envelope', async () => {
    const headers = { 'mcp-protocol-version': MODERN, 'mcp-method': 'tools/list' };
    const answer = await post(service.ask, LIST, { headers });
    expect([answer.status, answer.json.error.code]).toEqual([400, -32_602]);
  });

  it.each([
    ['a method that is none', 'tools/destroy'],
    ['a method of the years before', 'ping'],
    ['a stream, of which there are none', 'subscriptions/listen'],
  ])('404: %s', async (_, method) => {
    const answer = await modern(service.ask, method);
    expect([answer.status, answer.json.error.code, answer.json.id]).toEqual([404, -32_601, 1]);
  });

  it('a resource that is none is a bad parameter by now', async () => {
    const { json } = await modern(service.ask, 'resources/read', { params: { uri: 'assay://secrets' } });
    expect(json.error.code).toBe(-32_602);
  });
});

describe('whose pages may call', () => {
  const local = useService({ settings: { BASE_URL: 'http://127.0.0.1:4402' } });
  const open = useService({ settings: { MCP_ORIGINS: '*' } });
  const status = async (ask: typeof local.ask, headers: Record<string, string>) =>
    (await post(ask, PING, { headers })).status;

  it.each<[Record<string, string>, number, string]>([
    [{ host: '127.0.0.1:4402' }, 200, 'a program on this machine'],
    [{ host: 'localhost:4402', origin: 'http://localhost:6274' }, 200, 'a page of this machine'],
    [{ host: '127.0.0.1:4402', origin: 'https://evil.example.com' }, 403, 'a page of a stranger'],
    [{ host: 'evil.example.com:4402' }, 403, 'a name that a stranger has pointed at this machine'],
    [{ host: '' }, 403, 'no name'],
  ])('a service on this machine: %j gets %i, %s', async (headers, expected) => {
    expect(await status(local.ask, { ...headers })).toBe(expected);
  });

  it('every page, when the operator says so, but still only under our names', async () => {
    expect(await status(open.ask, { origin: 'https://app.example.com' })).toBe(200);
    expect(await status(open.ask, { origin: 'https://app.example.com', host: 'evil.example.com' })).toBe(403);
  });
});
