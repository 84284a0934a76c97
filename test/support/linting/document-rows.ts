import { PAYEE, THIEF } from '../../../tools/samples/challenge.ts';
import { SOLANA } from '../judging.ts';
import { LINTED_URL, type LintRow, look, OPENAPI } from './good-endpoint.ts';

const operation = (info: unknown) =>
  look(200, [], { paths: { '/v1/weather': { get: { 'x-payment-info': info } } } });
const paths = (value: unknown, more: object = {}) => look(200, [], { ...OPENAPI, paths: value, ...more });
const GET = OPENAPI.paths['/v1/weather'];
const manifest = (value: unknown) => look(200, [], value);
const LARGE = { kind: 'failed', fault: 'too_large' } as const;
const REDIRECTED = { kind: 'failed', fault: 'redirected' } as const;

/** The documents of the origin. */
export const DOCUMENT_ROWS: readonly LintRow[] = [
  [
    'no documents',
    { openapi: look(404), wellKnown: look(404) },
    ['note openapi_missing', 'note manifest_missing'],
  ],
  [
    'documents elsewhere',
    { openapi: REDIRECTED, wellKnown: REDIRECTED },
    ['note openapi_missing', 'note manifest_missing'],
  ],
  [
    'documents too large',
    { openapi: LARGE, wellKnown: LARGE },
    ['warning openapi_unreadable', 'warning manifest_unreadable'],
  ],
  [
    'documents that are pages',
    { openapi: look(200, [], '<html>'), wellKnown: look(200, [], '<html>') },
    ['warning openapi_unreadable', 'warning manifest_unreadable'],
  ],
  [
    'documents without lists',
    { openapi: look(200, [], {}), wellKnown: manifest({ x402Version: 2 }) },
    ['warning openapi_unreadable', 'warning manifest_unreadable'],
  ],
  ['another path', { openapi: paths({ '/v1/other': GET }) }, ['warning openapi_route $.paths']],
  ['another method', { openapi: paths({ '/v1/weather': { post: {} } }) }, ['warning openapi_route $.paths']],
  ['a template', { openapi: paths({ '/v1/{what}': GET }) }, []],
  ['a template in a part of a segment', { openapi: paths({ '/v1/wea{rest}': GET }) }, []],
  [
    'a template in a part of another one',
    { openapi: paths({ '/v1/x{rest}': GET }) },
    ['warning openapi_route $.paths'],
  ],
  [
    'a template beside the path itself',
    { openapi: paths({ '/v1/{what}': { get: {} }, '/v1/weather': GET }) },
    [],
  ],
  [
    'a server with a path',
    { openapi: paths({ '/weather': GET }, { servers: [{ url: 'https://seller.example/v1/' }] }) },
    [],
  ],
  [
    'a server with a relative path',
    { openapi: paths({ '/weather': GET }, { servers: [{ url: '/v1' }] }) },
    [],
  ],
  [
    'a server with a variable in its path',
    {
      openapi: paths(
        { '/weather': GET },
        { servers: [{ url: 'https://seller.example/{version}', variables: { version: { default: 'v1' } } }] },
      ),
    },
    [],
  ],
  [
    'a server of the path',
    { openapi: paths({ '/weather': { ...GET, servers: [{ url: 'https://seller.example/v1' }] } }) },
    [],
  ],
  [
    'a server of the operation',
    { openapi: paths({ '/weather': { get: { ...GET.get, servers: [{ url: '/v1' }] } } }) },
    [],
  ],
  [
    'a server of another path',
    { openapi: paths({ '/weather': GET, '/other': { ...GET, servers: [{ url: '/v1' }] } }) },
    ['warning openapi_route $.paths'],
  ],
  [
    'no price in the document',
    { openapi: paths({ '/v1/weather': { get: {} } }) },
    ['warning openapi_payment'],
  ],
  ['another price', { openapi: operation({ price: { amount: '0.02' } }) }, ['warning openapi_price']],
  ['a price as a number', { openapi: operation({ price: 0.01 }) }, []],
  ['a price with a sign', { openapi: operation({ price: '$0.02' }) }, ['warning openapi_price']],
  [
    'a range with the price',
    { openapi: operation({ price: { mode: 'dynamic', min: '0.005', max: '0.02' } }) },
    [],
  ],
  [
    'a range without it',
    { openapi: operation({ minPrice: '0.02', maxPrice: '0.05' }) },
    ['warning openapi_price'],
  ],
  [
    'a range below it',
    { openapi: operation({ price: { min: '0.001', max: '0.005' } }) },
    ['warning openapi_price'],
  ],
  ['a price in words', { openapi: operation({ price: 'cheap' }) }, []],
  [
    'another payee',
    { openapi: operation({ protocols: [{ x402: { payTo: THIEF } }] }) },
    ['warning openapi_price'],
  ],
  [
    'the payee in small letters',
    { openapi: operation({ protocols: [{ x402: { payTo: PAYEE.toLowerCase(), network: 'base' } }] }) },
    [],
  ],
  [
    'the payee of another network',
    {
      openapi: operation({
        protocols: [{ x402: { payTo: THIEF, network: SOLANA } }, { x402: { payTo: PAYEE, network: 'base' } }],
      }),
    },
    [],
  ],
  [
    'other networks only',
    {
      openapi: operation({
        protocols: [{ x402: { network: SOLANA } }, { x402: { payTo: PAYEE, network: 'eip155:137' } }],
      }),
    },
    ['warning openapi_price'],
  ],
  [
    'a network that nobody can read',
    { openapi: operation({ protocols: [{ x402: { network: 'the usual one' } }] }) },
    [],
  ],
  [
    'a manifest of others',
    { wellKnown: manifest({ resources: ['https://seller.example/v1/other'] }) },
    ['warning manifest_route'],
  ],
  [
    'a manifest of another origin',
    { wellKnown: manifest({ resources: ['https://other.example/v1/weather'] }) },
    ['warning manifest_route'],
  ],
  [
    'a manifest with methods',
    { wellKnown: manifest({ resources: ['GET https://seller.example/v1/weather'] }) },
    [],
  ],
  ['a manifest of version 2', { wellKnown: manifest({ items: [{ resource: LINTED_URL }] }) }, []],
  ['a manifest of paths', { wellKnown: manifest({ resources: ['/v1/weather'] }) }, []],
  [
    'a manifest of templates',
    { wellKnown: manifest({ resources: ['https://seller.example/v1/{what}'] }) },
    [],
  ],
  [
    'a manifest of anything',
    { wellKnown: manifest({ resources: [null, 7, {}, [], 'x', { url: LINTED_URL }] }) },
    [],
  ],
];
