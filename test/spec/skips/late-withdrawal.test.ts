import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { afterNoon } from '../../../tools/samples/store-receipts.ts';
import { crawled, publishCrawl } from '../../support/crawling/published-crawl.ts';
import { NOON, startService, type TestService } from '../../support/running/running-service.ts';
import { newSqlitePlace, type Place } from '../../support/storing/stores.ts';

const ID = '00000000a1';
const SECRET = 'secret-of-a-caller';
const PATHS = [
  '/v1/skips',
  '/v1/skips.json',
  '/v1/skips.csv',
  '/v1/skips.atom',
  '/v1/skips.json?list=first-list',
];

describe('with a replica for pages that gets a withdrawal late', () => {
  let service: TestService;
  let replica: Place;

  beforeAll(async () => {
    replica = await newSqlitePlace();
    const { runs, receipts } = await replica.open();
    // One receipt is never read from the standby.
    const byId: typeof runs.byId = (id) => service.store.runs.byId(id);
    service = await startService({
      timeoutMs: 5_000,
      world: { pages: { runs: { ...runs, byId }, receipts } },
    });
    const rows = [crawled(`http://shop.example/${SECRET}`, { id: ID, verdict: 'skip' })];
    for (const one of [runs, service.store.runs]) await publishCrawl(one, 'run', rows);
  });
  afterAll(async () => {
    await service.close();
    await replica.remove();
  });

  const shown = async () => {
    const answers = await Promise.all(PATHS.map((path) => service.ask(path)));
    return PATHS.filter((_, nth) => answers[nth]?.text.includes(SECRET));
  };

  const featured = async () => {
    const answers = await Promise.all(['/v1/skips.json', '/v1/receipts'].map((path) => service.ask(path)));
    return answers.map(({ json }) => json.featured_mismatch?.split('/').at(-1) ?? null);
  };

  it('a page that was rendered meanwhile is not kept with the receipt', async () => {
    expect(await featured()).toEqual([ID, ID]);
    await service.store.withdrawals.withdraw(ID, 'secret', NOON);
    service.clock.now = afterNoon(1_000);
    expect(await shown()).toEqual(PATHS);
    // The run keeps the id, on the standby and in our own database.
    expect(await featured()).toEqual([null, null]);
    await (await replica.open()).withdrawals.withdraw(ID, 'secret', NOON);
    service.clock.now = afterNoon(61_000);
    expect(await shown()).toEqual([]);
  });
});
