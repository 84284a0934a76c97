import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PAYEE } from '../../../tools/samples/challenge.ts';
import { crawled, publishCrawl } from '../../support/crawling/published-crawl.ts';
import { askPicture } from '../../support/pictures/ask-picture.ts';
import {
  ALT_URL,
  BASE_URL,
  NOON,
  startService,
  type TestService,
} from '../../support/running/running-service.ts';

const GREEN = '#0a6b3b';
const RED = '#b3261e';
const BROWN = '#7a5200';
const GREY = '#55606e';
const MUCH = 5_000;

describe('GET /v1/receipts/{id}.png', () => {
  let service: TestService;
  const card = (id: string, headers = {}) => askPicture(service, `/v1/receipts/${id}.png`, headers);
  const coloursOf = async (id: string) => {
    const picture = (await card(id)).picture();
    return [GREEN, RED, BROWN, GREY].filter((colour) => picture.count(colour) > MUCH);
  };
  const check = async (query: string): Promise<string> =>
    (await service.ask(`/v1/products/endpoint-spot-check?url=http://seller.example/${query}`)).json
      .receipt_id;
  const EXPECTED = `honest&claimed_price=0.01&pay_to=${PAYEE}&network=base`;
  const at = (ms: number) => {
    service.clock.now = new Date(NOON.getTime() + ms);
  };

  beforeAll(async () => {
    service = await startService({ door: 'socket' });
    const unread = { quotedPrice: null, payTo: null } as const;
    await publishCrawl(service.store.runs, 'run-1', [
      crawled('https://a.example/dear', { id: '00000000a1' }),
      crawled('https://a.example/slow', {
        ...{ ...unread, id: '00000000a2', verdict: 'recheck', code: 'timeout', reason: 'timeout after 5 s' },
      }),
      crawled('https://a.example/input', { ...unread, id: '00000000a3', code: 'needs_input' }),
      crawled('https://a.example/good', { id: '00000000a4', verdict: 'pay', code: 'price_ok' }),
      crawled('https://a.example/hostile', {
        id: '00000000a5',
        url: 'https://h"><image href="/etc/passwd">\u202e.example/x',
        reason: '"><script>alert(1)</script>\u202e',
      }),
      crawled(`https://${'long-label.'.repeat(15)}example/x`, { id: '00000000a6' }),
    ]);
  });
  afterAll(() => service.close());

  it.each([
    ['skip', '00000000a1', [RED]],
    ['recheck', '00000000a2', [BROWN]],
    ['needs input', '00000000a3', [GREY]],
    ['pay in the crawl', '00000000a4', [GREEN]],
    ['a hostile URL and reason', '00000000a5', [RED]],
    ['a long host', '00000000a6', [RED]],
  ])(
    '%s: 1200 by 630, in the colour of its verdict and no other, nothing at the edges',
    async (_, id, colours) => {
      const { status, headers, bytes, picture } = await card(id);
      expect([status, headers.get('content-type'), headers.get('cross-origin-resource-policy')]).toEqual([
        ...[200, 'image/png', 'cross-origin'],
      ]);
      expect(bytes.length).toBeLessThan(60_000);
      const { width, height, at: pixel } = picture();
      expect([width, height]).toEqual([1_200, 630]);
      expect(await coloursOf(id)).toEqual(colours);
      const edge = Array.from({ length: 488 }, (_none, row) => pixel(1_135, 12 + row));
      expect(new Set(edge)).toEqual(new Set([pixel(2, 300)]));
    },
  );

  it('an approval is green until its deadline, and then a grey ring; no cache keeps it longer', async () => {
    at(0);
    const id = await check(EXPECTED);
    expect(await coloursOf(id)).toEqual([GREEN]);
    expect((await card(id)).headers.get('cache-control')).toBe('public, max-age=30');
    at(45_000);
    expect((await card(id)).headers.get('cache-control')).toBe('public, max-age=14');
    const green = (await card(id)).headers.get('etag') ?? '';
    expect((await card(id, { 'if-none-match': green })).status).toBe(304);
    at(60_000);
    expect(await coloursOf(id)).toEqual([GREY]);
    expect((await card(id, { 'if-none-match': green })).status).toBe(200);
    expect((await card(id)).headers.get('cache-control')).toBe('public, max-age=30');
  });

  it('pay with nothing compared is not green', async () => {
    at(0);
    expect(await coloursOf(await check('honest?bare'))).toEqual([BROWN]);
  });

  it('a corrected verdict is grey', async () => {
    at(0);
    const id = await check(`${EXPECTED}&client=corrected`);
    expect(await coloursOf(id)).toEqual([GREEN]);
    const wrong = { receiptId: id, at: NOON, was: 'pay', is: 'skip', because: 'a fault of ours' } as const;
    await service.store.corrections.add(wrong);
    expect(await coloursOf(id)).toEqual([GREY]);
  });

  it('410 once it is withdrawn', async () => {
    at(0);
    const id = await check(`${EXPECTED}&client=withdrawn`);
    expect((await card(id)).status).toBe(200);
    await service.store.withdrawals.withdraw(id, 'legal', NOON);
    expect((await card(id)).status).toBe(410);
  });

  it.each(['00000000ff', 'sc-00000000000000ff', 'x', '', '../../etc/passwd', '00000000a1.png'])(
    '404 for %o',
    async (id) => {
      const { status, headers } = await card(encodeURIComponent(id));
      expect([status, headers.get('content-type')]).toEqual([404, 'application/problem+json; charset=utf-8']);
    },
  );

  it('shows the address that was called', async () => {
    const etagAt = async (address: string) => {
      const headers = { host: new URL(address).host };
      return (await service.ask('/v1/receipts/00000000a1.png', { headers })).header('etag');
    };
    expect(await etagAt(BASE_URL)).toBe((await card('00000000a1')).headers.get('etag'));
    expect(await etagAt(ALT_URL)).not.toBe(await etagAt(BASE_URL));
    expect(service.faults).toEqual([]);
  });
});

it('an approval that waited to be painted: no cache keeps it longer than it lasts', async () => {
  const waits = { ms: 20_000 };
  const paint = async () => {
    service.clock.now = new Date(service.clock.now.getTime() + waits.ms);
    return Buffer.from('a picture');
  };
  const service = await startService({ world: { painter: { paint, close: async () => {} } } });
  const { json } = await service.ask(
    `/v1/products/endpoint-spot-check?url=http://seller.example/honest&claimed_price=0.01&pay_to=${PAYEE}&network=base`,
  );
  const cachingAt = async (ms: number, base: string) => {
    service.clock.now = new Date(NOON.getTime() + ms);
    const headers = { host: new URL(base).host };
    return (await service.ask(`/v1/receipts/${json.receipt_id}.png`, { headers })).header('cache-control');
  };
  expect(await cachingAt(20_000, BASE_URL)).toBe('public, max-age=19');
  expect(await cachingAt(45_000, ALT_URL)).toBe('no-store');
  await service.close();
});
