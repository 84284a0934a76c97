import { describe, expect, it } from 'vitest';
import { readLists } from './list-settings.ts';

const LIST = { name: 'a-list', format: 'json', url: 'https://list.example.com/api' };
const list = (changes: object) => [{ ...LIST, ...changes }];

describe('the configuration of discovery lists', () => {
  it('adds a list by data alone: where it is, where its entries are, and what they call things', () => {
    const reading = readLists(
      list({
        pages: { by: 'cursor', next: 'page.next', size: 50 },
        rows: ['payload.rows'],
        fields: { url: ['links.call'], name: ['about.title'] },
        only: { protocol: ['X402', 1] },
        numbers: 'usd',
      }),
    );
    expect(reading).toMatchObject({
      kind: 'lists',
      lists: [
        {
          name: 'a-list',
          paging: { by: 'cursor', cursor: 'cursor', next: ['page', 'next'], limit: 'limit', size: 50 },
          rows: ['payload.rows'],
          shape: {
            list: 'a-list',
            numbers: 'usd',
            only: [{ path: ['protocol'], values: new Set(['x402', '1']) }],
            fields: {
              url: [['links', 'call']],
              name: [['about', 'title']],
              price_usd: [['price_usd'], ['priceUsd'], ['pricing', 'amount']],
            },
          },
        },
      ],
    });
  });

  it('keeps the order of the file, which is the rank of the lists', () => {
    const reading = readLists([
      { name: 'b', format: 'skipped', note: 'paid' },
      { name: 'a', format: 'markdown', url: 'https://list.example.com/README.md' },
    ]);
    expect(reading.kind === 'lists' && reading.lists.map(({ name }) => name)).toEqual(['b', 'a']);
  });

  it.each<[why: string, data: unknown, name: string, field: string, problem: RegExp]>([
    ['no list of lists', { lists: [] }, '(lists)', '(file)', /must be a list/],
    ['an entry that is none', [7], '(entry 1)', '(entry)', /./],
    ['a name with blanks', list({ name: 'A list' }), '(entry 1)', 'name', /lower-case words/],
    ['a name twice', [LIST, LIST], 'a-list', 'name', /twice/],
    ['an unknown format', list({ format: 'xml' }), 'a-list', 'format', /./],
    ['a misspelt member', list({ page: {} }), 'a-list', '(entry)', /page/],
    [
      'a URL with a password',
      list({ url: 'https://a:b@list.example.com/' }),
      'a-list',
      'url',
      /without credentials/,
    ],
    ['another scheme', list({ url: 'file:///etc/passwd' }), 'a-list', 'url', /http/],
    ['an unknown way to page', list({ pages: { by: 'magic' } }), 'a-list', 'pages.by', /./],
    ['pages of nothing', list({ pages: { by: 'offset', size: 0 } }), 'a-list', 'pages.size', /./],
    ['pages without a size', list({ pages: { by: 'page' } }), 'a-list', 'pages.size', /./],
    ['a cursor from nowhere', list({ pages: { by: 'cursor', size: 9 } }), 'a-list', 'pages.next', /./],
    [
      'a parameter that is none',
      list({ pages: { by: 'offset', size: 9, offset: 'a&b' } }),
      'a-list',
      'pages.offset',
      /query/,
    ],
    ['an unknown field', list({ fields: { prize: ['a'] } }), 'a-list', 'fields', /prize/],
    ['a field without places', list({ fields: { url: [] } }), 'a-list', 'fields.url', /./],
    ['a path that is none', list({ rows: ['a..b'] }), 'a-list', 'rows.0', /./],
    ['a step without addresses', list({ via: [{ value: 'a', urls: [] }] }), 'a-list', 'via.0.urls', /./],
    [
      'a step that lets others choose the host',
      list({ via: [{ value: 'a', urls: ['https://{value}/x'] }] }),
      'a-list',
      'via.0.urls.0',
      /after its host/,
    ],
    [
      'a step that lets others choose a part of it',
      list({ via: [{ value: 'a', urls: ['https://{value}.example.com/{value}'] }] }),
      'a-list',
      'via.0.urls.0',
      /after its host/,
    ],
    [
      'a step that leads to one place',
      list({ via: [{ value: 'a', urls: ['https://b.example.com/x'] }] }),
      'a-list',
      'via.0.urls.0',
      /value/,
    ],
    ['too many at once', list({ at_once: 9 }), 'a-list', 'at_once', /./],
    ['a skipped list that does not say why', [{ name: 'a-list', format: 'skipped' }], 'a-list', 'note', /./],
  ])('is refused with %s, naming list and field', (_, data, name, field, problem) => {
    expect(readLists(data)).toEqual({
      kind: 'invalid',
      name,
      field,
      problem: expect.stringMatching(problem),
    });
  });
});
