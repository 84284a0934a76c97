import { describe, expect, it } from 'vitest';
import { buildTaskIndex } from '../../../src/core/catalog/task-index.ts';
import { aService } from '../../../tools/samples/catalog.ts';
import { PAYEE } from '../../../tools/samples/challenge.ts';
import { crawlId, crawlRow } from '../../../tools/samples/crawl-rows.ts';
import { afterNoon, NOON } from '../../../tools/samples/store-receipts.ts';
import { BEFORE, DAY, NOW, SOLANA } from '../../support/crawling/host-rows.ts';
import { publishCrawl } from '../../support/crawling/published-crawl.ts';
import { wordsOf } from '../../support/pages.ts';
import { startService } from '../../support/running/running-service.ts';

describe('hosts and payees over time', () => {
  it('before the first crawl there is nothing but the catalog', async () => {
    const index = buildTaskIndex([
      aService({ id: 'at-a', endpoint: 'https://a.example/one', pay_to: PAYEE }),
    ]);
    const service = await startService({ world: { index } });
    expect((await service.ask('/v1/hosts/a.example')).json).toMatchObject({ crawled_at: null, latest: null });
    expect(wordsOf(await service.ask('/hosts/a.example'))).toContain('No crawl has been published yet.');
    expect(wordsOf(await service.ask(`/payees/${PAYEE}`))).toContain('No crawl has been published yet.');
    expect((await service.ask('/hosts/b.example')).status).toBe(404);
    await service.close();
  });

  it('one crawl shows no trend and no changes', async () => {
    const service = await startService();
    await publishCrawl(service.store.runs, 'run-1', NOW);
    for (const path of ['/hosts/a.example', `/payees/${PAYEE}`]) {
      expect(wordsOf(await service.ask(path))).not.toContain('over time');
    }
    const words = wordsOf(await service.ask('/hosts/a.example'));
    expect(words).toContain('This host is in one crawl so far, so there is nothing to compare.');
    expect(words).not.toContain('last 12 crawls');
    await service.close();
  });

  it('a host and a payee of an older crawl alone', async () => {
    const service = await startService();
    await publishCrawl(service.store.runs, 'run-1', BEFORE);
    await publishCrawl(
      service.store.runs,
      'run-2',
      [crawlRow(9, { url: 'https://z.example/', payTo: SOLANA, listedPayTo: null })],
      {
        crawledAt: afterNoon(DAY),
      },
    );
    const words = wordsOf(await service.ask('/hosts/a.example'));
    expect(words).toContain('The latest crawl, of 2026-11-16, has no endpoint at this host.');
    const payee = wordsOf(await service.ask(`/payees/${PAYEE}`));
    expect(payee).toContain('No endpoint in the crawl of 2026-11-16 asks to pay this address.');
    await service.close();
  });

  it('forget a receipt that was withdrawn and a verdict that was corrected, and show the next crawl', async () => {
    const service = await startService();
    const later = () => {
      service.clock.now = new Date(service.clock.now.getTime() + 2_000);
    };
    await publishCrawl(service.store.runs, 'run-1', NOW);
    const urls = async () =>
      (await service.ask('/v1/hosts/a.example')).json.endpoints.map(({ url }: { url: string }) => url);
    expect(await urls()).toHaveLength(3);
    expect((await service.ask('/hosts/a.example')).text).toContain('example/<wbr>three');
    await service.store.corrections.add({
      ...{ receiptId: crawlId(2), at: NOON, was: 'skip', is: 'pay', because: 'a fault of ours' },
    });
    later();
    for (const path of ['/hosts/a.example', `/payees/${PAYEE}`]) {
      const words = wordsOf(await service.ask(path));
      expect(words).toContain('was skip, corrected');
      expect(words).not.toContain('payee differs');
    }
    await service.store.withdrawals.withdraw(crawlId(3), 'personal', NOON);
    later();
    expect(await urls()).toEqual(['https://a.example/one', 'https://a.example:8443/two']);
    expect((await service.ask('/hosts/a.example')).text).not.toContain('three');
    await publishCrawl(service.store.runs, 'run-2', [crawlRow(50, { url: 'https://a.example/new' })], {
      crawledAt: afterNoon(DAY),
    });
    later();
    expect(await urls()).toEqual(['https://a.example/new']);
    await service.close();
  });
});
