import { target } from '../../../tools/samples/listed.ts';
import {
  ALLOW_HEADERS,
  ALLOW_ORIGIN,
  EXPOSE,
  type LintRow,
  look,
  paywallWith,
  TERMS_V1,
  TERMS_V2,
  withHeader,
} from './good-endpoint.ts';

const withCache = (...values: [string, string][]) => paywallWith(TERMS_V2, TERMS_V1, values);
const FAILED = { kind: 'failed', fault: 'no_answer' } as const;
const REDIRECTED = { kind: 'failed', fault: 'redirected' } as const;

/** Browsers, other methods, and caches. */
export const SURROUNDINGS_ROWS: readonly LintRow[] = [
  [
    'no CORS',
    { browser: look(402), preflight: look(204) },
    ['warning cors_origin', 'warning cors_expose', 'warning preflight_origin', 'warning preflight_headers'],
  ],
  [
    'CORS for another page',
    { browser: look(402, [['access-control-allow-origin', 'https://mine.example'], EXPOSE]) },
    ['warning cors_origin'],
  ],
  [
    'CORS for the page that asks',
    { browser: look(402, [['Access-Control-Allow-Origin', 'https://page.example'], EXPOSE]) },
    [],
  ],
  [
    'CORS by two layers, in two lines',
    {
      browser: look(402, [ALLOW_ORIGIN, ALLOW_ORIGIN, EXPOSE]),
      preflight: look(204, [ALLOW_ORIGIN, ALLOW_ORIGIN, ALLOW_HEADERS]),
    },
    ['warning cors_origin', 'warning preflight_origin'],
  ],
  [
    'CORS by two layers, in one line',
    { browser: look(402, [['access-control-allow-origin', '*, *'], EXPOSE]) },
    ['warning cors_origin'],
  ],
  [
    'CORS for a list of pages',
    {
      browser: look(402, [
        ['access-control-allow-origin', 'https://a.example, https://page.example'],
        EXPOSE,
      ]),
    },
    ['warning cors_origin'],
  ],
  [
    'stars',
    {
      browser: look(402, [ALLOW_ORIGIN, ['access-control-expose-headers', '*']]),
      preflight: look(200, [ALLOW_ORIGIN, ['access-control-allow-headers', '*']]),
    },
    [],
  ],
  [
    'half of the fields',
    { browser: look(402, [ALLOW_ORIGIN, ['access-control-expose-headers', 'payment-required']]) },
    ['warning cors_expose'],
  ],
  [
    'fields in two lines',
    {
      browser: look(402, [
        ALLOW_ORIGIN,
        ['access-control-expose-headers', 'payment-required'],
        ['access-control-expose-headers', 'Payment-Response'],
      ]),
    },
    [],
  ],
  ['pages get 403', { browser: look(403) }, ['warning browser_status']],
  [
    'a redirect',
    { browser: REDIRECTED, preflight: REDIRECTED },
    ['warning redirect', 'warning preflight_status'],
  ],
  [
    'no answers',
    { browser: FAILED, preflight: FAILED, head: FAILED, openapi: FAILED, wellKnown: FAILED },
    Array.from({ length: 5 }, () => 'warning no_answer'),
  ],
  [
    'a preflight behind the paywall',
    { preflight: look(402, [ALLOW_HEADERS]) },
    ['warning preflight_paywall'],
  ],
  ['a preflight that is not allowed', { preflight: look(405) }, ['warning preflight_status']],
  [
    'a preflight for older payers only',
    { preflight: look(204, [ALLOW_ORIGIN, ['access-control-allow-headers', 'X-PAYMENT']]) },
    ['warning preflight_headers'],
  ],
  [
    'a preflight for GET, before a POST',
    { method: 'POST', head: null, bare: withHeader({ extensions: undefined }), openapi: null },
    ['warning preflight_headers', 'note bazaar_missing $.extensions'],
  ],
  ['HEAD elsewhere', { browser: REDIRECTED, head: REDIRECTED }, ['warning redirect']],
  ['HEAD for free', { head: look(200) }, ['warning head_status']],
  ['HEAD is not allowed', { head: look(405) }, []],
  ['no word about caches', { bare: withCache(['x-a', 'b']) }, ['note cache_unset']],
  [
    'a lifetime by a date',
    { bare: withCache(['expires', 'Wed, 21 Oct 2099 07:28:00 GMT']) },
    ['warning cache_storable'],
  ],
  [
    'a lifetime that is over',
    { bare: withCache(['expires', 'Thu, 01 Jan 1970 00:00:00 GMT']) },
    ['note cache_unset'],
  ],
  [
    'a lifetime by a date, beside a word about something else',
    {
      bare: withCache(['expires', 'Wed, 21 Oct 2099 07:28:00 GMT'], ['cache-control', 'must-revalidate']),
    },
    ['warning cache_storable'],
  ],
  [
    'a lifetime by a date that a shorter one replaces',
    {
      bare: withCache(['expires', 'Wed, 21 Oct 2099 07:28:00 GMT'], ['cache-control', 'max-age=0']),
    },
    [],
  ],
  ['a lifetime in words', { bare: withCache(['expires', 'never']) }, ['note cache_unset']],
  ['a 402 for all', { bare: withCache(['cache-control', 'public, max-age=60']) }, ['warning cache_storable']],
  ['a lifetime', { bare: withCache(['cache-control', 'max-age=60']) }, ['warning cache_storable']],
  [
    'a lifetime of shared caches',
    { bare: withCache(['cache-control', 'max-age=0, s-maxage=60']) },
    ['warning cache_storable'],
  ],
  ['a lifetime of one buyer', { bare: withCache(['cache-control', 'private, max-age=60']) }, []],
  ['no lifetime', { bare: withCache(['cache-control', 'max-age=0']) }, []],
  ['a document without a response', { hasHeaders: false, bare: withCache(['x-a', 'b']) }, []],
  [
    'plain http',
    {
      target: target('http://seller.example/v1/weather'),
      wellKnown: null,
      openapi: null,
      bare: withHeader({ resource: { url: 'http://seller.example/v1/weather' } }),
    },
    ['warning resource_differs $.accepts[0].resource', 'warning plain_http'],
  ],
];
