import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { PAYEE } from '../../../tools/samples/challenge.ts';
import { BROWSER, wordsOf } from '../../support/pages.ts';
import { DOORS, NOON, startService, type TestService } from '../../support/running/running-service.ts';

const SPOT_CHECK = '/v1/products/endpoint-spot-check';
/** The seller of the suite asks for payment within a minute. */
const DEADLINE = NOON.getTime() + 60_000;

describe.each(DOORS)('the page of an approval and its deadline, through the %s', (door) => {
  let service: TestService;
  let id = '';
  const at = async (ms: number) => {
    service.clock.now = new Date(DEADLINE + ms);
    return service.ask(`/v1/receipts/${id}`, { headers: BROWSER });
  };

  beforeAll(async () => {
    service = await startService({ door });
  });
  afterAll(() => service.close());

  // A receipt of its own for every test: their clock goes back and forth, and pages are kept for a second.
  const checks = { made: 0 };
  beforeEach(async () => {
    service.clock.now = NOON;
    checks.made += 1;
    const url = `url=http://late.example/honest?n=${checks.made}&claimed_price=0.01&pay_to=${PAYEE}&network=base`;
    id = (await service.ask(`${SPOT_CHECK}?${url}`)).json.receipt_id;
  });

  it('is green before it, and carries what the script needs at it', async () => {
    const { text } = await at(-20_000);
    expect(text).toContain(
      '<section class="card pay" aria-label="Verdict" data-deadline="2026-11-15T12:01:00.000Z"',
    );
    expect(text).toContain('data-over="card expired"');
    expect(text).toContain('data-title="WAS PAY: late.example · Assay"');
    expect(text).toContain('<strong data-later="was pay, expired">pay</strong>');
    expect(text).toContain('<title>PAY: late.example · Assay</title>');
    expect(text).toContain('as expected. Valid until 2026-11-15 12:01:00 UTC.">');
    expect(wordsOf({ text })).not.toContain('was pay');
  });

  it('is grey from then on: title, description, card, words, and nothing to sign', async () => {
    const shown = await at(0);
    expect(shown.text).toContain('<title>WAS PAY: late.example · Assay</title>');
    expect(shown.text).toContain('<meta property="og:title" content="WAS PAY: late.example">');
    expect(shown.text).toContain(
      '<meta property="og:description" content="The approval expired at 2026-11-15 12:01:00 UTC. Check again before you pay.">',
    );
    expect(shown.text).toContain('<section class="card expired" aria-label="Verdict">');
    expect(shown.text).not.toMatch(/class="(?:card|mark) pay"/);
    const words = wordsOf(shown);
    expect(words).toContain('was pay, expired');
    expect(words).toContain(
      'Do not sign: the approval expired at 2026-11-15 12:01:00 UTC. Check again before you pay.',
    );
    expect(words).toContain('Expired: do not sign These terms were valid until 2026-11-15 12:01:00 UTC');
    expect(words).not.toContain('Sign exactly');
  });

  it('says how old it is', async () => {
    expect(wordsOf(await at(3_600_000))).toContain('1 hour ago');
  });

  // Our own memory gives a page away for up to a second after it was made.
  it.each([
    [-60_000, 'public, max-age=30'],
    [-31_000, 'public, max-age=30'],
    [-30_999, 'public, max-age=29'],
    [-9_500, 'public, max-age=8'],
    [-2_000, 'public, max-age=1'],
    [-1_999, 'no-store'],
    [-500, 'no-store'],
    [-1, 'no-store'],
    [0, 'public, max-age=30'],
    [86_400_000, 'public, max-age=30'],
  ])('%i ms from the deadline a cache is told %s', async (ms, said) => {
    expect((await at(ms)).header('cache-control')).toBe(said);
  });

  it('is not kept in memory beyond the deadline', async () => {
    expect((await at(-400)).text).toContain('<title>PAY: ');
    expect((await at(-1)).text).toContain('<title>PAY: ');
    expect((await at(0)).text).toContain('<title>WAS PAY: ');
  });

  it('a browser that asks again with the tag of the green page gets the grey one', async () => {
    const tag = (await at(-5_000)).header('etag') ?? '';
    service.clock.now = new Date(DEADLINE + 5_000);
    const again = await service.ask(`/v1/receipts/${id}`, { headers: { ...BROWSER, 'if-none-match': tag } });
    expect([again.status, again.text.includes('<title>WAS PAY: ')]).toEqual([200, true]);
  });
});
