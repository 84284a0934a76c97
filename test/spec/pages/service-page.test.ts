import { beforeAll, describe, expect, it } from 'vitest';
import { useService } from '../../support/asking.ts';
import { BROWSER, HOSTILE, INDEX, LISTED, PAYEE, storePasts, TX } from '../../support/known-services.ts';
import { DOORS } from '../../support/running/running-service.ts';

describe.each(DOORS)('GET /v1/services/{id}, the page for people, through the %s', (door) => {
  const service = useService({ door, world: { index: INDEX } });
  const page = (id: string) => service.ask(`/v1/services/${id}`, { headers: BROWSER });
  /** The words of a page without its markup. */
  const words = async (id: string) =>
    (await page(id)).text
      .replace(/<[^>]*>/g, ' ')
      .replace(/\s+/g, ' ')
      .replaceAll(' .', '.');

  beforeAll(() => storePasts(service.store));

  it('says it all in words', async () => {
    const shown = await words('in-full');
    for (const text of [
      'Plain Weather',
      'Current temperature and wind for a pair of coordinates.',
      'Example Instruments',
      'GET https://weather.example.com/v1/now',
      '$0.01 in USDC on eip155:8453',
      'weather weather-forecast',
      LISTED,
      PAYEE,
      'a-list, 2026-11-01',
      '1 of 2 graded responses (50 %; at least 9.5 % with 95 % confidence)',
      '66.7 %',
      'Berlin at noon',
      'a temperature within 2 degrees of the weather office',
      'asks $0.05, which is not the listed price',
      '2026-11-15 11:00 UTC',
      'not graded: nothing came back',
      'fail: check 1 failed',
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
  ])('is there for one that is %s', async (_, id, text) => {
    expect(await words(id)).toContain(text);
  });

  it('leads to the settlements of the calls', async () => {
    const { text } = await page('in-full');
    const targets = [...text.matchAll(/href="(https:[^"]*)"/g)].map(([, target]) => target);
    expect(targets).toEqual([`https://basescan.org/tx/${TX}`, `https://basescan.org/tx/${TX}`]);
  });

  it('fits a phone, and is locked against scripts', async () => {
    const { text, header } = await page('in-full');
    expect(text).toContain('<meta name="viewport" content="width=device-width, initial-scale=1">');
    expect(Buffer.byteLength(text)).toBeLessThan(20_000);
    expect(text).not.toMatch(/<script|<style|\sstyle=|\son[a-z]+=/i);
    expect(header('content-security-policy')).toMatch(/^default-src 'none'; style-src 'self'/);
  });

  it('nothing that anybody wrote becomes markup', async () => {
    const { text } = await page('strange');
    expect(text).not.toMatch(/<script|<img|<!--/i);
    expect(text).toContain('Strange &quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(text).toContain('href="https://basescan.org/tx/0x%22%3E%3Cscript%3Ealert(1)%3C%2Fscript%3E"');
    expect((await service.ask('/v1/services/strange')).json.name).toBe(`Strange ${HOSTILE}`);
  });
});
