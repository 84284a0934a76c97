import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type Answer,
  type ListServer,
  type ReadOptions,
  readAll,
  sourceOf,
  startListServer,
} from './discovery-server.ts';

let server: ListServer;
beforeAll(async () => {
  server = await startListServer();
});
afterAll(() => server.stop());

function read(data: object, answer: Answer, options: Partial<ReadOptions> = {}) {
  server.answer(answer);
  return readAll(sourceOf(data, { fetch: server.fetch, ...options }));
}

const entry = (n: number) => ({ url: `https://seller.example.com/${n}` });
const range = (from: number, to: number) =>
  Array.from({ length: Math.max(0, to - from) }, (_, n) => from + n);
const numbersOf = (endpoints: readonly { target: { pathAndQuery: string } }[]) =>
  endpoints.map(({ target }) => Number(target.pathAndQuery.slice(1)));
const asked = () => server.requests.map(({ url }) => new URL(url).search);

/** A list of so many entries that answers at most so many at a time. */
function offsetList(entries: number, cap: number, total: unknown = entries): Answer {
  return ({ searchParams }, response) => {
    const offset = Number(searchParams.get('offset'));
    const limit = Math.min(Number(searchParams.get('limit')), cap);
    const items = range(offset, Math.min(entries, offset + limit)).map(entry);
    response.end(JSON.stringify({ items, pagination: { total } }));
  };
}

const OFFSET = { pages: { by: 'offset', size: 3 } };

describe('pages by offset', () => {
  it.each<[why: string, answer: Answer, read: number, queries: string[]]>([
    ['ends at a short page that completes the total', offsetList(5, 3), 5, ['0', '3']],
    ['asks once more after a full last page', offsetList(6, 3), 6, ['0', '3', '6']],
    ['goes on after short pages of a server with a lower cap', offsetList(5, 2), 5, ['0', '2', '4']],
    ['reads to an empty page without a total', offsetList(4, 3, null), 4, ['0', '3', '4']],
    ['does not believe a total that is too low', offsetList(5, 3, 1), 5, ['0', '3']],
    ['does not believe a total that is too high', offsetList(4, 3, 100), 4, ['0', '3', '4']],
    ['takes a total that is no number for none', offsetList(2, 3, '2'), 2, ['0', '2']],
    ['is content with an empty list', offsetList(0, 3), 0, ['0']],
  ])('%s', async (_, answer, count, offsets) => {
    const { endpoints, outcome } = await read(OFFSET, answer);
    expect(numbersOf(endpoints)).toEqual(range(0, count));
    expect(outcome).toMatchObject({ kind: 'read', cut: null, items: count });
    expect(asked()).toEqual(offsets.map((offset) => `?limit=3&offset=${offset}`));
  });

  it('keeps the query that the address has, and uses the names the list uses', async () => {
    const pages = { by: 'offset', size: 9, offset: 'skip', limit: 'take' };
    await read({ url: 'https://list.example.com/api?kind=a%20b', pages }, offsetList(0, 3));
    expect(asked()).toEqual(['?kind=a+b&take=9&skip=0']);
  });

  it('asks nothing beyond the last offset a list answers', async () => {
    const { endpoints, outcome } = await read(
      { pages: { by: 'offset', size: 3, last_offset: 5 } },
      offsetList(100, 3),
    );
    expect(numbersOf(endpoints)).toEqual(range(0, 6));
    expect(outcome).toMatchObject({ kind: 'read', announced: 100 });
  });

  it.each<[why: string, total: number | null, status: number, outcome: object]>([
    ['an error past the end is the end', null, 400, { kind: 'read', items: 3 }],
    ['also when the total is reached', 3, 404, { kind: 'read', items: 3 }],
    [
      'not while entries are missing',
      5,
      404,
      { kind: 'failed', fault: { kind: 'http_status', status: 404 } },
    ],
    ['and not when it is no error of ours', 3, 403, { kind: 'failed', fault: { kind: 'refused' } }],
  ])('%s', async (_, total, status, outcome) => {
    const whole = offsetList(3, 3, total);
    const { outcome: end } = await read(OFFSET, (url, response, request) =>
      url.searchParams.get('offset') === '0'
        ? whole(url, response, request)
        : response.writeHead(status).end('{"error":"offset"}'),
    );
    expect(end).toMatchObject(outcome);
  });
});

describe('pages by number and by cursor', () => {
  it.each<[why: string, first: number, pages: string[]]>([
    ['from one', 1, ['1', '2', '3']],
    ['from zero', 0, ['0', '1', '2']],
  ])('counts %s', async (_, first, pages) => {
    const { endpoints } = await read(
      { pages: { by: 'page', size: 2, first } },
      ({ searchParams }, response) => {
        const at = 2 * (Number(searchParams.get('page')) - first);
        response.end(JSON.stringify({ data: range(at, Math.min(5, at + 2)).map(entry), meta: { total: 5 } }));
      },
    );
    expect(numbersOf(endpoints)).toEqual(range(0, 5));
    expect(asked()).toEqual(pages.map((page) => `?limit=2&page=${page}`));
  });

  const CURSOR = { pages: { by: 'cursor', size: 2, next: 'page.next' } };

  it.each<[why: string, last: unknown]>([
    ['is null', null],
    ['is missing', undefined],
    ['is empty', ''],
    ['is no cursor', { a: 1 }],
    ['is too long', 'x'.repeat(2_000)],
  ])('follows cursors until one %s', async (_, last) => {
    const cursors: unknown[] = ['b&c', 7, last];
    let page = 0;
    const { endpoints, outcome } = await read(CURSOR, (_url, response) => {
      response.end(JSON.stringify({ items: [entry(page)], page: { next: cursors[page] } }));
      page += 1;
    });
    expect(numbersOf(endpoints)).toEqual([0, 1, 2]);
    expect(outcome).toMatchObject({ kind: 'read', cut: null });
    expect(asked()).toEqual(['?limit=2', '?limit=2&cursor=b%26c', '?limit=2&cursor=7']);
  });

  it('asks nothing more once a page names itself as the next one', async () => {
    let page = 0;
    const { outcome } = await read(CURSOR, (_url, response) => {
      page += 1;
      response.end(JSON.stringify({ items: [entry(page)], page: { next: 'last' } }));
    });
    expect(outcome).toMatchObject({ kind: 'read', cut: null, items: 2 });
    expect(asked()).toEqual(['?limit=2', '?limit=2&cursor=last']);
  });

  it('fails when the next cursor is lost in a page that is too large', async () => {
    const { outcome } = await read(CURSOR, (_, response) =>
      response.end(JSON.stringify({ items: [entry(1)], note: 'x'.repeat(300_000), page: { next: 'a' } })),
    );
    expect(outcome).toMatchObject({ kind: 'failed', fault: { kind: 'lost_cursor' } });
  });
});

describe('a list that never ends', () => {
  const endless: Answer = ({ searchParams }, response) => {
    const offset = Number(searchParams.get('offset'));
    response.end(JSON.stringify({ items: range(offset, offset + 3).map(entry) }));
  };

  it('is left at the limit of entries, which unreadable ones use up as well', async () => {
    const limits = { rows: 7 };
    const { endpoints, outcome } = await read(OFFSET, endless, { limits });
    expect(numbersOf(endpoints)).toEqual(range(0, 7));
    expect(outcome).toMatchObject({ kind: 'read', cut: 'row_limit', items: 7 });
    const unreadable = await read(OFFSET, (url, response) => response.end(`[{"a":"${url.search}"},2,3]`), {
      limits,
    });
    expect(unreadable.outcome).toMatchObject({ kind: 'read', cut: 'row_limit', items: 0 });
    expect(server.requests).toHaveLength(3);
  });

  it('is left at the limit of pages', async () => {
    const { outcome } = await read(OFFSET, endless, { limits: { pages: 4 } });
    expect(outcome).toMatchObject({ kind: 'read', cut: 'page_limit', items: 12 });
    expect(server.requests).toHaveLength(4);
  });

  it.each<[why: string, pages: object, answer: Answer, items: number, requests: number]>([
    [
      'whatever is asked',
      OFFSET.pages,
      (_, response) => response.end(JSON.stringify([entry(1), entry(2), entry(3)])),
      3,
      2,
    ],
    [
      'with another time in every entry',
      OFFSET.pages,
      ({ searchParams }, response) => {
        const lastUpdated = 1_700_000_000 + Number(searchParams.get('offset'));
        response.end(JSON.stringify([{ ...entry(1), lastUpdated }]));
      },
      1,
      2,
    ],
    [
      'through cursors that lead in a circle',
      { by: 'cursor', size: 2, next: 'next' },
      ({ searchParams }, response) => {
        const isB = searchParams.get('cursor') === 'b';
        response.end(JSON.stringify({ items: [entry(isB ? 2 : 1)], next: isB ? 'a' : 'b' }));
      },
      2,
      3,
    ],
  ])('is left once it repeats a page %s', async (_, pages, answer, items, requests) => {
    const { outcome } = await read({ pages }, answer);
    expect(outcome).toMatchObject({ kind: 'read', cut: 'repeated_page', items });
    expect(server.requests).toHaveLength(requests);
  });
});

describe('where the entries are', () => {
  it.each<[why: string, document: unknown, data?: object]>([
    ['the document itself', [entry(1)]],
    ['items', { items: [entry(1)] }],
    ['resources', { version: 1, resources: [entry(1)] }],
    ['services', { services: [entry(1)] }],
    ['results', { results: [entry(1)] }],
    ['data', { data: [entry(1)] }],
    ['data.items', { code: '0', data: { items: [entry(1)], pagination: {} } }],
    ['a place that the configuration names', { a: { b: { c: [entry(1)] } } }, { rows: ['a.b.c'] }],
  ])('%s', async (_, document, data = {}) => {
    const { endpoints } = await read(data, (_url, response) => response.end(JSON.stringify(document)));
    expect(numbersOf(endpoints)).toEqual([1]);
  });

  it('after a byte order mark, between blanks, and in both of two lists', async () => {
    const text =
      '\ufeff\r\n\t { "resources" : [ "https://seller.example.com/1" , ] , "items":[ "https://seller.example.com/2" ]}';
    const { endpoints } = await read({}, (_, response) => response.end(text));
    expect(numbersOf(endpoints)).toEqual([1, 2]);
  });

  it.each<[why: string, text: string]>([
    ['an error with status 200', '{"error":"try later"}'],
    ['a web page', '<html><script>var items = ["https://seller.example.com/1"]</script></html>'],
    ['nothing', ''],
    ['a list deeper than lists are', '{"a":{"items":[1]},"x":[{"items":[1]}]}'],
    ['an object in the place of the list', '{"items":{"0":{"url":"https://seller.example.com/1"}}}'],
  ])('not in %s: that is no list', async (_, text) => {
    const { outcome } = await read({}, (_url, response) => response.end(text));
    expect(outcome).toMatchObject({ kind: 'failed', fault: { kind: 'no_entries' } });
  });
});
