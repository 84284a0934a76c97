import { describe, expect, it } from 'vitest';
import { exampleService } from '../../../src/core/catalog/example-service.ts';
import { buildTaskIndex } from '../../../src/core/catalog/task-index.ts';
import { publicWeb } from '../../../src/core/url/gate.ts';
import { publicAddresses } from '../../../src/core/url/public-address.ts';
import { loadCatalog } from '../../../src/main/build/load-catalog.ts';
import { storeCalls, useService } from '../../support/asking.ts';
import { pass } from '../../support/known-services.ts';
import { BROWSER, expectUnbroken, wordsOf } from '../../support/pages.ts';
import { BASE_URL } from '../../support/running/running-service.ts';

const NO_CRAWL =
  'No crawl has been published yet. The operator of this service starts one with npx assay crawl';
const NO_CALLS =
  'No call has been paid for yet, so nothing is graded. The operator of this service makes paid calls with npx assay verify';

const PROMISES =
  /read the lists every week|which we check once a week|checks it anyway|has the results of our own paid calls\./;

describe('a new service', () => {
  const service = useService({});

  it.each([
    ['/', NO_CRAWL],
    ['/v1/skips', NO_CRAWL],
    ['/catalog', NO_CALLS],
    ['/catalog/weather', NO_CALLS],
  ])('%s says what is missing and the command', async (path, words) => {
    const page = await service.ask(path, { headers: BROWSER });
    expect(page.status).toBe(200);
    expect(wordsOf(page)).toContain(words);
    expectUnbroken(page);
  });

  it('claims no paid call that was not made', async () => {
    for (const path of ['/catalog', '/catalog/weather']) {
      const { text } = await service.ask(path);
      expect(text).not.toMatch(/our own money|Assay paid for/);
    }
  });

  it('promises no crawl and no paid calls, which only its operator can switch on', async () => {
    const check = await service.ask(
      '/v1/products/endpoint-spot-check?mode=dry-run&url=https://nowhere.example/',
    );
    const { receipt_id: id } = JSON.parse(check.text);
    const paths = ['/', '/docs', '/sellers', '/prober', '/method', `/v1/receipts/${id}`];
    for (const path of paths) {
      const page = await service.ask(path, { headers: BROWSER });
      expect([path, page.status]).toEqual([path, 200]);
      expect(wordsOf(page), path).not.toMatch(PROMISES);
    }
  });

  it('shows no filters and no empty list where there is no crawl', async () => {
    const { text } = await service.ask('/v1/skips');
    expect(text).not.toMatch(/<form|No matching skips/);
  });

  it('has an example of the catalog on the front page and in the docs', async () => {
    const command = `${BASE_URL}/v1/products/endpoint-spot-check?url=https://weather.example.com/v1/now&claimed_price=0.01`;
    for (const path of ['/', '/docs']) expect(wordsOf(await service.ask(path))).toContain(command);
    expect(wordsOf(await service.ask('/docs'))).toContain('npm run sandbox');
  });
});

describe('a service without a catalog', () => {
  const service = useService({ world: { index: buildTaskIndex([]) } });

  it('has a blank in the example', async () => {
    for (const path of ['/', '/docs'])
      expect(wordsOf(await service.ask(path))).toContain('?url=&lt;endpoint&gt;&claimed_price=&lt;USD&gt;');
  });
});

describe('a service that has paid for a call', () => {
  const service = useService({});

  it('says so', async () => {
    await storeCalls(service.store, 'dear-weather', [pass]);
    const words = wordsOf(await service.ask('/catalog'));
    expect(words).toContain('We call them with our own money and grade the responses.');
    expect(words).not.toContain('assay verify');
    expect(wordsOf(await service.ask('/catalog/weather'))).not.toContain('assay verify');
  });
});

it('the starter catalog has an example', () => {
  const policy = publicWeb({ addresses: publicAddresses([]), ownHosts: new Set() });
  expect(exampleService(loadCatalog().services, policy)?.payTo).toMatch(/^0x/);
});
