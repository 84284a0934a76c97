import { beforeAll, describe, expect, it } from 'vitest';
import { ENTRY, header, PAYEE } from '../../../tools/samples/challenge.ts';
import { listedInput, LISTED as ONE_CENT } from '../../../tools/samples/listed.ts';
import { SPOT_CHECK, useService } from '../../support/asking.ts';
import { crawled, publishCrawl } from '../../support/crawling/published-crawl.ts';
import { httpAnswer, type Script } from '../../support/probing/fake-seller.ts';
import { BASE_URL, DOORS } from '../../support/running/running-service.ts';
import { posting } from '../../support/signing-seller.ts';

const priced = (amount: string) =>
  httpAnswer(402, [header({ x402Version: 2, accepts: [{ ...ENTRY, amount }] })]);
/** Wants input, and asks ten times the price for a deep report. */
const seller: Script = (socket, request) => {
  if (request.includes('"deep"')) socket.end(priced('100000'));
  else socket.end(request.includes('"city"') ? priced('10000') : httpAnswer(422, []));
};

describe.each(DOORS)('the input of a stranger, through the %s (G100)', (door) => {
  const service = useService({ door, seller });
  const url = 'http://a.example/report';
  const query = `url=${encodeURIComponent(url)}&method=POST`;

  beforeAll(() =>
    publishCrawl(service.store.runs, 'run-1', [
      crawled(url, {
        id: '00000000a1',
        method: 'POST',
        verdict: 'pay',
        code: 'price_ok',
        quotedPrice: ONE_CENT.price,
        claimedPrice: ONE_CENT.price,
        listedPayTo: PAYEE,
        listedNetwork: ONE_CENT.network,
        listedInput: listedInput({ example: { query: [], body: '{"city":"Bern"}' } }),
        checkedAt: new Date('2026-11-10T12:00:00Z'),
      }),
    ]),
  );

  it('moves neither the badge nor the feed, and its receipt says whose it is', async () => {
    const { json } = await service.ask(SPOT_CHECK, posting({ url, method: 'POST', input: { deep: 1 } }));
    const { json: receipt } = await service.ask(json.receipt_url.slice(BASE_URL.length));
    expect([receipt.verdict, receipt.input.source]).toEqual(['skip', 'caller']);
    expect((await service.ask(`/badge.svg?${query}`)).text).toContain(
      '<title>Assay: pay · 2026-11-10</title>',
    );
    expect((await service.ask(`/v1/watch.atom?${query}`)).text).not.toContain('<entry>');
  });
});
