import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { microUsd } from '../../../src/core/money/micro-usd.ts';
import { termsText } from '../../../src/core/x402/terms.ts';
import { BASE, BASE_USDC } from '../../../src/core/x402/usdc-on-base.ts';
import { ENTRY_V1 } from '../../../tools/samples/challenge.ts';
import { checkOf, sellerWith, useService } from '../../support/asking.ts';
import { httpAnswer } from '../../support/probing/fake-seller.ts';

const HONEST_SHA256 = '680f87ccbad4b20d7afe26edf88997fd45b62596c94881a8a0b07cadc366b33b';

const EXAMPLE = /((?:eip155|solana):[^|"\s]+\|[0-9a-z]+\|[0-9]+\|[0-9a-z]+)(?:\\?"\) = |\n)([0-9a-f]{64})/;

/** An x402 version 1 seller, whose network is the word "base". */
const OLD_SELLER = httpAnswer(
  402,
  [['content-type', 'application/json']],
  JSON.stringify({ x402Version: 1, error: 'pay', accepts: [ENTRY_V1] }),
);

describe('the worked example of payment_terms_sha256', () => {
  const service = useService({ seller: sellerWith({ old: OLD_SELLER }) });
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

  it.each([
    ['version 2', 'honest'],
    ['version 1', 'old'],
  ])('a free check of %s is hashed by that formula, and the receipt has what was hashed', async (_, path) => {
    const { json } = await service.ask(checkOf(`http://seller.example/${path}`));
    expect(json.payment_terms_sha256).toBe(HONEST_SHA256);
    const { approved_payment: approved } = (await service.ask(new URL(json.receipt_url).pathname)).json;
    const { network, asset, amount, pay_to } = approved;
    const text = [network, asset, amount.atomic, pay_to].join('|').toLowerCase();
    expect(createHash('sha256').update(text).digest('hex')).toBe(json.payment_terms_sha256);
    expect(json).not.toHaveProperty('payment');
  });
});
