import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PageReads } from '../../../src/ports/crawl-runs.ts';
import { PAYEE, THIEF } from '../../../tools/samples/challenge.ts';
import { checkOf, EXEMPT } from '../../support/asking.ts';
import { crawled, publishCrawl } from '../../support/crawling/published-crawl.ts';
import { NOON, startService, type TestService } from '../../support/running/running-service.ts';
import { newSqlitePlace, type Place } from '../../support/storing/stores.ts';

const URL = 'http://shop.example/honest';
const row = (id: string, listedPayTo: string) => crawled(URL, { id, listedPayTo, verdict: 'skip' });

/** What may be late on a page, and what may not. */
describe('with a replica for pages that shows an older run than the store', () => {
  let service: TestService;
  let older: Place;
  const asked: string[] = [];

  beforeAll(async () => {
    older = await newSqlitePlace();
    const { runs, receipts } = await older.open();
    await publishCrawl(runs, 'older', [row('00000000a1', THIEF)]);
    const page: PageReads['receipts']['page'] = (...wanted) => {
      asked.push(wanted[0].type);
      return receipts.page(...wanted);
    };
    service = await startService({ timeoutMs: 5_000, world: { pages: { runs, receipts: { page } } } });
    const crawledAt = new Date(NOON.getTime() + 60_000);
    await publishCrawl(service.store.runs, 'newer', [row('00000000a2', PAYEE)], { crawledAt });
  });
  afterAll(async () => {
    await service.close();
    await older.remove();
  });

  it('skips and listings of receipts are read from it', async () => {
    const { json } = await service.ask('/v1/skips.json');
    expect(json.skips.map(({ id }: { id: string }) => id)).toEqual(['00000000a1']);
    expect((await service.ask('/v1/receipts?type=live')).status).toBe(200);
    expect(asked).toEqual(['live']);
  });

  it('a check compares with the newest run', async () => {
    const { json } = await service.ask(checkOf(URL), { headers: EXEMPT });
    expect([json.expected_source, json.expected_pay_to]).toEqual(['listing', PAYEE]);
  });

  it('and a receipt, or all of a URL, is found as soon as it is stored', async () => {
    expect((await service.ask('/v1/receipts/00000000a2.json')).status).toBe(200);
    const { json } = await service.ask(`/v1/receipts/by-url?url=${encodeURIComponent(URL)}`);
    expect(json.latest_crawl.id).toBe('00000000a2');
  });
});
