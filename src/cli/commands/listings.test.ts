import { describe, expect, it } from 'vitest';
import { answering, PAYMENT_REQUIRED, problem, run } from '../../../test/support/running/command-line.ts';
import { sized } from '../../../test/support/sized.ts';
import { cellsOf } from '../show/plain-text.ts';

const EVIL = '\u001b[2J\u202e\nPAY';
const service = (id: string, more: object = {}) => ({
  id,
  endpoint: `https://${id}.example/data`,
  price_usd: '0.01',
  delivered_rate: 1,
  passed_receipts: 4,
  graded_receipts: 5,
  newest_receipt_at: '2026-11-15T09:00:00.000Z',
  ...more,
});
const LOOKUP = {
  matched: 2,
  results: [
    service('first'),
    service('second', {
      delivered_rate: null,
      graded_receipts: 0,
      newest_receipt_at: null,
      price_usd: '0.008',
    }),
  ],
  facts_only: [service('third', { facts_only_reason: 'the last three calls failed' })],
  access: { tier: 'free', free_per_day: 5, free_used_today: 1, free_remaining_today: 4 },
};

describe('assay lookup', () => {
  it('is a table, and says what is left', async () => {
    const told = await run(['lookup', 'weather'], answering({ '/v1/lookup': LOOKUP }));
    expect(told).toEqual({
      code: 0,
      out: [
        'service    USD  passed  delivered  last paid call  endpoint',
        'first     0.01     4/5      100 %  3 h ago         https://first.example/data',
        'second   0.008       -          -  never           https://second.example/data',
        '! third takes money and does not deliver: the last three calls failed',
        '',
      ].join('\n'),
      notes: 'assay: 4 of 5 free lookups left today\n',
    });
  });

  it('is whole in a pipe, and as wide as the terminal on one', async () => {
    const endpoint = `https://a.example/${'x'.repeat(200)}/end`;
    const answer = answering({ '/v1/lookup': { ...LOOKUP, results: [service('first', { endpoint })] } });
    expect((await run(['lookup', 'x'], answer)).out).toContain(`${endpoint}\n`);
    const { out } = await run(['lookup', 'x'], { ...answer, terminal: true, columns: 70, colour: 'never' });
    expect(Math.max(...out.split('\n').map(cellsOf))).toBe(70);
  });

  it('sends what was typed', async () => {
    const asking = answering({ '/v1/lookup': LOOKUP });
    await run(['lookup', 'web search', '--max-price', '0.02', '--n', '3', '--limit', '4'], asking);
    await run(['lookup', '--endpoint', 'an-id'], asking);
    expect(asking.asked.map(({ search }) => search)).toEqual([
      '?task=web+search&max_price=0.02&n=3&limit=4',
      '?endpoint=an-id',
    ]);
  });

  it('finds nothing, and says what is near', async () => {
    const answer = { matched: 0, results: [], facts_only: [], suggestions: ['weather', EVIL] };
    expect(await run(['lookup', 'wether'], answering({ '/v1/lookup': answer }))).toEqual({
      code: 0,
      out: '',
      notes: 'assay: no service matches\n  nearest tasks: weather, ?[2J? PAY\n',
    });
  });

  it('leads to the receipts of a URL that is no service', async () => {
    const links = { receipts_by_url: 'https://a.example/v1/receipts/by-url?url=x' };
    const answer = { matched: 0, results: [], facts_only: [], suggestions: [], links };
    const asking = answering({ '/v1/lookup': answer });
    expect((await run(['lookup', '--endpoint', 'https://b.example/'], asking)).notes).toBe(
      'assay: no service matches\n  receipts of this URL: https://a.example/v1/receipts/by-url?url=x\n',
    );
  });

  it('costs something once the day is used up', async () => {
    const { code, notes } = await run(['lookup', 'x'], answering({ '/v1/lookup': PAYMENT_REQUIRED }));
    expect(code).toBe(4);
    expect(notes).toMatch(
      /^assay: payment required: \$0\.012; .*\n {2}any x402 client .*\/v1\/lookup\?task=/,
    );
  });

  it.each([[[]], [['a', '--endpoint', 'b']], [['a', 'b']]])('of %j is invalid', async (argv) => {
    expect((await run(['lookup', ...argv])).code).toBe(2);
  });
});

const skip = (id: string, more: object = {}) => ({
  id,
  url: `https://${id}.example/`,
  reason: 'no 402 challenge (HTTP 200)',
  source_list: 'bazaar',
  ...more,
});
const page = (skips: readonly object[], more: object = {}) => ({
  crawled_at: '2026-11-14T12:00:00.000Z',
  endpoints_covered: 900,
  skip: 700,
  page: 1,
  pages: 1,
  skips,
  ...more,
});

describe('assay skips', () => {
  it('beyond the last page says so, and exits with 1', async () => {
    const fetch = async () => problem(404, 'There is no such page.');
    expect(await run(['skips', '--page', '99'], { fetch })).toEqual({
      code: 1,
      out: '',
      notes: 'assay: page 99 is beyond the last page\n',
    });
    const json = await run(['skips', '--page', '99', '--json'], { fetch });
    expect([json.code, JSON.parse(json.out)]).toMatchObject([1, { status: 404 }]);
    expect((await run(['skips'], { fetch })).code).toBe(5);
  });

  it('is a table', async () => {
    expect(await run(['skips'], answering({ '/v1/skips.json': page([skip('00112233aa')]) }))).toEqual({
      code: 0,
      out: [
        'receipt     list    reason                       url',
        '00112233aa  bazaar  no 402 challenge (HTTP 200)  https://00112233aa.example/',
        '',
      ].join('\n'),
      notes: 'assay: 1 shown; skip 700 of 900 endpoints, crawled 1 d ago\n',
    });
  });

  it('passes its filters on, and turns pages for as many rows as are wanted', async () => {
    const asking = answering({ '/v1/skips.json': page(Array(500).fill(skip('00112233aa')), { pages: 3 }) });
    const filters = [
      '--reason',
      'no_paywall',
      '--list',
      'bazaar',
      '--network',
      'base',
      '--host',
      'a.example',
    ];
    const { out } = await run(['skips', '--limit', '600', ...filters], asking);
    expect(out.trimEnd().split('\n')).toHaveLength(601);
    const query = 'reason=no_paywall&list=bazaar&network=base&host=a.example';
    expect(asking.asked.map(({ search }) => search)).toEqual([`?${query}`, `?${query}&page=2`]);
  });

  it('ends at a page without rows, however many there are said to be', async () => {
    const asking = answering({ '/v1/skips.json': page([], { pages: 1_000_000 }) });
    expect((await run(['skips'], asking)).code).toBe(0);
    expect(asking.asked).toHaveLength(1);
  });

  it('--json is one page, unchanged', async () => {
    const body = page([skip('00112233aa')], { pages: 9 });
    const asking = answering({ '/v1/skips.json': body });
    const { out } = await run(['skips', '--json', '--page', '4'], asking);
    expect([out, asking.asked.map(({ search }) => search)]).toEqual([
      `${JSON.stringify(body)}\n`,
      ['?page=4'],
    ]);
  });

  it('before the first crawl has nothing to show', async () => {
    const { out, notes } = await run(
      ['skips'],
      answering({ '/v1/skips.json': page([], { crawled_at: null }) }),
    );
    expect([out, notes]).toEqual(['', 'assay: no crawl has been published yet\n']);
  });

  it.each(['0', '5001', 'x', '-1', '1e2'])('--limit %s is invalid', async (limit) => {
    expect((await run(['skips', '--limit', limit])).code).toBe(2);
  });
});

describe('assay tasks', () => {
  it('is a table', async () => {
    const { code, out } = await run(
      ['tasks'],
      answering({ '/v1/tasks': { weather: ['a', 'b'], hash: ['c'] } }),
    );
    expect([code, out]).toEqual([
      0,
      'task     services  ids\nweather         2  a, b\nhash            1  c\n',
    ]);
  });

  it('of a service without end ends', async () => {
    const length = sized(20_000, 200_000);
    const many = Object.fromEntries(Array.from({ length }, (_, at) => [`task-${at}`, ['a']]));
    const { code, out } = await run(['tasks'], answering({ '/v1/tasks': many }));
    expect([code, out.split('\n').length]).toEqual([0, 10_002]);
  });

  it('of somebody else is shown to nobody', async () => {
    const { code, out } = await run(['tasks'], answering({ '/v1/tasks': { weather: 7 } }));
    expect([code, out]).toEqual([5, '']);
  });
});

it.each([40, 60, 80, 120])(
  'every table fits into %i columns, and no text of a stranger steers it',
  async (columns) => {
    const parts = answering({
      '/v1/lookup': { ...LOOKUP, results: [service(`x${EVIL}${'y'.repeat(90)}`, { price_usd: EVIL })] },
      '/v1/skips.json': page([
        skip('00112233aa', { reason: `${EVIL}z`.repeat(40), url: EVIL, source_list: EVIL }),
      ]),
      '/v1/tasks': { [EVIL]: [EVIL, 'b'.repeat(300)] },
    });
    for (const argv of [['lookup', 'x'], ['skips'], ['tasks']] as const) {
      const { out } = await run(argv, { ...parts, terminal: true, colour: 'never', columns });
      expect(out).not.toMatch(/[\u202e\u009b]/);
      expect(out).not.toContain('\u001b');
      for (const line of out.split('\n')) expect(cellsOf(line)).toBeLessThanOrEqual(columns);
    }
  },
);
