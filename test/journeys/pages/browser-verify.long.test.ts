import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { crawlId } from '../../../tools/samples/crawl-rows.ts';
import { crawled, publishCrawl } from '../../support/crawling/published-crawl.ts';
import { AXE_PATH, useBrowser, violations } from '../../support/running/browser.ts';
import { NOON, startService, type TestService } from '../../support/running/running-service.ts';

const newVisitor = useBrowser();
const CHECK = '/v1/products/endpoint-spot-check?url=http%3A%2F%2Fseller.example%2F';
const WHY = `${'The seller proved that the payee had been changed by somebody else. '.repeat(3)}${'x'.repeat(80)}`;

describe('pages about verification', () => {
  let service: TestService;
  const paths: Record<string, string> = {};
  beforeAll(async () => {
    service = await startService({ door: 'socket' });
    const checked = async (path: string): Promise<string> =>
      (await service.ask(CHECK + path)).json.receipt_id;
    const [honest, wrong, gone] = [await checked('honest'), await checked('dear'), await checked('thief')];
    await service.store.corrections.add({ receiptId: wrong, at: NOON, was: 'pay', is: 'skip', because: WHY });
    await service.store.withdrawals.withdraw(gone, 'personal', NOON);
    await publishCrawl(service.store.runs, 'old', [crawled('http://old.example/', { id: crawlId(7) })]);
    await service.logKeeper.round();
    Object.assign(paths, {
      verify: `/v1/receipts/${honest}`,
      corrected: `/v1/receipts/${wrong}`,
      old: `/v1/receipts/${crawlId(7)}`,
      withdrawn: `/v1/receipts/${gone}`,
      corrections: '/corrections',
    });
  });
  afterAll(() => service.close());

  it.each([
    ['wide and light', 1_000, false],
    ['wide and dark', 1_000, true],
    ['narrow and light', 400, false],
    ['narrow and dark', 400, true],
  ])('can be read, %s', async (_, width, dark) => {
    const { page, expectQuiet } = await newVisitor({ width, dark });
    const axe = readFileSync(AXE_PATH, 'utf8');
    for (const [name, path] of Object.entries(paths)) {
      await page.goto(`${service.address}${path}`);
      const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
      expect([name, overflow]).toEqual([name, 0]);
      expect([name, await violations(page, axe)]).toEqual([name, []]);
    }
    expectQuiet();
  });
});
