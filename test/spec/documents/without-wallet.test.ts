import { describe, expect, it } from 'vitest';
import { checkOf, expectProblem, LOOKUP, LOOKUP_PAID, PACK, useService } from '../../support/asking.ts';
import { callTool, type Result, rpc } from '../../support/mcp/mcp-asking.ts';
import { DOORS } from '../../support/running/running-service.ts';

const HONEST = 'http://seller.example/honest';
/** Every way in which the documents name what can be bought. */
const ADVERTISED =
  /0\.02\b|0\.25\b|9 USD|\$9\b|a tenth of|PAYMENT-SIGNATURE|setup pack|overnight|lookup\/paid/i;

describe.each(DOORS)('without a wallet nothing is advertised (G66), through the %s', (door) => {
  const service = useService({ door, settings: { PAY_TO: '' } });

  it.each([
    '/llms.txt',
    '/openapi.json',
    '/docs',
    '/sellers',
    '/method',
    '/catalog',
    '/sitemap.xml',
    '/.well-known/api-catalog',
    '/.well-known/mcp.json',
    '/',
    '/.well-known/x402',
    '/.well-known/x402.json',
    '/mcp/server-card',
  ])('%s', async (path) => {
    const { status, text } = await service.ask(path, { headers: { accept: 'text/html' } });
    expect(status).toBe(200);
    expect(ADVERTISED.exec(text)?.[0] ?? null).toBeNull();
    expect(text).not.toContain('x-payment-info');
  });

  it('/openapi.json has no 402 and no payment header', async () => {
    const { json } = await service.ask('/openapi.json');
    const operations = Object.values<Record<string, object>>(json.paths).flatMap((path) =>
      Object.values(path),
    );
    expect(operations.length).toBeGreaterThan(10);
    for (const operation of operations)
      expect(JSON.stringify(operation)).not.toMatch(/"402":|PaymentSignature/);
  });

  it('/openapi.json refers to nothing that was left out', async () => {
    const { text, json } = await service.ask('/openapi.json');
    const refs = new Set([...text.matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, path = '']) => path));
    const isThere = (path: string) =>
      path.split('/').reduce((node, step) => node?.[step], json) !== undefined;
    expect(refs.size).toBeGreaterThan(20);
    expect([...refs].filter((path) => !isThere(path))).toEqual([]);
  });

  it('the tools of MCP', async () => {
    const { json } = await rpc(service.ask, 'tools/list', {});
    const text = JSON.stringify(json.result.tools);
    expect(json.result.tools.map(({ name }: Result) => name)).toEqual([
      'search_catalog',
      'get_service',
      'lookup',
      'endpoint_spot_check',
      'get_receipt',
    ]);
    expect(text).not.toMatch(/[0-9] USDC|paymentRequired|priceUSD/);
    const bought = await callTool(service.ask, 'get_overnight_cos_pack', { arguments: {} });
    expect([bought.isError, bought.structuredContent.code]).toEqual([true, 'payments_unavailable']);
  });

  it.each([
    ['a lookup', `${LOOKUP}?task=weather`],
    ['a check', checkOf(HONEST)],
    ['a dry run', checkOf(HONEST, { mode: 'dry-run' })],
  ])('access.then of %s', async (_, path) => {
    const { json } = await service.ask(path);
    expect(json.access.then).toMatch(/until 00:00 UTC/);
    expect(json.access.then).not.toMatch(/USD|x402/);
  });

  it.each<[string, string, number, string]>([
    [
      'lookup',
      `${LOOKUP}?task=weather`,
      5,
      'The free lookups of this UTC day are used up (5 per caller), and this service sells none: it has no wallet. Free again at 00:00 UTC.',
    ],
    [
      'check',
      checkOf(HONEST),
      1,
      'The free checks of this UTC day are used up (1 per caller), and this service sells none: it has no wallet. Free again at 00:00 UTC.',
    ],
  ])('the first %s beyond the quota: 503 that names it, until midnight', async (_, path, free, detail) => {
    const sent = { from: '198.51.100.44' };
    service.at('2026-11-15T22:30:00.500Z');
    for (let n = 0; n < free; n += 1) expect((await service.ask(path, sent)).status).toBe(200);
    const answer = await service.ask(path, sent);
    expectProblem(answer, 503, 'payments_unavailable');
    expect([answer.json.detail, answer.header('retry-after')]).toEqual([detail, '5400']);
  });

  it.each([LOOKUP_PAID, PACK])('%s: 503 that says what there is instead', async (path) => {
    const answer = await service.ask(path);
    expectProblem(answer, 503, 'payments_unavailable');
    expect(answer.json.detail).toBe(
      'This service sells nothing: it has no wallet. Lookups and checks are free within their daily quota.',
    );
  });

  it('HEAD of a check: no price', async () => {
    const answer = await service.ask(checkOf(HONEST), { method: 'HEAD' });
    expect([answer.status, answer.header('payment-required')]).toEqual([200, null]);
  });

  it('the front page of a caller without a free check', async () => {
    const sent = { from: '198.51.100.45', headers: { accept: 'text/html' } };
    await service.ask(checkOf(HONEST), { from: sent.from });
    const { text } = await service.ask('/', sent);
    expect(text).toContain('Free again at 00:00 UTC');
    expect(text).not.toMatch(/how to pay|price of a check|a tenth/i);
  });
});
