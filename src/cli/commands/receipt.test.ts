import { describe, expect, it } from 'vitest';
import { answering, run } from '../../../test/support/running/command-line.ts';

const ID = 'sc-00010203fcfdfeff';
const live = (verdict: string, probedAt: string) => ({
  id: ID,
  url: 'https://a.example/data',
  method: 'GET',
  mode: 'live',
  verdict,
  reason: 'price_ok',
  reason_text: 'Words.',
  probe: { probed_at: probedAt, cached: false },
  permalink: `http://assay.test/v1/receipts/${ID}`,
});
const crawl = (verdict: string, timestamp: string) => ({
  id: '00112233aa',
  url: 'https://a.example/data',
  method: 'GET',
  verdict,
  reason: 'price mismatch: listed $0.01, 402 asks $0.05',
  claimed_price_usd: 0.01,
  quoted_price_usd: 0.05,
  timestamp,
});
const EARLY = '2026-11-15T11:00:00.000Z';
const LATE = '2026-11-15T11:59:00.000Z';

/** What was approved may be signed until then. */
const approvedUntil = (deadline: string) => ({
  approved_payment: {
    network: 'eip155:8453',
    amount: { atomic: '10000' },
    pay_to: '0x209693Bc6afc0C5328bA36FaF03C514EF312287C',
    deadline,
  },
});
const SOON = '2026-11-15T12:00:30.000Z';

describe('assay receipt', () => {
  it('by a URL without a scheme says which one it takes', async () => {
    const service = answering({});
    const { code, notes } = await run(['receipt', 'a.example/data'], service);
    expect(code).toBe(3);
    expect(notes).toContain('assay: no scheme given; using https://a.example/data\n');
    expect(service.asked.map(({ searchParams }) => searchParams.get('url'))).toEqual([
      'https://a.example/data',
    ]);
  });

  it.each<[why: string, receipt: object, code: number]>([
    ['a live approval that is good', { ...live('pay', LATE), ...approvedUntil(SOON) }, 0],
    ['one that is past its deadline', { ...live('pay', EARLY), ...approvedUntil(LATE) }, 3],
    ['a dry run', { ...live('pay', LATE), mode: 'dry-run', ...approvedUntil(SOON) }, 3],
    ['a pay without anything to sign', live('pay', LATE), 3],
    ['the crawl', crawl('pay', LATE), 3],
  ])('has an exit code to pay by only while there is something to sign: %s', async (_, receipt, code) => {
    expect((await run(['receipt', ID], answering({ [`/v1/receipts/${ID}`]: receipt }))).code).toBe(code);
  });

  it.each<[why: string, word: string]>([
    ['its id', ID],
    ['its link', `http://assay.test/v1/receipts/${ID}`],
  ])('by %s is a card, with the verdict as exit code', async (_, word) => {
    const service = answering({ [`/v1/receipts/${ID}`]: live('skip', LATE) });
    const { code, out } = await run(['receipt', word], service);
    expect([code, service.asked.map(({ pathname }) => pathname)]).toEqual([1, [`/v1/receipts/${ID}`]]);
    expect(out).toMatch(/^✗ SKIP {2}price_ok\nWords\.\n/);
  });

  it('of the crawl is a card too', async () => {
    const { code, out } = await run(
      ['receipt', '00112233aa'],
      answering({ '/v1/receipts/00112233aa': crawl('skip', LATE) }),
    );
    expect(code).toBe(1);
    expect(out).toContain('            listed  live\n! price     $0.01   $0.05  differs\n');
  });

  it.each<[why: string, body: object, code: number, titles: readonly string[]]>([
    [
      'the live check is newer',
      {
        latest_live: { ...live('pay', LATE), ...approvedUntil(SOON) },
        latest_dry_run: null,
        latest_crawl: crawl('skip', EARLY),
      },
      0,
      ['Last live check', 'Last crawl'],
    ],
    [
      'the crawl is newer',
      {
        latest_live: live('pay', EARLY),
        latest_dry_run: live('recheck', EARLY),
        latest_crawl: crawl('skip', LATE),
      },
      1,
      ['Last live check', 'Last dry run', 'Last crawl'],
    ],
  ])('by URL shows all there is, and counts the newest: %s', async (_, body, code, titles) => {
    const service = answering({ '/v1/receipts/by-url': { ...body, history: [] } });
    const told = await run(['receipt', 'https://a.example/data?x=1'], service);
    expect(told.code).toBe(code);
    expect(told.out.split('\n').filter((line) => line.startsWith('Last '))).toEqual(titles);
    expect(service.asked[0]?.searchParams.get('url')).toBe('https://a.example/data?x=1');
  });

  it('that is not there is nothing to pay by', async () => {
    expect(await run(['receipt', ID], answering({}))).toEqual({
      code: 3,
      out: '',
      notes: 'assay: no receipt has this id\n',
    });
    expect((await run(['receipt', 'https://a.example/'], answering({}))).notes).toBe(
      'assay: no receipt for this URL yet; assay check makes one\n',
    );
  });

  it.each(['This receipt was withdrawn.', 'This receipt is in an archive.'])(
    'that is gone is nothing to pay by: %s',
    async (detail) => {
      const gone = answering({ [`/v1/receipts/${ID}`]: Response.json({ detail }, { status: 410 }) });
      expect(await run(['receipt', ID], gone)).toEqual({
        code: 3,
        out: '',
        notes: `assay: the service answered 410: ${detail}\n`,
      });
    },
  );

  it('--json is the body unchanged, and the code is still the verdict', async () => {
    const body = live('recheck', LATE);
    const { code, out } = await run(['receipt', ID, '--json'], answering({ [`/v1/receipts/${ID}`]: body }));
    expect([code, out]).toEqual([3, `${JSON.stringify(body)}\n`]);
  });

  it('that nobody can read is not a pay', async () => {
    const odd = answering({ [`/v1/receipts/${ID}`]: { verdict: 'fine' } });
    expect((await run(['receipt', ID], odd)).code).toBe(5);
    expect((await run(['receipt', ID, '--json'], odd)).code).toBe(3);
  });

  it.each(['x', '../v1/tasks', 'ftp://a.example/', 'sc-00'])('%s is invalid', async (word) => {
    expect((await run(['receipt', word])).code).toBe(2);
  });
});
