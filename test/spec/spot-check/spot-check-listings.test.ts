import { beforeAll, describe, expect, it } from 'vitest';
import { buildTaskIndex } from '../../../src/core/catalog/task-index.ts';
import { microUsd } from '../../../src/core/money/micro-usd.ts';
import type { Listing } from '../../../src/core/verdict/expected-terms.ts';
import { aService } from '../../../tools/samples/catalog.ts';
import { PAYEE, THIEF } from '../../../tools/samples/challenge.ts';
import { LISTED } from '../../../tools/samples/listed.ts';
import { checkOf, EXEMPT, useService } from '../../support/asking.ts';
import { crawled, publishCrawl } from '../../support/crawling/published-crawl.ts';
import { DOORS } from '../../support/running/running-service.ts';

const honest: Listing = { ...LISTED, sourceList: 'first-list' };
const swapped: Listing = { ...honest, payTo: THIEF, price: microUsd(990_000n) };
const STRANGER = `0x${'5'.repeat(40)}`;

const inCatalog = (id: string, path: string, payTo: string) =>
  aService({ id, endpoint: `http://${id}.example/${path}`, pay_to: payTo });

/** The check of a listed URL that another row of a list, or the catalog, tells otherwise. */
describe.each(DOORS)('what a check expects through the %s (G99)', (door) => {
  const index = buildTaskIndex([
    inCatalog('ours', 'honest', PAYEE),
    inCatalog('ours-swapped', 'thief', PAYEE),
    inCatalog('both', 'thief', THIEF),
    inCatalog('silent', 'thief', PAYEE),
  ]);
  const service = useService({ door, world: { index } });
  const check = async (url: string, claimed = {}) => {
    const { json } = await service.ask(checkOf(url, claimed), { headers: EXEMPT });
    return { ...json, receipt: (await service.ask(`/v1/receipts/${json.receipt_id}`)).json };
  };
  const listing = ({ price, payTo, network, sourceList }: Listing) => ({
    claimedPrice: price,
    listedPayTo: payTo,
    listedNetwork: network,
    sourceList,
  });
  const row = (id: string, url: string, ...listings: [Listing, ...Listing[]]) =>
    crawled(url, { id, ...listing(listings[0]), ...(listings.length > 1 ? { listings } : {}) });

  beforeAll(() =>
    publishCrawl(service.store.runs, 'run-1', [
      row('00000000b1', 'http://disputed.example/honest', swapped, honest),
      row('00000000b2', 'http://disputed.example/thief', swapped, honest),
      row('00000000b3', 'http://unconfirmed.example/thief', { ...honest, payTo: STRANGER }, honest),
      row('00000000b4', 'http://both.example/thief', honest),
      row('00000000b5', 'http://silent.example/thief', { ...honest, payTo: null, price: null }),
    ]),
  );

  it('a later row with another payee does not make an honest seller a mismatch', async () => {
    const { verdict, expected_pay_to, receipt } = await check('http://disputed.example/honest');
    expect([verdict, expected_pay_to]).toEqual(['pay', PAYEE]);
    expect(receipt.listing).toMatchObject({
      pay_to: PAYEE,
      claimed_price_usd: 0.01,
      source_list: 'first-list',
    });
  });

  it('the price counts with the payee that is confirmed', async () => {
    const { verdict, reason, receipt } = await check('http://disputed.example/thief');
    expect([verdict, reason]).toEqual(['skip', 'price_mismatch']);
    expect(receipt.listing).toMatchObject({ pay_to: THIEF, claimed_price_usd: 0.99 });
  });

  it('a dispute that the endpoint does not settle gives no expectation, but the caller may have one', async () => {
    const { verdict, expected_pay_to, receipt } = await check('http://unconfirmed.example/thief');
    expect([verdict, expected_pay_to]).toEqual(['pay', null]);
    expect(receipt.listing).toEqual({
      claimed_price_usd: null,
      pay_to: null,
      network: 'eip155:8453',
      source_list: 'first-list',
    });
    const claimed = await check('http://unconfirmed.example/thief', { pay_to: PAYEE });
    expect([claimed.verdict, claimed.reason]).toEqual(['skip', 'pay_to_mismatch']);
  });

  it('the catalog is the second source: a swapped payee at one of our services, without a crawl', async () => {
    const ours = await check('http://ours.example/honest');
    expect([ours.verdict, ours.expected_source, ours.receipt.listing.source_list]).toEqual([
      'pay',
      'listing',
      'catalog',
    ]);
    const { verdict, reason, receipt } = await check('http://ours-swapped.example/thief');
    expect([verdict, reason]).toEqual(['skip', 'pay_to_mismatch']);
    expect(receipt.listing).toEqual({
      claimed_price_usd: 0.01,
      pay_to: PAYEE,
      network: 'eip155:8453',
      source_list: 'catalog',
    });
  });

  it('the crawl goes before the catalog, which says what the crawl does not', async () => {
    const both = await check('http://both.example/thief');
    expect([both.reason, both.receipt.listing.source_list]).toEqual(['pay_to_mismatch', 'first-list']);
    const silent = await check('http://silent.example/thief');
    expect([silent.reason, silent.expected_pay_to]).toEqual(['pay_to_mismatch', PAYEE]);
  });
});
