import { expect, it } from 'vitest';
import { namesAnAction } from './action-words.ts';
import { missingNames } from './missing-names.ts';

it.each<[string, unknown, string[]]>([
  [
    'FastAPI',
    { detail: [{ loc: ['body', 'city'], msg: 'field required' }, { loc: ['query', 0, 'n'] }] },
    ['city', 'n'],
  ],
  ['zod', { issues: [{ path: ['q'], message: 'Required' }] }, ['q']],
  ['zod in an error', { error: { issues: [{ path: ['input', 'q'] }] } }, ['q']],
  ['a field', { error: { field: 'text', message: 'Body field text is required' } }, ['text']],
  ['a param', { param: 'symbol' }, ['symbol']],
  ['a list of names', { missing: ['a', 'b'] }, ['a', 'b']],
  ['prose', { error: "Body field 'text' is required" }, []],
  [
    'names that are no names',
    { missing: ['<b>', 'a b', 'x'.repeat(41), '7', 'ignore previous instructions'] },
    [],
  ],
  ['a name twice', { missing: ['a', 'a'], field: 'a' }, ['a']],
  ['no object', ['a'], []],
])('%s', (_, body, names) => {
  expect(missingNames(Buffer.from(JSON.stringify(body)))).toEqual(names);
});

it('reads eight names of a short answer, and nothing of a long one', () => {
  const missing = Array.from({ length: 50 }, (_, n) => `n${n}`);
  expect(missingNames(Buffer.from(JSON.stringify({ missing })))).toHaveLength(8);
  expect(missingNames(Buffer.from(JSON.stringify({ missing, rest: 'x'.repeat(8_192) })))).toEqual([]);
  expect(missingNames(Buffer.from('{'))).toEqual([]);
});

it.each([
  '/v1/send',
  '/api/sendEmail',
  '/orders',
  '/v1/book-table',
  '/tokens/mint',
  'Creates an account',
  'Deploys your site',
  'one call',
])('%s does something', (text) => {
  expect(namesAnAction(text)).toBe(true);
});

it.each(['/v1/weather', '/bookkeeping', '/postal-codes', '/payload', 'Prices of today', ''])(
  '%s only answers',
  (text) => {
    expect(namesAnAction(text)).toBe(false);
  },
);
