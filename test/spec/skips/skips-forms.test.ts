import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CrawlReceipt } from '../../../src/core/receipt/crawl-receipt.ts';
import { crawlId, crawlRow } from '../../../tools/samples/crawl-rows.ts';
import { publishCrawl } from '../../support/crawling/published-crawl.ts';
import {
  ALT_URL,
  BASE_URL,
  DOORS,
  NOON,
  startService,
  type TestService,
} from '../../support/running/running-service.ts';

const minutesAfterNoon = (minutes: number) => new Date(NOON.getTime() + minutes * 60_000);

describe.each(DOORS)('skips as CSV and as a feed, through the %s', (door) => {
  let service: TestService;
  const ask: TestService['ask'] = (path, sent) => service.ask(path, sent);
  const publish = (id: string, rows: Parameters<typeof publishCrawl>[2], minutes: number) =>
    publishCrawl(service.store.runs, id, rows, { crawledAt: minutesAfterNoon(minutes) });

  beforeAll(async () => {
    service = await startService({ door });
  });
  afterAll(() => service.close());

  describe('GET /v1/skips.csv', () => {
    /** What the last cell of a line with this reason is on the wire. */
    const HOSTILE: readonly [string, Partial<CrawlReceipt>, string][] = [
      ['a plain value', { reason: 'timeout' }, ',timeout,'],
      ['a comma', { reason: 'a, b' }, ',"a, b",'],
      ['a quote', { reason: 'say "no"' }, ',"say ""no""",'],
      ['a line break', { reason: 'a\r\nb' }, ',"a\r\nb",'],
      ['a formula', { reason: '=1+1' }, ",'=1+1,"],
      [
        'a formula with a quote',
        { reason: '=HYPERLINK("http://x","y")' },
        `,"'=HYPERLINK(""http://x"",""y"")",`,
      ],
      ['a plus', { reason: '+1' }, ",'+1,"],
      ['a minus', { reason: '-1' }, ",'-1,"],
      ['an at sign', { reason: '@SUM(A1)' }, ",'@SUM(A1),"],
      ['a tab', { reason: '\t=1' }, `,"'\t=1",`],
      ['a carriage return', { reason: '\r=1' }, `,"'\r=1",`],
      ['a formula behind a blank', { reason: ' =1' }, ",' =1,"],
      ['a wide sign', { reason: '＝1' }, `,"'＝1",`],
      ['a list that is a formula', { sourceList: '=cmd' }, ",'=cmd,"],
      // Where the comma is for decimals, spreadsheets begin a cell at a semicolon, and a line at a line break.
      ['a formula behind a semicolon', { reason: 'a;=1+1;b' }, `,"a;'=1+1;b",`],
      ['a formula behind a line break', { reason: 'a\n=1+1' }, `,"a\n'=1+1",`],
      ['a semicolon', { reason: 'a;b' }, ',"a;b",'],
    ];

    beforeAll(async () => {
      await publish(
        'csv',
        HOSTILE.map(([, changes], n) => crawlRow(n + 1, changes)),
        1,
      );
      service.clock.now = minutesAfterNoon(2);
    });

    it('200: a line of names, CRLF behind every line, as a file', async () => {
      const { status, text, header } = await ask('/v1/skips.csv');
      expect(status).toBe(200);
      expect(header('content-type')).toBe('text/csv; charset=utf-8; header=present');
      expect(header('content-disposition')).toBe('attachment; filename="skips.csv"');
      expect(text.split('\r\n')[0]).toBe(
        'id,url,method,verdict,code,reason,claimed_price_usd,quoted_price_usd,pay_to,listed_pay_to,network,listed_network,http_status,source_list,timestamp,permalink,checked_again,checked_again_at,corrected',
      );
      expect(text.split('\r\n')[1]).toBe(
        [
          `0000000001,https://a.example/000001,GET,skip,price_mismatch,timeout,0.01,0.05`,
          '0x857b06519E91e3A54538791bDbb0E22373e36b66,0x209693Bc6afc0C5328bA36FaF03C514EF312287C',
          'eip155:8453,solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp,402,first-list,2026-11-15T12:00:00.000Z',
          `${BASE_URL}/v1/receipts/0000000001`,
          ',,',
        ].join(','),
      );
      expect(text.endsWith('\r\n')).toBe(true);
    });

    it.each(HOSTILE.map(([what, , cell], n) => [what, cell, n + 1] as const))(
      '%s stays one harmless cell',
      async (_, cell, n) => {
        const { text } = await ask('/v1/skips.csv');
        const [, line = ''] = text.split(`\r\n${crawlId(n)},`);
        expect(line).toContain(cell);
      },
    );
  });

  describe('GET /v1/skips.atom', () => {
    const pay = { verdict: 'pay', code: 'price_ok' } as const;
    const row = (n: number, key: number, changes: Partial<CrawlReceipt> = {}) => ({
      ...crawlRow(n, { checkedAt: minutesAfterNoon(n), ...changes }),
      urlKey: `feed-${key}`,
    });
    const entriesOf = (text: string) =>
      [...text.matchAll(/<entry>([\s\S]*?)<\/entry>/g)].map(([, entry = '']) => entry);
    const inside = (name: string, text: string) =>
      new RegExp(`<${name}>([\\s\\S]*?)</${name}>`).exec(text)?.[1];

    beforeAll(async () => {
      await publish('before', [row(101, 1), row(102, 2, pay), row(103, 3)], 200);
      const hostile = { url: 'https://a.example/?a=1&b=<x>', reason: ']]><script>\u202e\u0000\ud800' };
      await publish(
        'after',
        [row(201, 1), row(202, 2), row(203, 4), row(204, 5, pay), row(205, 6, hostile)],
        300,
      );
      service.clock.now = minutesAfterNoon(301);
    });

    it('has the skips that the run before did not have as skips, newest first', async () => {
      const { status, text, header } = await ask('/v1/skips.atom');
      expect(status).toBe(200);
      expect(header('content-type')).toBe('application/atom+xml; charset=utf-8');
      const ids = entriesOf(text).map((entry) => inside('id', entry));
      // The first was a skip already; the second was to be paid; the fourth is to be paid.
      expect(ids).toEqual([205, 203, 202].map((n) => `${BASE_URL}/v1/receipts/${crawlId(n)}`));
    });

    it('is Atom 1.0: an id, a title, a time and an author; each entry an id, a title, a time and a link', async () => {
      const { text } = await ask('/v1/skips.atom');
      expect(
        text.startsWith('<?xml version="1.0" encoding="UTF-8"?>\n<feed xmlns="http://www.w3.org/2005/Atom"'),
      ).toBe(true);
      const [head = ''] = text.split('<entry>', 1);
      expect(inside('id', head)).toBe(`${BASE_URL}/v1/skips.atom`);
      expect(inside('updated', head)).toBe('2026-11-15T15:25:00.000Z');
      expect(inside('author', head)).toBe('<name>Assay</name>');
      expect(head).toContain(
        `<link rel="self" type="application/atom+xml" href="${BASE_URL}/v1/skips.atom"/>`,
      );
      const [, entry = ''] = entriesOf(text);
      expect(inside('title', entry)).toBe('GET https://a.example/000203');
      expect(inside('updated', entry)).toBe('2026-11-15T15:23:00.000Z');
      expect(inside('summary', entry)).toBe('price mismatch: listed $0.01, 402 asks $0.05');
      expect(entry).toContain(`<link rel="alternate" href="${BASE_URL}/v1/receipts/00000000cb"/>`);
    });

    it('what a stranger wrote is text, without signs that XML forbids', async () => {
      const [entry = ''] = entriesOf((await ask('/v1/skips.atom')).text);
      expect(inside('title', entry)).toBe('GET https://a.example/?a=1&amp;b=&lt;x&gt;');
      expect(inside('summary', entry)).toBe(']]&gt;&lt;script&gt;\ufffd\ufffd\ufffd');
    });

    it('is tagged, stays under the address that was called, and is kept for a short time', async () => {
      const first = await ask('/v1/skips.atom');
      expect(first.header('cache-control')).toBe('public, max-age=60');
      const headers = { 'if-none-match': first.header('etag') ?? '' };
      expect((await ask('/v1/skips.atom', { headers })).status).toBe(304);
      const other = await ask('/v1/skips.atom', { headers: { host: 'alt.example.org' } });
      expect(other.text).toContain(`<id>${ALT_URL}/v1/skips.atom</id>`);
      expect(other.text).not.toContain(BASE_URL);
    });
  });
});

describe('the feed', () => {
  it('has the skips of the first run, and no document says otherwise', async () => {
    const service = await startService();
    await publishCrawl(service.store.runs, 'first', [crawlRow(1)]);
    expect((await service.ask('/v1/skips.atom')).text).toContain('<entry>');
    const told = (await service.ask('/openapi.json')).json.paths['/v1/skips.atom'].get;
    expect(JSON.stringify(told)).not.toContain('Empty until');
    await service.close();
  });

  it('before the first run is empty, and still a feed', async () => {
    const service = await startService();
    const { status, text } = await service.ask('/v1/skips.atom');
    expect([status, text.includes('<entry>')]).toEqual([200, false]);
    expect(text).toContain('<updated>1970-01-01T00:00:00.000Z</updated>');
    await service.close();
  });
});
