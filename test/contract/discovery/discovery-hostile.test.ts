import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ReadingLimits } from '../../../src/adapters/discovery/reading-limits.ts';
import { listSource } from '../../../src/core/crawl/list-outcome.ts';
import { PASSWORD } from '../../support/hostile/hostile-input.ts';
import { type ListServer, readAll, shown, sourceOf, startListServer } from './discovery-server.ts';

let server: ListServer;
beforeAll(async () => {
  server = await startListServer();
});
afterAll(() => server.stop());

const GOOD = '{"url":"https://seller.example.com/good"}';

function read(
  answer: (response: ServerResponse) => void,
  data: object = {},
  limits: Partial<ReadingLimits> = {},
) {
  server.answer((_, response) => answer(response));
  return readAll(sourceOf(data, { fetch: server.fetch, limits }));
}

/** Writes for as long as somebody listens; resolves with the number of bytes that went out. */
function endless(response: ServerResponse, first: string, again: Buffer): Promise<number> {
  return new Promise((resolve) => {
    const more = () => {
      while (!response.destroyed && response.write(again));
    };
    response.on('drain', more);
    response.on('close', () => resolve(response.socket?.bytesWritten ?? 0));
    response.write(first);
    more();
  });
}

const MEGABYTE = 1_048_576;
const SMALL = { pageBytes: MEGABYTE };

describe('a body without an end', () => {
  it.each<[why: string, first: string, again: string, limits?: Partial<ReadingLimits>]>([
    ['of blanks', `{"items":[${GOOD},`, ' ', SMALL],
    ['inside of a string', `{"items":[${GOOD},"`, 'x', SMALL],
    ['of brackets', `{"items":[${GOOD},`, '[', SMALL],
    ['inside of a name outside of the list', `{"items":[${GOOD}],"`, 'x', SMALL],
    ['of objects around the list', `{"items":[${GOOD}],"a":`, '{"a":', SMALL],
    ['before the list', '{"x":"', 'x', SMALL],
    ['that is not JSON at all', 'hello', 'hello', SMALL],
    ['that is read with the limit as it is', `{"items":[${GOOD},"`, 'x'],
  ])('%s is left at the limit for a page', async (_, first, again, limits = {}) => {
    let sent: Promise<number> | undefined;
    const { endpoints, outcome } = await read(
      (response) => {
        sent = endless(response, first, Buffer.from(again.repeat(MEGABYTE / again.length)));
      },
      {},
      limits,
    );
    expect(outcome).toMatchObject({ kind: 'failed', fault: { kind: 'too_large' } });
    expect(endpoints.length).toBeLessThanOrEqual(1);
    expect(server.requests).toHaveLength(1);
    // The page itself, and what was on its way when it was left.
    expect(await sent).toBeLessThan((limits.pageBytes ?? 16 * MEGABYTE) + 16 * MEGABYTE);
  });

  it('of entries is left there, too, and what came until then was handed over', async () => {
    const { endpoints, outcome } = await read(
      (response) => {
        endless(response, '[', Buffer.from(`${GOOD},`.repeat(1_000)));
      },
      {},
      SMALL,
    );
    expect(outcome).toMatchObject({ kind: 'failed', fault: { kind: 'too_large' }, items: 0 });
    expect(endpoints.length).toBeGreaterThan(20_000);
  });

  it('is left earlier when the room for entries is used up', async () => {
    const { outcome } = await read(
      (response) => {
        endless(response, '[', Buffer.from(`${GOOD},`.repeat(1_000)));
      },
      {},
      { ...SMALL, rows: 700 },
    );
    expect(outcome).toMatchObject({ kind: 'read', cut: 'row_limit', items: 700 });
  });

  it('is not made by compressing it', async () => {
    const bomb = gzipSync(Buffer.alloc(8 * MEGABYTE, 0x20));
    expect(bomb.length).toBeLessThan(MEGABYTE / 8);
    const { outcome } = await read(
      (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb),
      {},
      SMALL,
    );
    expect(outcome).toMatchObject({ kind: 'failed', fault: { kind: 'too_large' } });
  });
});

const deep = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;

describe('a bad entry', () => {
  it.each<[why: string, entry: string | Buffer, reason: string]>([
    ['a number', '7', 'not_an_entry'],
    ['nothing', 'null', 'not_an_entry'],
    ['a list', `[${GOOD}]`, 'not_an_entry'],
    ['an empty object', '{}', 'no_url'],
    ['a URL that is a number', '{"url":7}', 'no_url'],
    ['a URL that is an object', '{"resource":{"href":"https://seller.example.com/x"}}', 'no_url'],
    ['a text that is no URL', '"seller.example.com"', 'bad_url'],
    ['another scheme', '{"url":"javascript:alert(1)"}', 'bad_url'],
    ['a path without a host', '{"url":"/v1/x"}', 'bad_url'],
    ['a NUL in the URL', '{"url":"https://seller.example.com/\\u0000"}', 'bad_url'],
    ['a host that is none', '{"url":"https://exa mple/"}', 'bad_url'],
    ['a URL of 10,000 letters', `{"url":"https://seller.example.com/${'x'.repeat(10_000)}"}`, 'bad_url'],
    ['credentials', `{"url":"https://user:${PASSWORD}@seller.example.com/"}`, 'credentials_in_url'],
    ['only a user name', '{"url":"https://user@seller.example.com/"}', 'credentials_in_url'],
    [
      '10 MB in one string',
      `{"url":"https://seller.example.com/","x":"${'x'.repeat(10_000_000)}"}`,
      'too_large',
    ],
    ['40 levels', deep(40), 'too_deep'],
    ['20,000 levels', deep(20_000), 'too_deep'],
    [
      'two URLs under one name',
      '{"url":"https://a.example.com/","url":"https://b.example.com/"}',
      'ambiguous',
    ],
    [
      'two payees deep inside',
      '{"url":"https://a.example.com/","accepts":[{"payTo":"a","payTo":"b"}]}',
      'ambiguous',
    ],
    ['a name in disguise', '{"\\u0075rl":"https://a.example.com/"}', 'ambiguous'],
    ['a raw NUL', Buffer.from('{"url":"https://seller.example.com/\0"}'), 'not_json'],
    ['bytes that are no text', Buffer.from([0x7b, 0xff, 0xfe, 0x7d]), 'not_json'],
    ['half an object', '{"url":}', 'not_json'],
    ['NaN', '{"url":"https://seller.example.com/","price_usd":NaN}', 'not_json'],
    ['a member of its prototype', '{"__proto__":{"url":"https://seller.example.com/"}}', 'no_url'],
  ])('with %s is left out and counted; the ones around it are read', async (_, entry, reason) => {
    const { endpoints, outcome } = await read((response) => {
      response.write(`{"items":[${GOOD},`);
      response.write(entry);
      response.end(`,${GOOD}],"total":3}`);
    });
    expect(endpoints.map(({ target }) => target.href)).toEqual([
      'https://seller.example.com/good',
      'https://seller.example.com/good',
    ]);
    expect(outcome).toEqual({
      kind: 'read',
      cut: null,
      items: 2,
      leftOut: new Map([[reason, 1]]),
      announced: 3,
      sha256: expect.any(String),
    });
    if (outcome.kind === 'read') expect(JSON.stringify(listSource(outcome))).not.toContain(PASSWORD);
  });

  it('may be nearly all of a long list', async () => {
    const { outcome } = await read((response) => response.end(`[${'1,'.repeat(200_000)}${GOOD}]`));
    expect(outcome).toMatchObject({ items: 1, leftOut: new Map([['not_an_entry', 200_000]]) });
  });

  it('may have too many endpoints, and keeps the first 200', async () => {
    const endpoints = Array.from({ length: 1_000 }, (_, n) => `https://seller.example.com/${n}`);
    const { outcome } = await read((response) => response.end(JSON.stringify([{ endpoints }])), {
      endpoints: ['endpoints'],
    });
    expect(outcome).toMatchObject({ items: 200, leftOut: new Map([['too_many_endpoints', 1]]) });
  });
});

describe('an entry with a bad part', () => {
  const URL_PART = '"url":"https://seller.example.com/x"';
  const plain = ['GET', 'https://seller.example.com/x', null, null, null, null, null];
  const changed = (at: number, value: unknown) => plain.map((one, index) => (index === at ? value : one));

  it.each<[why: string, part: string, row: unknown[]]>([
    ['a price that is NaN', '"price_usd":"NaN"', plain],
    ['a negative price', '"price_usd":-1', plain],
    ['a price of 400 digits', `"price_usd":${'9'.repeat(400)}`, plain],
    ['an amount of 70 digits', `"price_atomic":"${'9'.repeat(70)}"`, plain],
    ['a price in hexadecimal', '"price_usd":"0x10"', plain],
    ['a price that is an object', '"price_usd":{"toString":1,"valueOf":1}', plain],
    ['offers that are no list', '"accepts":{"0":{"network":"base"},"length":1}', plain],
    ['offers that are no objects', '"accepts":[null,1,"x",[]]', plain],
    ['a network that is a sentence', '"network":"pay here: evil"', plain],
    ['a list of strange networks', '"networks":[{"toString":1},null]', plain],
    ['a payee that is markup', '"pay_to":"<img src=x onerror=alert(1)>"', plain],
    ['a method that is an object', '"method":{"toString":1}', plain],
    ['a list of strange methods', '"method":[{"toString":1},null,"POST"]', changed(0, 'POST')],
    ['a date that is an object', '"lastUpdated":{"toString":1}', plain],
    ['parameters that are no list', '"parameters":{"length":9}', plain],
    ['strange parameters', '"parameters":[null,1,{"name":{"toString":1},"example":1},{"name":"a"}]', plain],
    ['a query with strange values', '"input":{"queryParams":{"a":{"toString":1},"b":[1],"c":null}}', plain],
    ['an example of 20,000 letters', `"input":{"queryParams":{"a":"${'x'.repeat(20_000)}"}}`, plain],
    ['a body of 20,000 letters', `"input":{"body":{"a":"${'x'.repeat(20_000)}"}}`, plain],
    ['a script for a name', '"name":"<script>alert(1)</script>"', changed(6, 'scriptalert(1)/script')],
    ['a name with quotes', '"name":"\\"a\' onclick=`b`"', changed(6, 'a onclickb')],
    ['a name that runs backwards', '"name":"a\\u202eb\\u200b\\u0000c\\ud800"', changed(6, 'abc')],
    ['a name in many lines', '"name":"  a\\r\\n\\t b  "', changed(6, 'a b')],
    ['a name of 9,000 letters', `"name":"${'é'.repeat(9_000)}"`, changed(6, 'é'.repeat(80))],
    ['a name of signs only', '"name":"<<<>>>"', plain],
    ['a name that is a URL with a secret', `"name":"https://x.example.com/?key=${PASSWORD}"`, plain],
    ['a name that is no text', '"name":["a"]', plain],
  ])('is read without it: %s', async (_, part, row) => {
    const { endpoints, outcome } = await read((response) => response.end(`[{${URL_PART},${part}}]`));
    expect(endpoints.map(shown)).toEqual([row]);
    expect(outcome).toMatchObject({ items: 1, leftOut: new Map() });
    expect(Object.keys(Object.prototype)).toEqual([]);
  });
});

describe('a strange page', () => {
  it.each<[why: string, text: string, items: number]>([
    ['nested deeply around its list', `{"a":${deep(50_000)},"items":[${GOOD}]}`, 1],
    ['with 300 kB around its list', `{"a":"${'x'.repeat(300_000)}","items":[${GOOD}]}`, 1],
    ['with a name of 300 kB around its list', `{"${'x'.repeat(300_000)}":1,"items":[${GOOD}]}`, 1],
    ['with brackets in its strings', `{"a":"]}[{\\"items\\":[","items":[${GOOD}]}`, 1],
    ['with its list twice', `{"items":[${GOOD}],"items":[${GOOD}]}`, 2],
    ['with more after its end', `{"items":[${GOOD}]}\0\0{"items":[1]`, 1],
    ['with commas in a row', `{"items":[,,${GOOD},,]}`, 1],
    ['with its prototype for an envelope', `{"__proto__":{"total":9},"items":[${GOOD}]}`, 1],
  ])('%s is read', async (_, text, items) => {
    const { endpoints } = await read((response) => response.end(text));
    expect(endpoints).toHaveLength(items);
  });
});
