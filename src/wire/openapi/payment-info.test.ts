import { describe, expect, it } from 'vitest';
import { openApiDocument } from './openapi-document.ts';

const PARTS = {
  base: 'https://assay.example.org',
  others: [],
  payTo: '0x1111111111111111111111111111111111111111',
  contact: 'mailto:hello@assay.example.org',
};

// biome-ignore lint/suspicious/noExplicitAny: a test looks at whatever the document holds.
type Node = any;
const document: Node = openApiDocument(PARTS);

const OPERATIONS = Object.entries<Node>(document.paths).flatMap(([path, methods]) =>
  Object.entries<Node>(methods).map(([method, operation]): [string, Node] => [
    `${method.toUpperCase()} ${path}`,
    operation,
  ]),
);

describe('what is said of prices', () => {
  const X402 = {
    scheme: 'exact',
    network: 'eip155:8453',
    asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  };
  const fixed = (amount: string) => ({ mode: 'fixed', currency: 'USD', amount });
  const dynamic = { mode: 'dynamic', currency: 'USD', min: '0.01', max: '0.25' };
  const PRICES = {
    // The first five calls of a day are free.
    'GET /v1/lookup': { mode: 'dynamic', currency: 'USD', min: '0', max: '0.02' },
    'GET /v1/lookup/paid': fixed('0.02'),
    'GET /v1/products/endpoint-spot-check': dynamic,
    'POST /v1/products/endpoint-spot-check': dynamic,
    'GET /v1/products/overnight-cos-pack': fixed('9'),
    'POST /v1/products/overnight-cos-pack': fixed('9'),
  };

  it('stands on everything that costs something, at once or after free calls', () => {
    const paid = OPERATIONS.filter(([, operation]) => operation['x-payment-info'] !== undefined);
    expect(Object.fromEntries(paid.map(([name, one]) => [name, one['x-payment-info']]))).toEqual(
      Object.fromEntries(
        Object.entries(PRICES).map(([name, price]) => [
          name,
          { price, protocols: [{ x402: { ...X402, payTo: PARTS.payTo } }] },
        ]),
      ),
    );
  });

  it('stands nowhere without a wallet: nothing can be bought', () => {
    const walletless = JSON.stringify(openApiDocument({ ...PARTS, payTo: null }));
    expect(walletless).not.toContain('x-payment-info');
    expect(Object.keys(JSON.parse(walletless).paths)).not.toContain('/v1/lookup/paid');
  });

  it('stands in a described header beside every 402', () => {
    const header = { $ref: '#/components/headers/PAYMENT-REQUIRED' };
    for (const [name, { responses }] of OPERATIONS) {
      if (responses[402] !== undefined)
        expect(responses[402].headers, name).toMatchObject({ 'PAYMENT-REQUIRED': header });
    }
  });
});
