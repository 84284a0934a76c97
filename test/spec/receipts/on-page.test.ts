import { beforeAll, describe, expect, it } from 'vitest';
import { useService } from '../../support/asking.ts';
import { crawled, publishCrawl } from '../../support/crawling/published-crawl.ts';
import { BASE_URL, DOORS, NOON } from '../../support/running/running-service.ts';

const LATER = new Date(NOON.getTime() + 1_000);
const SKIPS = `${BASE_URL}/v1/skips`;
const itself = (id: string) => `${BASE_URL}/v1/receipts/${id}`;
const VERDICTS = ['skip', 'pay', 'recheck'] as const;

/** One row of each verdict. */
const rows = (run: string, checkedAt: Date) =>
  VERDICTS.map((verdict) =>
    crawled(`https://${run}.example/${verdict}`, { id: idOf(run, verdict), verdict, checkedAt }),
  );
const idOf = (run: string, verdict: (typeof VERDICTS)[number]) => `${run}${VERDICTS.indexOf(verdict)}`;

describe.each(DOORS)('on_page of a crawl receipt (G104), through the %s', (door) => {
  const service = useService({ door });
  const onPage = async (id: string) => (await service.ask(`/v1/receipts/${id}`)).json.on_page;
  const FIRST = '00000000a';
  const SECOND = '00000000b';

  beforeAll(() => publishCrawl(service.store.runs, 'run-1', rows(FIRST, NOON)));

  it('of the latest run leads to the row of a skip, and else to the page of skips', async () => {
    expect(await onPage(idOf(FIRST, 'skip'))).toBe(`${SKIPS}#${idOf(FIRST, 'skip')}`);
    expect(await onPage(idOf(FIRST, 'pay'))).toBe(SKIPS);
    expect(await onPage(idOf(FIRST, 'recheck'))).toBe(SKIPS);
  });

  it('of an older run leads to the receipt itself, whatever its verdict', async () => {
    await publishCrawl(service.store.runs, 'run-2', rows(SECOND, LATER), {
      crawledAt: LATER,
      previousRun: NOON,
    });
    service.at('2026-11-15T12:00:05.000Z');
    for (const verdict of VERDICTS) {
      const id = idOf(FIRST, verdict);
      expect(await onPage(id)).toBe(itself(id));
    }
    expect(await onPage(idOf(SECOND, 'skip'))).toBe(`${SKIPS}#${idOf(SECOND, 'skip')}`);
    expect(await onPage(idOf(SECOND, 'pay'))).toBe(SKIPS);
    expect(await onPage(idOf(SECOND, 'recheck'))).toBe(SKIPS);
    // The page of a receipt shows its JSON.
    const id = idOf(FIRST, 'pay');
    const page = await service.ask(`/v1/receipts/${id}`, { headers: { accept: 'text/html' } });
    expect(page.text).toContain(`on_page&quot;: &quot;${itself(id)}&quot;`);
  });
});
