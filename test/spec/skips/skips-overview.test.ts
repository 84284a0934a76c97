import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { crawlRow } from '../../../tools/samples/crawl-rows.ts';
import { network } from '../../../tools/samples/listed.ts';
import { publishCrawl } from '../../support/crawling/published-crawl.ts';
import { ALT_URL, BASE_URL, startService, type TestService } from '../../support/running/running-service.ts';

const HOSTILE_LIST = '"><img src=x onerror=alert(1)>';
const LONG = 'z'.repeat(2_000);

/** 6 price mismatches and 2 without a paywall on one list, 1 of each kind on others, 3 to pay, 1 to ask again. */
const ROWS = [
  ...Array.from({ length: 6 }, (_, n) =>
    crawlRow(n + 1, { sourceList: 'large', listedIn: ['large', 'copied'] }),
  ),
  ...[7, 8].map((n) =>
    crawlRow(n, { sourceList: 'large', listedIn: ['large'], code: 'no_paywall', network: null }),
  ),
  crawlRow(9, { sourceList: HOSTILE_LIST, code: 'path_template', network: network('eip155:99') }),
  crawlRow(10, { sourceList: LONG, code: 'pay_to_mismatch', url: `https://a.example/${LONG}`, reason: LONG }),
  crawlRow(11, {
    sourceList: '\u202elist',
    url: 'https://a.example/\u202e\u2066\u0007end',
    reason: 'a\u200bb',
  }),
  ...[12, 13, 14].map((n) =>
    crawlRow(n, { sourceList: 'large', listedIn: ['large'], verdict: 'pay', code: 'price_ok' }),
  ),
  crawlRow(15, { sourceList: 'quiet', listedIn: ['quiet', 'large'], verdict: 'recheck', code: 'timeout' }),
];

describe('the overview of /v1/skips', () => {
  let service: TestService;
  let text: string;

  beforeAll(async () => {
    service = await startService();
    const sources = new Map([
      ['large', { ok: true, items: 11, skipped: false, note: '' }],
      ['broken', { ok: false, items: null, skipped: false, note: 'answered <b>503</b>' }],
      ['empty', { ok: true, items: 0, skipped: false, note: '' }],
      ['dear', { ok: true, items: null, skipped: true, note: 'asks for a payment' }],
    ]);
    await publishCrawl(service.store.runs, 'run-1', ROWS, { sources });
    ({ text } = await service.ask('/v1/skips'));
  });
  afterAll(() => service.close());

  /** The cells of the row that begins with this head, as a reader sees them. */
  const cellsOf = (head: string) => {
    const rows = text.split('<tr').map((row) => `<tr${row.split('</tr>', 1).join('')}`);
    const row =
      rows.find((one) =>
        one
          .replace(/<[^>]*>/g, '')
          .trim()
          .startsWith(head),
      ) ?? '';
    const cells = row.split(/<\/t[hd]>/).slice(0, -1);
    return cells.map((cell) =>
      cell
        .replace(/<[^>]*>/g, '')
        .replace(/\s+/g, ' ')
        .trim(),
    );
  };

  it('shows the share of verdicts as an image with words, and as a table', () => {
    const words = 'Verdicts: Skip 73.3\u00a0%, Recheck 6.7\u00a0%, Pay 20.0\u00a0%';
    expect(text).toContain(`aria-label="${words}"><title>${words}</title>`);
    expect(cellsOf('Skip')).toEqual(['Skip', '11', '73.3 %']);
    expect(cellsOf('Pay')).toEqual(['Pay', '3', '20.0 %']);
    // 360 units without two gaps of 2, and 11 of 15 parts of them.
    expect(text).toContain('<rect x="0.00" width="261.07" height="28" rx="2" fill="url(#look-skip)"/>');
  });

  it('ranks the reasons, the gravest first, and leads to the skips of each', () => {
    expect(text).toContain(
      'aria-label="Reasons, most serious first: Payee differs 1, Price differs 7, No 402 challenge 2, Path template 1"',
    );
    expect(text).toContain(
      `<th scope="row"><a href="${BASE_URL}/v1/skips?reason=no_paywall">No 402 challenge</a></th><td class="number">2</td><td class="number">18.2\u00a0%</td>`,
    );
  });

  it('tells for each list how much of it disagrees with the live 402, and how reading it went', () => {
    expect(cellsOf('large')).toEqual(['large', '12', '11', '8', '6 (54.5 %)', 'read']);
    expect(cellsOf('quiet')).toEqual(['quiet', '1', '1', '0', '0 (0 %)', '']);
    expect(text).toContain(`href="${BASE_URL}/v1/skips?list=large"`);
    expect(text).not.toContain(`href="${BASE_URL}/v1/skips?list=quiet"`);
  });

  it('has words and no zeros for a list that nothing was compared with', () => {
    expect(cellsOf('copied')).toEqual(['copied', '6', 'Its 6 endpoints are compared under other lists.', '']);
    const unread = 'Not read, so nothing is known about it.';
    expect(cellsOf('broken')).toEqual(['broken', unread, 'failed: answered &lt;b&gt;503&lt;/b&gt;']);
    expect(cellsOf('dear')).toEqual(['dear', unread, 'skipped: asks for a payment']);
    expect(cellsOf('empty')).toEqual(['empty', 'No endpoint of it is in this run.', 'read']);
  });

  it('has a form whose fields are the parameters, each with its name', () => {
    const form = /<form[\s\S]*<\/form>/.exec(text)?.[0] ?? '';
    expect(form).toMatch(/^<form method="get" action="\/v1\/skips"/);
    const fields = [...form.matchAll(/<label>([^<]+) <(?:select|input)[^>]* name="([a-z]+)"/g)];
    expect(fields.map(([, label, name]) => [label, name])).toEqual([
      ['Reason', 'reason'],
      ['List', 'list'],
      ['Network', 'network'],
      ['Host', 'host'],
      ['URL contains', 'q'],
      ['Order', 'sort'],
    ]);
    expect(form).toContain('<option value="no_paywall">No 402 challenge: 2</option>');
    expect(form).toContain('<option value="eip155:8453">base (eip155:8453): 8</option>');
    expect(form).not.toContain('selected');
  });

  it('keeps what was asked for in the form and says it, escaped', async () => {
    const query = `reason=no_paywall&list=${encodeURIComponent(HOSTILE_LIST)}&network=eip155:1&host=%22onx%3D&q=%3Cb%3E`;
    const { text: filtered, header } = await service.ask(`/v1/skips?${query}`);
    expect(filtered).toContain('<option value="no_paywall" selected>');
    expect(filtered).toContain('<option value="&quot;&gt;&lt;img src=x onerror=alert(1)&gt;" selected>');
    expect(filtered).toContain('<option value="eip155:1" selected>eip155:1</option>');
    expect(filtered).toContain('name="host" value="&quot;onx="');
    expect(filtered).toContain('name="q" value="&lt;b&gt;"');
    expect(filtered).toContain('0 of 11 skips: no 402 challenge, on &quot;&gt;&lt;img');
    expect(filtered).toContain('No matching skips.');
    expect(header('x-robots-tag')).toBe('noindex');
    expect((await service.ask('/v1/skips')).header('x-robots-tag')).toBeNull();
  });

  it('leads to the same view as JSON and CSV and to the feed, under the address that was called', async () => {
    const headers = { host: 'alt.example.org' };
    const view = await service.ask('/v1/skips?q=0000&reason=no_paywall', { headers });
    for (const form of ['json', 'csv']) {
      expect(view.text).toContain(`href="${ALT_URL}/v1/skips.${form}?reason=no_paywall&amp;q=0000"`);
    }
    const feed = `<link rel="alternate" type="application/atom+xml" title="New endpoints to skip" href="${ALT_URL}/v1/skips.atom">`;
    expect(view.text.split('</head>')[0]).toContain(feed);
    expect(view.header('link')).toContain(
      `<${ALT_URL}/v1/skips.atom>; rel="alternate"; type="application/atom+xml"`,
    );
    expect(view.text).not.toContain(BASE_URL);
  });

  it('shows strings of strangers short and without signs that turn or hide text', () => {
    for (const sign of ['\u200b', '\u202e', '\u2066', '\u0007']) expect(text).not.toContain(sign);
    expect(text.replaceAll('<wbr>', '')).toContain('>https://a.example/\ufffd\ufffd\ufffdend</bdi>');
    expect(text).not.toMatch(/z{301}/);
    expect(text).not.toMatch(/<(?:script|style|img|!--)/i);
    expect(text.length).toBeLessThan(40_000);
  });

  it('filtered and later pages come without the charts', async () => {
    expect((await service.ask('/v1/skips?q=a')).text).not.toContain('class="chart');
  });

  it('a run of an older release has no counts to show, and still its rows', async () => {
    const [row] = await service.place.ask("select body from crawl_runs where id = 'run-1'");
    const body = JSON.parse(String(row?.['body']));
    const { facets: _, ...summary } = body.summary;
    await service.place.ask(
      `update crawl_runs set body = '${JSON.stringify({ ...body, id: 'run-1', summary }).replaceAll("'", "''")}'`,
    );
    // Another process on the same store, which has nothing in its memory.
    const fresh = await startService({ place: service.place });
    const { status, text: page } = await fresh.ask('/v1/skips');
    expect([status, page.includes('Why endpoints'), [...page.matchAll(/<tr id="/g)].length]).toEqual([
      200,
      false,
      11,
    ]);
    expect((await fresh.ask('/v1/skips.json?reason=no_paywall')).json.filter.matches).toBe(2);
    expect((await fresh.ask('/v1/skips.atom')).status).toBe(200);
  });
});
