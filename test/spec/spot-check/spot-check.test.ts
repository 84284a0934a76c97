import { describe, expect, it } from 'vitest';
import { PAYEE, USDC_ON_BASE } from '../../../tools/samples/challenge.ts';
import { checkOf, EXEMPT, expectProblem, SPOT_CHECK, useService } from '../../support/asking.ts';
import { PUBLIC_ADDRESS, probingHarness } from '../../support/probing/probing.ts';
import {
  ALT_URL,
  BASE_URL,
  BOTH_DOORS,
  freshAddress,
  type Sent,
} from '../../support/running/running-service.ts';

const HONEST = 'http://seller.example/honest';
/** eip155:8453|0x833589fcd6edb6e08f4c7c32d4f71b54bda02913|10000|0x209693bc6afc0c5328ba36faf03c514ef312287c */
const HONEST_SHA256 = '680f87ccbad4b20d7afe26edf88997fd45b62596c94881a8a0b07cadc366b33b';
const ID = /^sc-[0-9a-f]{16}$/;

describe.each(BOTH_DOORS)('GET spot-check through the %s', (door) => {
  const service = useService({ door });
  const exempt = async (url: string, parameters: Record<string, string> = {}) =>
    (await service.ask(checkOf(url, parameters), { headers: EXEMPT })).json;

  describe('200 in the free shape', () => {
    it('has exactly six fields', async () => {
      const { status, json, header } = await service.ask(checkOf(HONEST, { claimed_price: '0.01' }));
      expect(status).toBe(200);
      expect(header('content-type')).toBe('application/json; charset=utf-8');
      expect(header('cache-control')).toBe('no-store');
      expect(json).toEqual({
        verdict: 'pay',
        reason: 'The live 402 asks $0.01 in USDC on eip155:8453, as expected.',
        payment_terms_sha256: HONEST_SHA256,
        receipt_id: expect.stringMatching(ID),
        receipt_url: `${BASE_URL}/v1/receipts/${json.receipt_id}`,
        access: {
          tier: 'free',
          free_per_day: 1,
          free_used_today: 1,
          free_remaining_today: 0,
          // biome-ignore lint/suspicious/noThenProperty: the interface names this field.
          then: 'a tenth of the quoted price per check, 0.01 to 0.25 USD, paid with x402',
        },
      });
    });

    it('has no hash unless it says pay', async () => {
      const { json } = await service.ask(checkOf('http://seller.example/dear', { claimed_price: '0.01' }));
      expect(json).toMatchObject({
        verdict: 'skip',
        reason: 'The live 402 asks $1, more than the expected $0.01.',
        payment_terms_sha256: null,
        receipt_id: expect.stringMatching(ID),
      });
    });

    it('links to a receipt that can be read at once, under the address that was called (G55, G80)', async () => {
      const { json } = await service.ask(checkOf(HONEST), { headers: { host: 'alt.example.org' } });
      expect(json.receipt_url).toBe(`${ALT_URL}/v1/receipts/${json.receipt_id}`);
      const receipt = await service.ask(`/v1/receipts/${json.receipt_id}`);
      expect(receipt.json).toMatchObject({
        url: HONEST,
        mode: 'live',
        check_type: 'dry-run',
        reason: 'price_ok',
        payment_terms_sha256: HONEST_SHA256,
      });
    });
  });

  describe('200 in the paid shape', () => {
    it('has every field', async () => {
      const json = await exempt(`${HONEST}?whole`, {
        claimed_price: '0.01',
        pay_to: PAYEE,
        network: 'eip155:8453',
      });
      expect(json).toEqual({
        verdict: 'pay',
        reason: 'price_ok',
        quoted_price_usd: 0.01,
        claimed_price_usd: 0.01,
        pay_to: PAYEE,
        network: 'eip155:8453',
        asset: USDC_ON_BASE,
        expected_pay_to: PAYEE,
        expected_network: 'eip155:8453',
        expected_source: 'request',
        payment: {
          network: 'eip155:8453',
          asset: USDC_ON_BASE,
          amount: { atomic: '10000', usd: 0.01 },
          pay_to: PAYEE,
          deadline: '2026-11-15T12:01:00.000Z',
          deadline_source: 'maxTimeoutSeconds',
          max_timeout_seconds: 60,
          scheme: 'exact',
          asset_is_usdc: true,
          amount_atomic: '10000',
          amount_usd: 0.01,
        },
        input: null,
        needs_input: null,
        other_method: null,
        payment_terms_sha256: HONEST_SHA256,
        probe: { probed_at: '2026-11-15T12:00:00.000Z', cached: false, cache_ttl_s: 300 },
        check_type: 'self-checked',
        receipt_id: expect.stringMatching(ID),
        receipt_url: `${BASE_URL}/v1/receipts/${json.receipt_id}`,
        receipt_sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
        receipt_promise: expect.stringMatching(/^assay promise v1\n/),
        access: { tier: 'exempt', note: expect.any(String) },
      });
    });

    it('has null where there is nothing to say', async () => {
      expect(await exempt('http://seller.example/no-paywall')).toEqual({
        verdict: 'skip',
        reason: 'no_paywall',
        quoted_price_usd: null,
        claimed_price_usd: null,
        pay_to: null,
        network: null,
        asset: null,
        expected_pay_to: null,
        expected_network: null,
        expected_source: null,
        payment: null,
        input: null,
        needs_input: null,
        other_method: null,
        payment_terms_sha256: null,
        probe: { probed_at: '2026-11-15T12:00:00.000Z', cached: false, cache_ttl_s: 300 },
        check_type: 'self-checked',
        receipt_id: expect.stringMatching(ID),
        receipt_url: expect.stringMatching(/^https:/),
        receipt_sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
        receipt_promise: expect.stringMatching(/^assay promise v1\n/),
        access: { tier: 'exempt', note: expect.any(String) },
      });
    });

    it('says the same as the free shape of the same check (G94)', async () => {
      const { json: free } = await service.ask(checkOf(HONEST, { claimed_price: '0.02' }));
      const paid = await exempt(HONEST, { claimed_price: '0.02' });
      const receipt = (await service.ask(`/v1/receipts/${free.receipt_id}`)).json;
      expect([paid.verdict, paid.reason]).toEqual([free.verdict, receipt.reason]);
    });

    it('keeps the task as a slug on the receipt, where it sways nothing (G48)', async () => {
      const { receipt_id, verdict } = await exempt(HONEST, {
        task: ' Say SKIP!',
        ref: 'My-Ref',
        client: 'nobody',
      });
      const receipt = await service.ask(`/v1/receipts/${receipt_id}`);
      expect(verdict).toBe('pay');
      expect(receipt.json).toMatchObject({ task: 'say-skip', ref: 'my-ref', check_type: 'self-checked' });
      expect(receipt.text).not.toContain('nobody');
    });
  });

  describe('HEAD (G83)', () => {
    it.each<[string, string, Sent]>([
      ['a URL', checkOf('http://seller.example/dear?head'), {}],
      ['no URL', SPOT_CHECK, {}],
      ['the self-test key', checkOf('http://seller.example/dear?head'), { headers: EXEMPT }],
    ])('402 with the lowest price, and nothing is probed: %s', async (_, path, sent) => {
      const { status, text, header } = await service.ask(path, { ...sent, method: 'HEAD' });
      const required = JSON.parse(Buffer.from(header('payment-required') ?? '', 'base64').toString());
      expect([status, text, required.accepts[0].amount]).toEqual([402, '', '10000']);
      expect(service.sellerRequests.filter((request) => request.includes('?head'))).toEqual([]);
    });

    it('uses no free check', async () => {
      const from = freshAddress();
      await service.ask(checkOf(HONEST), { method: 'HEAD', from });
      expect((await service.ask(checkOf(HONEST), { from })).status).toBe(200);
    });
  });
});

describe.each(BOTH_DOORS)('GET spot-check of what must not be fetched, through the %s', (door) => {
  const PRIVATE: ReadonlyMap<string, string[]> = new Map([
    ['inside.example', ['10.0.0.1']],
    ['metadata.example', [PUBLIC_ADDRESS, '169.254.169.254']],
    ['mapped.example', ['::ffff:127.0.0.1']],
  ]);
  const harness = probingHarness(1, {
    resolve: async (name) => ({ kind: 'addresses', addresses: PRIVATE.get(name) ?? [PUBLIC_ADDRESS] }),
  });
  const service = useService({ door, world: { prober: harness.prober } });
  const from = freshAddress();

  it.each<[string, string]>([
    ['loopback', 'http://127.0.0.1/'],
    ['loopback in another spelling', 'http://0x7f.1/'],
    ['a private address', 'http://10.0.0.1/x'],
    ['cloud metadata', 'http://169.254.169.254/latest/meta-data/'],
    ['IPv6 loopback', 'http://[::1]/'],
    ['IPv4 inside IPv6', 'http://[::ffff:127.0.0.1]/'],
    ['localhost', 'http://localhost:8080/'],
    ['an internal name', 'http://db.internal/'],
    ['a single label', 'http://intranet/'],
    ['a mail port', 'http://seller.example:25/'],
    ['a database port', 'http://seller.example:5432/'],
    ['ourselves', 'https://assay.example.org/v1/lookup'],
    ['a name that leads inside', 'http://inside.example/'],
    ['a name with one private address among public ones', 'http://metadata.example/'],
    ['a name that leads to mapped loopback', 'http://mapped.example/'],
  ])('400, skip / ssrf_blocked: %s', async (_, url) => {
    const answer = await service.ask(checkOf(url, { claimed_price: '0.5' }), { from });
    expectProblem(answer, 400, 'ssrf_blocked', 'url');
    expect(answer.json).toMatchObject({
      verdict: 'skip',
      reason: 'ssrf_blocked',
      payment_terms_sha256: null,
      receipt_id: null,
      receipt_url: null,
      quoted_price_usd: null,
      claimed_price_usd: 0.5,
    });
    expect(Object.keys(answer.json)).toHaveLength(15);
  });

  it.each<[string, Sent, Record<string, string>]>([
    ['with the self-test key', { headers: EXEMPT }, {}],
    ['in a dry run', {}, { mode: 'dry-run' }],
    ['by POST', { method: 'POST' }, {}],
  ])('400 %s, too', async (_, sent, parameters) => {
    for (const url of ['http://127.0.0.1/', 'http://inside.example/']) {
      const answer = await service.ask(checkOf(url, parameters), { ...sent, from });
      expect([answer.status, answer.json.reason, answer.json.claimed_price_usd]).toEqual([
        400,
        'ssrf_blocked',
        null,
      ]);
    }
  });

  it('dials nothing, stores nothing and uses no free check (G31)', async () => {
    expect(harness.dialled).toEqual([]);
    for (const type of ['live', 'dry-run']) {
      expect((await service.ask(`/v1/receipts?type=${type}`)).json.count).toBe(0);
    }
    const { json } = await service.ask(checkOf('http://nowhere.example/', { mode: 'dry-run' }), { from });
    expect(json.access.free_used_today).toBe(1);
  });
});
