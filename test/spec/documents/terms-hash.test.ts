import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { microUsd } from '../../../src/core/money/micro-usd.ts';
import { termsText } from '../../../src/core/x402/terms.ts';
import { BASE, BASE_USDC } from '../../../src/core/x402/usdc-on-base.ts';
import { useService } from '../../support/asking.ts';

const EXAMPLE = /((?:eip155|solana):[^|"\s]+\|[0-9a-z]+\|[0-9]+\|[0-9a-z]+)(?:\\?"\) = |\n)([0-9a-f]{64})/;

describe('the worked example of payment_terms_sha256', () => {
  const service = useService({});
  const documents: [string, () => Promise<string>][] = [
    ['/llms.txt', async () => (await service.ask('/llms.txt')).text],
    ['/openapi.json', async () => (await service.ask('/openapi.json')).text],
    ['docs/interface.md', async () => readFileSync('docs/interface.md', 'utf8')],
  ];

  it.each(documents)('in %s is right', async (_, read) => {
    const [, text = '', sha256 = ''] = EXAMPLE.exec(await read()) ?? [];
    expect(createHash('sha256').update(text, 'utf8').digest('hex')).toBe(sha256);
    expect(text).toBe(text.toLowerCase());
    const payTo = '0x1111111111111111111111111111111111111111';
    expect(termsText({ network: BASE, asset: BASE_USDC, amountAtomic: microUsd(10_000n), payTo })).toBe(text);
  });

  it.each(documents)('%s says that the network is a CAIP-2 name, also for version 1', async (_, read) => {
    const text = await read();
    expect(text).toMatch(/CAIP-2/);
    expect(text).toMatch(/version 1|v1 challenge/);
  });

  it('a free check is hashed by that formula, and the receipt has what was hashed', async () => {
    const { json } = await service.ask('/v1/products/endpoint-spot-check?url=http://seller.example/honest');
    const { approved_payment: approved } = (await service.ask(new URL(json.receipt_url).pathname)).json;
    const { network, asset, amount, pay_to } = approved;
    const text = [network, asset, amount.atomic, pay_to].join('|').toLowerCase();
    expect(createHash('sha256').update(text).digest('hex')).toBe(json.payment_terms_sha256);
    expect(json).not.toHaveProperty('payment');
  });
});
