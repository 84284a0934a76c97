import { beforeAll, describe, expect, it } from 'vitest';
import { microUsd } from '../../../src/core/money/micro-usd.ts';
import { crawlId } from '../../../tools/samples/crawl-rows.ts';
import { useService } from '../../support/asking.ts';
import { crawled, publishCrawl } from '../../support/crawling/published-crawl.ts';
import { BROWSER, HOSTILE, INDEX, LISTED, PAYEE, storePasts, TX } from '../../support/known-services.ts';
import { expectUnbroken, sendForm, wordsOf } from '../../support/pages.ts';
import { DOORS } from '../../support/running/running-service.ts';

describe.each(DOORS)('GET /v1/services/{id}, the page for people, through the %s', (door) => {
  const service = useService({ door, world: { index: INDEX } });
  const page = (id: string) => service.ask(`/v1/services/${id}`, { headers: BROWSER });
  const words = async (id: string) => wordsOf(await page(id));

  beforeAll(() => storePasts(service.store));

  it('says it all in words', async () => {
    const shown = await words('in-full');
    for (const text of [
      'Plain Weather',
      'Current temperature and wind for a pair of coordinates.',
      'Example Instruments',
      'GET https://weather.example.com/v1/now',
      '$0.01 in USDC on Base (eip155:8453), per call',
      'weather weather-forecast',
      `Listed payee ${LISTED}`,
      `Payees paid ${PAYEE}`,
      `--pay-to ${LISTED}`,
      'Too few graded answers: 1 of 2 right so far',
      'a-list, 2026-11-01',
      '1 of 2 graded responses (50 %; at least 9.5 % with 95 % confidence)',
      '66.7 %',
      'Berlin at noon',
      'a temperature within 2 degrees of the weather office',
      'asks $0.05, which is not the listed price',
      '2026-11-15 11:00 UTC',
      'not graded: nothing came back',
      'wrong: check 1 failed',
    ]) {
      expect(shown).toContain(text);
    }
  });

  it.each<[string, string, string]>([
    ['never called', 'never-called', 'We have not paid for a call yet.'],
    ['never called', 'never-called', 'No known-answer test yet, so responses are not graded.'],
    ['never checked', 'never-called', 'Not checked yet.'],
    ['without a rank', 'broken', 'Not ranked: the last 3 paid calls delivered nothing.'],
    ['without a rank', 'broken', '1 of 1 graded responses'],
    ['never called', 'never-called', 'No paid calls yet'],
    ['without a rank', 'broken', 'Not delivered: the last 3 paid calls returned no answer'],
    ['pinned', 'pinned', 'Not ranked: asks for a login.'],
    ['called often', 'busy', 'Passes: 20 of 20 graded answers were right'],
    ['called often', 'busy', '100 % right; with 95 % confidence between 84 and 100 %'],
  ])('is there for one that is %s', async (_, id, text) => {
    expect(await words(id)).toContain(text);
  });

  it('leads to the settlements of the calls', async () => {
    const { text } = await page('in-full');
    const targets = [...text.matchAll(/<a href="(https:[^"]*)"/g)].map(([, target]) => target);
    expect(targets).toEqual([`https://basescan.org/tx/${TX}`, `https://basescan.org/tx/${TX}`]);
  });

  it('fits a phone, and is locked against scripts', async () => {
    const { text, header } = await page('in-full');
    expect(text).toContain('<meta name="viewport" content="width=device-width, initial-scale=1">');
    expect(Buffer.byteLength(text)).toBeLessThan(20_000);
    expectUnbroken({ text });
    expect(header('content-security-policy')).toMatch(/^default-src 'none'; style-src 'self'/);
  });

  it('nothing that anybody wrote becomes markup', async () => {
    const { text } = await page('strange');
    expectUnbroken({ text });
    expect(text).not.toMatch(/<img/i);
    expect(text).toContain('Strange &quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(text).toContain('href="https://basescan.org/tx/0x%22%3E%3Cscript%3Ealert(1)%3C%2Fscript%3E"');
    expect((await service.ask('/v1/services/strange')).json.name).toBe(`Strange ${HOSTILE}`);
  });

  it('compares the prices of paid calls and crawls with the listed one', async () => {
    const url = 'https://weather.example.com/v1/now';
    const crawl = (n: number, day: string, quotedPrice: bigint) =>
      publishCrawl(
        service.store.runs,
        `run-${n}`,
        [
          crawled(url, {
            id: crawlId(n),
            checkedAt: new Date(`${day}T00:00:00.000Z`),
            quotedPrice: microUsd(quotedPrice),
          }),
        ],
        { crawledAt: new Date(`${day}T00:00:00.000Z`) },
      );
    await crawl(1, '2026-11-01', 4_000n);
    await crawl(2, '2026-11-08', 10_000n);
    service.at('2026-11-15T12:00:02.000Z');
    const shown = await words('in-full');
    expect(shown).toContain(
      '$0.01 as listed 2026-11-08 00:00 UTC 2026-11-15 10:00 UTC 3 × weekly crawl and paid calls',
    );
    expect(shown).toContain('$0.004 $0.006 less 2026-11-01 00:00 UTC 2026-11-01 00:00 UTC 1 × weekly crawl');
  });

  it('its button checks the service', async () => {
    const { text } = await page('in-full');
    const form = /<form class="now"[\s\S]*?<\/form>/.exec(text)?.[0] ?? '';
    const fields = [...form.matchAll(/name="([a-z_]+)" value="([^"]*)"/g)].map(
      ([, name = '', value = '']) => [name, value] as const,
    );
    const { status, header } = await sendForm(service.ask, Object.fromEntries(fields));
    expect([status, header('location')]).toEqual([
      303,
      expect.stringMatching(/^\/v1\/receipts\/[a-z]+-[0-9a-f]{16}$/),
    ]);
  });
});
