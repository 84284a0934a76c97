import { gzipSync } from 'node:zlib';
import { ENTRY, header } from '../../../tools/samples/challenge.ts';
import { behaviours, type Details } from '../behaviour.ts';
import { bazaarRow } from '../lists.ts';
import { DEAR, old, TO_THIEF } from '../offers.ts';
import { answer, type Fields, message, nothing, raw, type Sell, v2 } from '../seller.ts';

const TERMS = header({ x402Version: 2, accepts: [ENTRY] });
const OLD = JSON.stringify({ x402Version: 1, accepts: [old()] });
const hangs = (sell: Sell): Details => ({ sell, hangs: true });
const says =
  (status: number, fields: Fields = [], body = '{}'): Sell =>
  () =>
    answer(status, fields, body);

const OPEN = behaviours('dishonest', 'no paywall', {
  'serves for nothing': says(200, [], '{"city":"Bern","degrees":9}'),
  'terms beside the goods': says(200, [TERMS]),
  'terms as the goods': says(200, [], OLD),
  'nothing to serve': says(204),
  'a login': says(401, [['WWW-Authenticate', 'Bearer']]),
  'a refusal': says(403),
  'terms in a refusal': says(403, [TERMS]),
  gone: says(410),
  'not there': says(404),
  'a teapot with terms': says(418, [TERMS]),
  'serves input for nothing': {
    sell: ({ path }) => (path.includes('city=') ? answer(200, [], '{"degrees":9}') : answer(400)),
    rows: (url) => [
      bazaarRow(url, {
        extensions: { bazaar: { info: { input: { method: 'GET', queryParams: { city: 'Bern' } } } } },
      }),
    ],
  },
  'serves a body for nothing': {
    sell: ({ body }) => (body.includes('city') ? answer(200, [TERMS], '{"done":true}') : answer(422)),
    rows: (url) => [
      bazaarRow(url, {
        extensions: { bazaar: { info: { input: { method: 'POST', body: { city: 'Bern' } } } } },
      }),
    ],
    asked: { method: 'POST' },
  },
  'wants input for ever': {
    sell: says(400, [], '{"error":"city is required"}'),
    rows: (url) => [
      bazaarRow(url, {
        extensions: { bazaar: { info: { input: { method: 'GET', queryParams: { city: 'Bern' } } } } },
      }),
    ],
  },
});

const isKnown = (text: string) => /\r\nuser-agent: [^\r\n]*Mozilla/i.test(text);

const CLOAKED = behaviours('dishonest', 'cloaking by user agent', {
  'a thief for programs': (asked) => (isKnown(asked.text) ? v2([ENTRY]) : v2([TO_THIEF]))(asked),
  'dearer for programs': (asked) => (isKnown(asked.text) ? v2([ENTRY]) : v2([DEAR]))(asked),
  'a refusal for programs': (asked) => (isKnown(asked.text) ? v2([ENTRY])(asked) : answer(403)),
  'a page for programs': (asked) =>
    isKnown(asked.text) ? v2([ENTRY])(asked) : answer(200, [], '<html></html>'),
  'silence for programs': hangs((asked) => (isKnown(asked.text) ? v2([ENTRY]) : nothing)(asked)),
});

const DEAD = behaviours('dishonest', 'dead', {
  '500': says(500),
  '502': says(502),
  '503 with terms': says(503, [TERMS]),
  '520': says(520),
  '500 with a free trial': says(500, [['X-Free-Trial', 'true']]),
  'never answers': hangs(nothing),
  'half of a header': hangs(raw('HTTP/1.1 402 Payment Required\r\nPAYMENT-REQ', 'stay')),
  'half of a body': hangs(() => ({
    parts: [message(402, [['Content-Length', '5000']], OLD)],
    end: 'stay',
  })),
  'resets the connection': raw('', 'reset'),
  'closes without a word': raw(''),
  'not HTTP': raw('SSH-2.0-OpenSSH_9.6\r\n'),
  'a broken status line': raw('HTTP/1.1 4O2 Payment Required\r\n\r\n'),
});

const BOMBS = behaviours('dishonest', 'bombs', {
  'a header of seventy kilobytes': () => v2([ENTRY], { description: 'x'.repeat(70_000) })(ASKED),
  'a thousand fields': says(402, [
    TERMS,
    ...Array.from({ length: 1_000 }, (_, index) => [`X-Field-${index}`, 'x'] as const),
  ]),
  'a field of two hundred kilobytes': says(402, [['X-Padding', 'x'.repeat(200_000)], TERMS]),
  'a body of a megabyte': says(402, [], `{"pad":"${'x'.repeat(1_000_000)}",${OLD.slice(1)}`),
  'a body that grows when it is unpacked': () =>
    answer(
      402,
      [['Content-Encoding', 'gzip']],
      gzipSync(`{"pad":"${'x'.repeat(5_000_000)}",${OLD.slice(1)}`),
    ),
  'packed nine times': () =>
    answer(402, [['Content-Encoding', Array.from({ length: 9 }, () => 'gzip').join(', ')]], gzipSync(OLD)),
  'two lengths': raw(`HTTP/1.1 402 Pay\r\nContent-Length: 2\r\nContent-Length: ${OLD.length}\r\n\r\n${OLD}`),
  'a length and chunks': raw(
    `HTTP/1.1 402 Pay\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n${OLD.length.toString(16)}\r\n${OLD}\r\n0\r\n\r\n`,
  ),
  'early hints without end': raw('HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(50)),
});
const ASKED = { method: 'GET', path: '/data', body: '', text: '' };

const to = (location: string, status = 302): Sell => {
  return (asked) => (asked.path === '/data' ? answer(status, [['Location', location]]) : v2([ENTRY])(asked));
};

const REDIRECTS = behaviours('dishonest', 'redirects elsewhere', {
  'another host': to('http://other.example/pay'),
  'another host by 308': to('https://other.example/pay', 308),
  'a host without a scheme': to('//other.example/pay'),
  loopback: to('http://127.0.0.1/pay'),
  'the metadata address': to('http://169.254.169.254/latest/meta-data/'),
  'a private address': to('http://10.0.0.7/pay'),
  'a file': to('file:///etc/passwd'),
  'a user before the host': to('http://seller@other.example/pay'),
  'a port of another service': {
    sell: (asked) =>
      asked.path === '/data'
        ? answer(302, [['Location', `http://${/host: ([^\s:]+)/i.exec(asked.text)?.[1]}:22/pay`]])
        : v2([ENTRY])(asked),
  },
  'in a circle': () => answer(302, [['Location', '/data']]),
  'three times': ({ path }) => answer(302, [['Location', `${path}/on`]]),
  nowhere: says(302),
});

const at = (...addresses: string[]): Details => ({
  sell: v2([ENTRY]),
  resolves: () => ({ kind: 'addresses', addresses }),
});

const NAMES = behaviours('dishonest', 'names and addresses', {
  loopback: at('127.0.0.1'),
  'a private network': at('10.1.2.3'),
  'the metadata address': at('169.254.169.254'),
  'loopback of IPv6': at('::1'),
  'loopback of IPv4 in IPv6': at('::ffff:127.0.0.1'),
  'a public and a private address': at('93.184.216.34', '192.168.0.1'),
  'a shared address': at('100.64.0.1'),
  'public first, loopback then': {
    sell: v2([DEAR]),
    resolves: (lookup) => ({ kind: 'addresses', addresses: [lookup === 1 ? '93.184.216.34' : '127.0.0.1'] }),
  },
  'a name that does not exist': { sell: v2([ENTRY]), resolves: () => ({ kind: 'not_found' }) },
  'a look-up that fails': { sell: v2([ENTRY]), resolves: () => ({ kind: 'failed' }) },
  'an address in the URL': { sell: v2([ENTRY]), url: 'http://10.0.0.9/data' },
  'loopback in the URL': { sell: v2([ENTRY]), url: 'http://127.0.0.1/data' },
  'loopback in another spelling': { sell: v2([ENTRY]), url: 'http://2130706434/data' },
  'a local name': { sell: v2([ENTRY]), url: 'http://seller.localhost/data' },
});

export const CONDUCT = [...OPEN, ...CLOAKED, ...DEAD, ...BOMBS, ...REDIRECTS, ...NAMES];
