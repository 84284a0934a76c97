import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { crawlId } from '../../../tools/samples/crawl-rows.ts';
import { useService } from '../../support/asking.ts';
import { crawled, publishCrawl } from '../../support/crawling/published-crawl.ts';
import { wordsOf } from '../../support/pages.ts';
import { NOON } from '../../support/running/running-service.ts';

const WRONG = 'https://a.example/wrong';

describe('a skip of the latest crawl whose verdict was corrected', () => {
  const service = useService({});
  const correct = async (n: number, is: 'pay' | 'recheck') => {
    const told = { receiptId: crawlId(n), at: NOON, was: 'skip', because: 'a fault of ours' } as const;
    await service.store.corrections.add({ ...told, is });
  };
  const badge = async () =>
    /<title>([^<]*)</.exec((await service.ask(`/badge.svg?url=${encodeURIComponent(WRONG)}`)).text)?.[1];

  beforeAll(async () => {
    await publishCrawl(service.store.runs, 'run-1', [
      crawled('https://a.example/right', {
        id: crawlId(1),
        reason: 'no 402 challenge (HTTP 200)',
        code: 'no_paywall',
      }),
      crawled(WRONG, { id: crawlId(2), reason: 'price mismatch: listed $0.01, 402 asks $0.05' }),
    ]);
    expect(await badge()).toBe('Assay: skip · 2026-11-15');
    expect((await service.ask('/v1/skips.json')).json.featured_mismatch).toContain(crawlId(2));
    await correct(2, 'recheck');
    await correct(2, 'pay');
  });

  // What was rendered before may be served for a second.
  beforeEach(() => service.at('2026-11-15T12:00:02.000Z'));

  it('says so on the page, and not why it was a skip', async () => {
    const words = wordsOf(await service.ask('/v1/skips'));
    expect(words).toContain('was skip, corrected: pay');
    expect(words).toContain('no 402 challenge (HTTP 200)');
    expect(words).not.toContain('402 asks $0.05');
  });

  it('has a member and a column with the right verdict', async () => {
    const { json } = await service.ask('/v1/skips.json');
    const rows = json.skips.map(({ id, corrected }: Record<string, string>) => [id, corrected]);
    expect(rows).toEqual([
      [crawlId(1), undefined],
      [crawlId(2), 'pay'],
    ]);
    expect(json.featured_mismatch).toBeNull();
    expect((await service.ask('/v1/receipts')).json.featured_mismatch).toBeNull();
    const [names, ...lines] = (await service.ask('/v1/skips.csv')).text.trim().split('\r\n');
    expect([names, ...lines].map((line) => line?.split(',').at(-1))).toEqual(['corrected', '', 'pay']);
  });

  it('is not in the feed of new skips, and not on the badge', async () => {
    const { text } = await service.ask('/v1/skips.atom');
    expect([text.includes(crawlId(1)), text.includes(crawlId(2))]).toEqual([true, false]);
    expect(await badge()).toBe('Assay: pay · 2026-11-15');
  });
});
