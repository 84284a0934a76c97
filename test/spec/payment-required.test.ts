import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { checkOf, LOOKUP_PAID, PACK, SPOT_CHECK, useService } from '../support/asking.ts';
import {
  ALT_URL,
  BASE_URL,
  DOORS,
  LEGACY_URL,
  type Sent,
  WALLET,
} from '../support/running/running-service.ts';

const USDC = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';
const POST = { method: 'POST' };

/** Every way to be asked for money. Nothing is free for anybody here. */
const DEMANDS: [what: string, path: string, sent: Sent, resource: string, amount: string][] = [
  ['lookup', '/v1/lookup?task=weather', {}, '/v1/lookup', '20000'],
  ['lookup/paid', LOOKUP_PAID, {}, '/v1/lookup/paid', '20000'],
  ['spot-check', checkOf('http://seller.example/dear'), {}, SPOT_CHECK, '100000'],
  ['spot-check by POST', checkOf('http://seller.example/dear'), POST, SPOT_CHECK, '100000'],
  ['pack', PACK, {}, PACK, '9000000'],
  ['pack by POST', PACK, POST, PACK, '9000000'],
];

const NOTHING_FREE = { FREE_LOOKUPS_PER_ADDRESS: '0', FREE_CHECKS_PER_ADDRESS: '0' };

describe.each(DOORS)('our own 402, through the %s', (door) => {
  const service = useService({ door, settings: NOTHING_FREE });
  const required = async (path: string, sent: Sent) => {
    const answer = await service.ask(path, sent);
    const text = Buffer.from(answer.header('payment-required') ?? '', 'base64').toString();
    return { ...answer, document: JSON.parse(text), text: answer.text, headerText: text };
  };

  describe.each(DEMANDS)('of %s', (_, path, sent, resource, amount) => {
    it('has exactly these terms, the same in header and body (G61)', async () => {
      const { status, document, text, headerText } = await required(path, sent);
      expect(status).toBe(402);
      expect(text).toBe(headerText);
      expect(document).toEqual({
        x402Version: 2,
        error: expect.stringMatching(/./),
        resource: {
          url: BASE_URL + resource,
          description: expect.stringMatching(/./),
          mimeType: 'application/json',
        },
        accepts: [
          {
            scheme: 'exact',
            network: 'eip155:8453',
            amount,
            asset: USDC,
            payTo: WALLET,
            maxTimeoutSeconds: 300,
            extra: { name: 'USD Coin', version: '2' },
          },
        ],
        extensions: {
          bazaar: { info: expect.any(Object), schema: expect.any(Object) },
          'payment-identifier': {
            info: { required: false },
            schema: {
              $schema: 'https://json-schema.org/draft/2020-12/schema',
              type: 'object',
              properties: {
                required: { type: 'boolean' },
                id: { type: 'string', minLength: 16, maxLength: 128, pattern: '^[a-zA-Z0-9_-]+$' },
              },
              required: ['required'],
            },
          },
        },
      });
    });

    it('fits into a header of 4 kB, in plain base64', async () => {
      const header = (await service.ask(path, sent)).header('payment-required') ?? '';
      expect(header).toMatch(/^[A-Za-z0-9+/]+={0,2}$/);
      expect(header.length).toBeLessThanOrEqual(4_096);
    });

    it('carries metadata for directories, and its example keeps to its schema', async () => {
      const { info, schema } = (await required(path, sent)).document.extensions.bazaar;
      const method = sent.method ?? 'GET';
      expect(info.input).toMatchObject({ type: 'http', method });
      expect(Object.keys(info.input).sort()).toEqual(
        method === 'GET' ? ['method', 'queryParams', 'type'] : ['body', 'bodyType', 'method', 'type'],
      );
      expect(info.output).toMatchObject({ type: 'json', example: expect.any(Object) });
      const checked = z.fromJSONSchema(schema);
      expect(checked.safeParse(info).error).toBeUndefined();
      for (const wrong of [
        {},
        { ...info, output: {} },
        { ...info, input: { ...info.input, method: 'PUT' } },
      ]) {
        expect(checked.safeParse(wrong).success).toBe(false);
      }
    });

    it('is not cached and can be read by a wallet in a browser (G81, G82)', async () => {
      const { header } = await service.ask(path, sent);
      expect(header('content-type')).toBe('application/json; charset=utf-8');
      expect(header('cache-control')).toBe('no-store');
      expect(header('access-control-allow-origin')).toBe('*');
      expect(header('access-control-expose-headers')).toBe(
        'PAYMENT-REQUIRED, PAYMENT-RESPONSE, X-PAYMENT-RESPONSE, RateLimit, RateLimit-Policy, Retry-After, ETag, Link, X-Request-Id',
      );
      expect(header('payment-response')).toBeNull();
    });

    it.each<[string, string]>([
      ['assay.example.org', BASE_URL],
      ['alt.example.org', ALT_URL],
      ['legacy.example.net', LEGACY_URL],
      ['evil.example.com', BASE_URL],
    ])('names the address that was called: %s (G80)', async (host, base) => {
      const { document } = await required(path, { ...sent, headers: { host } });
      expect(document.resource.url).toBe(base + resource);
    });

    it('has an older body for those who ask for it, and the same header (G61b)', async () => {
      const { status, text, document } = await required(path, { ...sent, headers: { 'x-402-version': '1' } });
      expect(status).toBe(402);
      expect(document).toMatchObject({ x402Version: 2, accepts: [{ amount, network: 'eip155:8453' }] });
      const { info } = document.extensions.bazaar;
      expect(JSON.parse(text)).toEqual({
        x402Version: 1,
        error: document.error,
        accepts: [
          {
            scheme: 'exact',
            network: 'base',
            maxAmountRequired: amount,
            resource: BASE_URL + resource,
            description: document.resource.description,
            mimeType: 'application/json',
            payTo: WALLET,
            maxTimeoutSeconds: 300,
            asset: USDC,
            outputSchema: { input: { ...info.input, discoverable: true }, output: info.output },
            extra: { name: 'USD Coin', version: '2' },
          },
        ],
      });
    });

    it.each(['2', '3', '', 'one'])('has the usual body with X-402-Version: %s', async (version) => {
      const { text, headerText } = await required(path, { ...sent, headers: { 'x-402-version': version } });
      expect(text).toBe(headerText);
    });
  });
});
