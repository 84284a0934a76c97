import { beforeAll, describe, expect, it } from 'vitest';
import { urlKeyOf } from '../../../src/core/keyed-hash.ts';
import { microUsd } from '../../../src/core/money/micro-usd.ts';
import { PAYEE, THIEF } from '../../../tools/samples/challenge.ts';
import { aCrawlReceipt, crawlId, published } from '../../../tools/samples/crawl-rows.ts';
import { network } from '../../../tools/samples/listed.ts';
import { checkOf, EXEMPT, useService } from '../../support/asking.ts';
import { oddSeller } from '../../support/probing/odd-seller.ts';
import { DOORS, SECRET } from '../../support/running/running-service.ts';

type Parameters = Record<string, string>;

describe.each(DOORS)('what a check says about the payment, through the %s', (door) => {
  const service = useService({ door, seller: oddSeller, settings: { PROBES_PER_HOST_MINUTE: '1000' } });
  const check = async (path: string, parameters: Parameters = {}) =>
    (await service.ask(checkOf(`http://seller.example/${path}`, parameters), { headers: EXEMPT })).json;

  it.each<[string, string, string, string]>([
    ['probed_at plus maxTimeoutSeconds', 'honest', '2026-11-15T12:01:00.000Z', 'maxTimeoutSeconds'],
    ['a whole day (G96)', 'long', '2026-11-16T12:00:00.000Z', 'maxTimeoutSeconds'],
    ['60 seconds when it gives none', 'untimed', '2026-11-15T12:01:00.000Z', 'default_60s'],
    ['validBefore in Unix seconds', 'until', '2026-11-15T12:01:30.000Z', 'validBefore'],
    ['validBefore in extra, as ISO 8601', 'until-iso', '2026-11-15T12:03:00.000Z', 'validBefore'],
  ])('deadline: %s', async (_, path, deadline, deadline_source) => {
    expect((await check(path)).payment).toMatchObject({ deadline, deadline_source });
  });

  it('the hash of the terms is the example of the interface', async () => {
    expect((await check('example')).payment_terms_sha256).toBe(
      '0c271d2bc5ce4dfeb20be3246b101fc3708540990b092c74a9a2856ddf13f4e0',
    );
  });

  it.each<[string, string, number | null | undefined]>([
    ['a number', 'trial', 3],
    ['not a number', 'trial-words', null],
    ['none sent', 'trial-only', null],
    ['another reason', 'honest', undefined],
  ])('free_trial_remaining: %s (G41)', async (_, path, remaining) => {
    expect((await check(path)).free_trial_remaining).toBe(remaining);
  });

  it('names quoted terms also with a skip', async () => {
    expect(await check('dear', { claimed_price: '0.01' })).toMatchObject({
      quoted_price_usd: 1,
      claimed_price_usd: 0.01,
      pay_to: PAYEE,
      network: 'eip155:8453',
    });
    // The decimals of another token are the seller's word only.
    expect(await check('other-token')).toMatchObject({ quoted_price_usd: null, asset: PAYEE });
  });

  it.each<[string, Parameters, object]>([
    ['nothing', {}, { expected_pay_to: null, expected_network: null, expected_source: null }],
    ['a price', { claimed_price: '0.01' }, { claimed_price_usd: 0.01, expected_source: 'request' }],
    ['a payee', { pay_to: PAYEE }, { expected_pay_to: PAYEE, expected_source: 'request' }],
    ['a network', { network: 'eip155:1' }, { expected_network: 'eip155:1', expected_source: 'request' }],
    ['a network by its older name', { network: 'Base' }, { expected_network: 'eip155:8453' }],
    [
      'a network of Solana',
      { network: 'SOLANA-mainnet' },
      { expected_network: 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp' },
    ],
  ])('expects what the request says: %s', async (_, parameters, expected) => {
    expect(await check('honest', parameters)).toMatchObject(expected);
  });

  it('probes by POST with an empty JSON object when told to, and never with a payment', async () => {
    expect((await check('honest?post', { method: 'POST' })).verdict).toBe('pay');
    const [request = ''] = service.sellerRequests.filter((text) => text.includes('/honest?post'));
    expect(request).toMatch(/^POST \/honest\?post HTTP\/1\.1\r\n/);
    expect(request).toMatch(/\r\n\r\n\{\}$/);
    expect(request).not.toMatch(/payment-signature|x-payment|authorization/i);
  });
});

describe.each(DOORS)('a check of a listed endpoint (G42), through the %s', (door) => {
  const service = useService({ door });
  const check = async (path: string, parameters: Parameters = {}) =>
    (await service.ask(checkOf(`http://seller.example/${path}`, parameters), { headers: EXEMPT })).json;

  beforeAll(async () => {
    const listed = { claimedPrice: microUsd(10_000n), listedPayTo: PAYEE, listedNetwork: network('base') };
    const unlisted = { claimedPrice: null, listedPayTo: null, listedNetwork: null };
    const rows = [
      ['honest', listed],
      ['thief', listed],
      ['dear', listed],
      ['testnet', unlisted],
    ] as const;
    await published(
      service.store.runs,
      'run-1',
      rows.map(([path, claim], index) => {
        const url = `http://seller.example/${path}`;
        return {
          urlKey: urlKeyOf(SECRET)(url),
          receipt: aCrawlReceipt({ id: crawlId(index), url, sourceList: 'a-list', ...claim }),
        };
      }),
    );
  });

  it('compares with the listing when the request says nothing', async () => {
    expect(await check('honest')).toMatchObject({
      verdict: 'pay',
      claimed_price_usd: null,
      expected_pay_to: PAYEE,
      expected_network: 'eip155:8453',
      expected_source: 'listing',
    });
  });

  it.each<[string, string, Parameters, string, string]>([
    ['another payee than listed', 'thief', {}, 'pay_to_mismatch', 'listing'],
    ['another price than listed', 'dear', {}, 'price_mismatch', 'listing'],
    ['the request over the listing: price', 'dear', { claimed_price: '1' }, 'price_ok', 'request'],
    ['the request over the listing: payee', 'thief', { pay_to: THIEF }, 'price_ok', 'request'],
    ['the listing for what was not sent', 'thief', { claimed_price: '0.01' }, 'pay_to_mismatch', 'request'],
    [
      'the request over the listing: network',
      'honest',
      { network: 'eip155:1' },
      'network_mismatch',
      'request',
    ],
    ['a listing that claims nothing', 'testnet', {}, 'network_unsupported', 'listing'],
    ['an endpoint that is not listed', 'other-token', {}, 'asset_not_usdc', 'none'],
  ])('%s', async (_, path, parameters, reason, source) => {
    const json = await check(path, parameters);
    expect([json.reason, json.expected_source ?? 'none']).toEqual([reason, source]);
  });

  it('finds the listing under any spelling of the URL', async () => {
    expect((await check('honest/#top')).expected_source).toBe('listing');
  });

  it('shows the listing on the receipt', async () => {
    const { receipt_id } = await check('dear');
    expect((await service.ask(`/v1/receipts/${receipt_id}`)).json).toMatchObject({
      listing: { claimed_price_usd: 0.01, pay_to: PAYEE, network: 'eip155:8453', source_list: 'a-list' },
      expected: { claimed_price_usd: 0.01, source: 'listing' },
    });
  });
});
