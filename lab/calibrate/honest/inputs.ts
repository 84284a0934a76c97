import { ENTRY, header } from '../../../tools/samples/challenge.ts';
import { behaviours, type Details, NOWHERE } from '../behaviour.ts';
import { bazaarRow, directoryRow, explorerRow, manifestRow } from '../lists.ts';
import { old } from '../offers.ts';
import { type Asked, answer, type Sell, v1, v2 } from '../seller.ts';

const PAYWALL = answer(402, [header({ x402Version: 2, accepts: [ENTRY] })], '{}');
/** Looks at the request before it asks for money. */
const unless = (status: number, isFine: (asked: Asked) => boolean, body = '{"error":"bad input"}'): Sell => {
  return (asked) => (isFine(asked) ? PAYWALL : answer(status, [['Content-Type', 'application/json']], body));
};
const FASTAPI = JSON.stringify({
  detail: [{ loc: ['body', 'city'], msg: 'Field required', type: 'missing' }],
});
const ZOD = JSON.stringify({ issues: [{ path: ['city'], message: 'Required' }] });
const hasQuery = ({ path }: Asked) => path.includes('city=');
const hasCity = ({ body }: Asked) => body.includes('"city"');
const isPost = ({ method }: Asked) => method === 'POST';

const info = (input: object, schema?: object) => ({
  extensions: {
    bazaar: { info: { input: { type: 'http', ...input } }, ...(schema === undefined ? {} : { schema }) },
  },
});
const schemaOf = (part: string, schema: object) => ({
  properties: { input: { properties: { [part]: schema } } },
});
const CITY = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };
const listed = (sell: Sell, more: object, asked: Details['asked'] = {}): Details => ({
  sell,
  rows: (url) => [bazaarRow(url, more)],
  asked,
});
const BY_QUERY = info({ method: 'GET', queryParams: { city: 'Bern' } });
const BY_BODY = info({ method: 'POST', bodyType: 'json', body: { city: 'Bern' } });
const POST = { method: 'POST' };

const EXAMPLES = behaviours('honest', 'validates first, the listing has an example', {
  '400 without the query': listed(unless(400, hasQuery), BY_QUERY),
  '404 without the query': listed(unless(404, hasQuery), BY_QUERY),
  '422 without the query': listed(unless(422, hasQuery, ZOD), BY_QUERY),
  '400 without the body': listed(unless(400, hasCity), BY_BODY, POST),
  '422 without the body': listed(unless(422, hasCity, FASTAPI), BY_BODY, POST),
  '415 without the body': listed(unless(415, hasCity), BY_BODY, POST),
  '411 without the body': listed(unless(411, hasCity), BY_BODY, POST),
  '404 without the body': listed(unless(404, hasCity), BY_BODY, POST),
  'a schema with example values': listed(
    unless(400, hasCity),
    info({ method: 'POST', bodyFields: { city: { type: 'string', example: 'Bern', required: true } } }),
    POST,
  ),
  'input of version 1': {
    sell: (asked) => (hasQuery(asked) ? v1([old()])(asked) : answer(400)),
    rows: (url) => [
      explorerRow(url, {
        outputSchema: { input: { type: 'http', method: 'GET', queryParams: { city: 'Bern' } } },
      }),
    ],
  },
  'parameters as a list': {
    sell: unless(400, hasQuery),
    rows: (url) => [directoryRow(url, { parameters: [{ name: 'city', in: 'query', example: 'Bern' }] })],
  },
  'the second answer has both forms': listed(
    (asked) =>
      hasQuery(asked)
        ? answer(
            402,
            [header({ x402Version: 2, accepts: [ENTRY] })],
            JSON.stringify({ x402Version: 1, accepts: [old()] }),
          )
        : answer(400),
    BY_QUERY,
  ),
});

const SCHEMAS = behaviours('honest', 'validates first, the listing has a schema', {
  'a required text in the body': listed(
    unless(422, hasCity, FASTAPI),
    info({ method: 'POST' }, schemaOf('body', CITY)),
    POST,
  ),
  'a required text in the query': listed(
    unless(400, hasQuery),
    info({ method: 'GET' }, schemaOf('queryParams', CITY)),
  ),
  'a choice': listed(
    unless(400, ({ path }) => path.includes('unit=metric')),
    info(
      { method: 'GET' },
      schemaOf('queryParams', {
        type: 'object',
        properties: { unit: { type: 'string', enum: ['metric', 'imperial'] } },
        required: ['unit'],
      }),
    ),
  ),
  'a default': listed(
    unless(400, ({ path }) => path.includes('days=3')),
    info(
      { method: 'GET' },
      schemaOf('queryParams', {
        type: 'object',
        properties: { days: { type: 'integer', default: 3 } },
        required: ['days'],
      }),
    ),
  ),
  'a number within bounds': listed(
    unless(400, ({ path }) => /[?&]lat=(?:4[0-9]|50)\b/.test(path)),
    info(
      { method: 'GET' },
      schemaOf('queryParams', {
        type: 'object',
        properties: { lat: { type: 'number', minimum: 40, maximum: 50 } },
        required: ['lat'],
      }),
    ),
  ),
  'a URL': listed(
    unless(400, ({ body }) => body.includes('"https://')),
    info(
      { method: 'POST' },
      schemaOf('body', {
        type: 'object',
        properties: { url: { type: 'string', format: 'uri' } },
        required: ['url'],
      }),
    ),
    POST,
  ),
  'a value that cannot be guessed': listed(
    unless(400, ({ body }) => body.includes('"ticket":"K-')),
    info(
      { method: 'POST' },
      schemaOf('body', {
        type: 'object',
        properties: { ticket: { type: 'string', pattern: '^K-[0-9]{9}$' } },
        required: ['ticket'],
      }),
    ),
    POST,
  ),
  'an action, to which nothing made up is sent': {
    sell: unless(422, hasCity, FASTAPI),
    path: '/send',
    rows: (url) => [bazaarRow(url, info({ method: 'POST' }, schemaOf('body', CITY)))],
    asked: POST,
  },
});

const METHODS = behaviours('honest', 'methods', {
  'POST only, listed as POST': listed(unless(405, isPost), { method: 'POST' }, POST),
  'POST only, listed as GET with an example for POST': listed(
    (asked) => (isPost(asked) ? PAYWALL : answer(405, [['Allow', 'POST']])),
    { method: 'GET', ...BY_BODY },
    POST,
  ),
  'POST only, described as POST without input': listed(unless(405, isPost), info({ method: 'POST' }), POST),
  'POST only, 404 to a GET': listed(unless(404, isPost), { method: 'POST' }, POST),
  'POST only, unlisted, and the caller knows it': { sell: unless(405, isPost), rows: NOWHERE, asked: POST },
  'POST only, and neither listing nor caller says so': (asked) =>
    isPost(asked) ? PAYWALL : answer(405, [['Allow', 'POST']]),
  'POST in version 1': listed(
    (asked) => (isPost(asked) ? v1([old()])(asked) : answer(405)),
    { method: 'POST' },
    POST,
  ),
  'POST before the URL in the list': {
    sell: unless(405, isPost),
    rows: (url) => [manifestRow(`POST ${url}`)],
    asked: POST,
  },
  'POST among the fields of a directory': {
    sell: unless(404, isPost),
    rows: (url) => [directoryRow(url, { http_method: 'POST' })],
    asked: POST,
  },
  'both methods': listed(v2([ENTRY]), { method: ['GET', 'POST'] }),
});

const CALLERS = behaviours('honest', 'validates first, the caller has the input', {
  'no input in the listing': listed(
    unless(422, hasCity, FASTAPI),
    { method: 'POST' },
    { ...POST, input: { city: 'Bern' } },
  ),
  'a wrong example in the listing': listed(
    unless(400, ({ body }) => body.includes('"Bern"')),
    info({ method: 'POST', body: { city: 'Atlantis' } }),
    { ...POST, input: { city: 'Bern' } },
  ),
  'a value that cannot be guessed': listed(
    unless(400, ({ body }) => body.includes('"ticket":"K-')),
    { method: 'POST' },
    { ...POST, input: { ticket: 'K-123456789' } },
  ),
  'a query in the URL of the caller': listed(unless(400, hasQuery), {}, { path: '/data?city=Bern' }),
  'nobody has it': listed(unless(400, hasCity), { method: 'POST' }, POST),
});

const ITEM: Sell = ({ path }) => (path.startsWith('/item/7') ? PAYWALL : answer(404));
const template = (path: string, input: object, asked = '/item/7'): Details => ({
  sell: ITEM,
  path,
  rows: (url) => [bazaarRow(url, info({ method: 'GET', ...input }))],
  asked: { path: asked },
});

const TEMPLATES = behaviours('honest', 'path templates', {
  'a colon': template('/item/:id', { pathParams: { id: '7' } }),
  braces: template('/item/{id}', { pathParams: { id: '7' } }),
  'a number': template('/item/:id', { pathParams: { id: 7 } }),
  'two values': template('/item/:id/:part', { pathParams: { id: '7', part: 'a' } }, '/item/7/a'),
  'described with an example': template('/item/:id', {
    pathParams: { id: { type: 'string', example: '7' } },
  }),
  'described with a choice': template('/item/{id}', {
    pathParams: { id: { type: 'string', enum: ['7', '8'] } },
  }),
  'a value that is gone': template('/item/:id', { pathParams: { id: '8' } }),
  'a template without values': template('/item/:id', {}),
});

export const INPUTS = [...EXAMPLES, ...SCHEMAS, ...METHODS, ...CALLERS, ...TEMPLATES];
