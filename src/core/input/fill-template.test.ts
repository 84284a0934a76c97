import fc from 'fast-check';
import { expect, it } from 'vitest';
import { target } from '../../../tools/samples/listed.ts';
import { fillTemplate } from './fill-template.ts';
import type { NamedValue } from './listed-input.ts';

const fill = (path: string, values: readonly NamedValue[]) =>
  fillTemplate(target(`https://a.example${path}`), values)?.pathAndQuery ?? null;

it.each<[template: string, values: NamedValue[], filled: string]>([
  ['/v1/:id', [['id', '7']], '/v1/7'],
  ['/v1/{id}/x?a=1', [['id', '7']], '/v1/7/x?a=1'],
  ['/v1/<int:id>', [['id', '7']], '/v1/7'],
  ['/v1/{id}.json', [['id', '7']], '/v1/7.json'],
  [
    '/v1/{from}-{to}',
    [
      ['from', 'a'],
      ['to', 'b'],
    ],
    '/v1/a-b',
  ],
  ['/v1/:userId', [['userid', '7']], '/v1/7'],
  ['/ens/:name', [['name', 'a b/c?d#e']], '/ens/a%20b%2Fc%3Fd%23e'],
  ['/v1/{{id}}', [['id', '7']], '/v1/7'],
])('%s', (template, values, filled) => {
  expect(fill(template, values)).toBe(filled);
});

it.each<[why: string, template: string, values: NamedValue[]]>([
  ['there is no value', '/v1/:id', []],
  ['one of two is missing', '/v1/:id/:other', [['id', '7']]],
  ['a value is empty', '/v1/:id', [['id', '']]],
  ['a value leads out of its place', '/v1/:id', [['id', '..']]],
  [
    'two values do',
    '/v1/{a}{b}',
    [
      ['a', '.'],
      ['b', '.'],
    ],
  ],
  ['a value is a placeholder', '/v1/:id', [['id', ':other']]],
  ['the URL becomes too long', '/v1/:id', [['id', 'x'.repeat(3_000)]]],
])('null when %s', (_, template, values) => {
  expect(fill(template, values)).toBeNull();
});

it('never leaves the host or the place of the placeholder', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 40 }), (value) => {
      const filled = fillTemplate(target('https://a.example/v1/:id/end'), [['id', value]]);
      if (filled === null) return;
      expect(filled.authority).toBe('a.example');
      expect(filled.pathAndQuery).toMatch(/^\/v1\/[^/?#]+\/end$/);
    }),
  );
});
