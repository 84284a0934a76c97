import { describe, expect, it } from 'vitest';
import { checkValue } from './check-value.ts';

const properties = (schemas: object) => ({ type: 'object', properties: schemas });

describe('a value against its schema', () => {
  it.each<[string, unknown, unknown]>([
    ['no rules', { a: 1 }, {}],
    ['a schema that is true', { a: 1 }, true],
    ['a type', 'x', { type: 'string' }],
    ['one of two types', null, { type: ['string', 'null'] }],
    ['a whole number', 2, { type: 'integer' }],
    ['a type that nobody knows', 2, { type: 'money' }],
    ['a required member', { a: undefined, b: 1 }, { required: ['b'] }],
    ['required members of what is no object', 'x', { required: ['b'] }],
    ['an enum of objects', { a: [1, { b: 2 }] }, { enum: [1, { a: [1, { b: 2 }] }] }],
    ['a const in another order of members', { a: 1, b: 2 }, { const: { b: 2, a: 1 } }],
    ['members that the schema does not know', { a: 1, z: 1 }, properties({ a: { type: 'number' } })],
    ['items', [1, 2], { items: { type: 'number' } }],
    ['items by position, which are ignored', [1, 'x'], { items: [{ type: 'string' }, false] }],
    [
      'items after those by position',
      ['x', 1],
      { prefixItems: [{ type: 'string' }], items: { type: 'number' } },
    ],
    ['no items after those by position', ['x', 1], { prefixItems: [{}, {}], items: false }],
    ['a member that may be anything', { a: 1 }, properties({ a: true })],
    ['a member that may not be, and is not', { a: 1 }, properties({ b: false })],
    ['no items at all', [], { items: false }],
    [
      'names by a pattern, which is never run',
      { x1: 1 },
      { properties: {}, patternProperties: { '^x': {} }, additionalProperties: false },
    ],
    [
      'a reference with escapes of URLs',
      1,
      { $ref: '#/%24defs/a%20b', $defs: { 'a b': { type: 'number' } } },
    ],
    ['a reference with both escapes', 1, { $ref: '#/$defs/a%7E1b', $defs: { 'a/b': { type: 'number' } } }],
    ['a reference to true', 1, { $ref: '#/$defs/a', $defs: { a: true } }],
    ['a reference', { a: 1 }, { $ref: '#/$defs/a', $defs: { a: properties({ a: { type: 'number' } }) } }],
    ['a reference with escapes', 1, { $ref: '#/$defs/a~1b~0c', $defs: { 'a/b~c': { type: 'number' } } }],
    [
      'a reference by a name, which is not followed',
      1,
      { $ref: '#a', $defs: { a: { $anchor: 'a', type: 'string' } } },
    ],
    ['a reference into a list', 1, { $ref: '#/allOf/0', allOf: [{ type: 'number' }] }],
    [
      'a schema that refers to itself, over a value that ends',
      { next: { next: {} } },
      { type: 'object', properties: { next: { $ref: '#' } } },
    ],
    [
      'a pattern, which is never run',
      'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!',
      { pattern: '^(a+)+$' },
    ],
    [
      'a member called __proto__',
      JSON.parse('{"__proto__":1}'),
      properties(JSON.parse('{"__proto__":{"type":"number"}}')),
    ],
  ])('holds: %s', (_, value, schema) => {
    expect(checkValue(value, schema)).toEqual({ kind: 'valid' });
  });

  it.each<[string, unknown, unknown, string, string]>([
    ['a type', 1, { type: 'string' }, '$', 'type'],
    ['an array is no object', [], { type: 'object' }, '$', 'type'],
    ['half is no whole number', 0.5, { type: 'integer' }, '$', 'type'],
    ['none of the types', 1, { type: ['string', 'null'] }, '$', 'type'],
    ['a required member', { a: 1 }, { required: ['a', 'b'] }, '$', 'required'],
    ['an inherited member is none', {}, { required: ['toString'] }, '$', 'required'],
    ['an enum', 'x', { enum: ['a', 'b'] }, '$', 'enum'],
    ['a const', { a: 1 }, { const: { a: 2 } }, '$', 'const'],
    ['a const of null', 1, { const: null }, '$', 'const'],
    [
      'a member',
      { a: { b: 'x' } },
      properties({ a: properties({ b: { type: 'number' } }) }),
      '$.a.b',
      'type',
    ],
    ['an item', { a: [1, 'x'] }, properties({ a: { items: { type: 'number' } } }), '$.a[1]', 'type'],
    [
      'a member too many',
      { a: 1 },
      { properties: {}, additionalProperties: false },
      '$',
      'additionalProperties',
    ],
    ['a member that may not be', { a: 1 }, properties({ a: false }), '$.a', 'false'],
    ['an item that may not be', [1], { items: false }, '$[0]', 'false'],
    ['a reference to false', 1, { $ref: '#/$defs/a', $defs: { a: false } }, '$', 'false'],
    ['everything', 1, false, '$', 'false'],
    [
      'behind a reference',
      { a: 1 },
      { properties: { a: { $ref: '#/$defs/s' } }, $defs: { s: { type: 'string' } } },
      '$.a',
      'type',
    ],
    [
      'beside a reference',
      1,
      { $ref: '#/$defs/n', const: 2, $defs: { n: { type: 'number' } } },
      '$',
      'const',
    ],
    ['a name that is not plain', { '<b>': 1 }, properties({ '<b>': { type: 'string' } }), '$.?', 'type'],
  ])('is broken: %s', (_, value, schema, path, rule) => {
    expect(checkValue(value, schema)).toEqual({ kind: 'invalid', path, rule });
  });

  const deep = (levels: number): unknown =>
    Array.from({ length: levels }).reduce<unknown>((inner) => ({ properties: { a: inner } }), {});
  const nested = (levels: number): unknown =>
    Array.from({ length: levels }).reduce<unknown>((inner) => ({ a: inner }), 1);
  it.each<[string, unknown, unknown, string]>([
    [
      'a loop of references',
      1,
      { $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } } },
      'too_deep',
    ],
    ['a reference to itself', 1, { $ref: '#' }, 'too_deep'],
    ['too many levels', nested(60), deep(60), 'too_deep'],
    ['another document', 1, { $ref: 'https://evil.example/schema.json' }, 'foreign_reference'],
    ['a reference that is no text', 1, { $ref: 7 }, 'foreign_reference'],
    ['a part that is not there', 1, { $ref: '#/$defs/a' }, 'missing_reference'],
    ['a part of a text', 1, { $ref: '#/title/length', title: 'x' }, 'missing_reference'],
    ['a broken escape', 1, { $ref: '#/%zz', '%zz': true }, 'missing_reference'],
    ['an inherited part', 1, { $ref: '#/constructor' }, 'missing_reference'],
    ['a pointer without end', 1, { $ref: `#${'/a'.repeat(100)}` }, 'too_deep'],
    ['no schema', 1, 7, 'not_a_schema'],
    ['no schema inside', { a: 1 }, properties({ a: 'x' }), 'not_a_schema'],
    ['properties that are a list', { a: 1 }, { properties: [] }, 'not_a_schema'],
    [
      'more steps than anybody needs',
      Array.from({ length: 200 }, () => Array.from({ length: 200 }, () => 1)),
      { items: { items: { type: 'number' } } },
      'too_large',
    ],
    ['a huge enum', 'x', { enum: Array.from({ length: 20_000 }, (_unused, index) => index) }, 'too_large'],
  ])('cannot be said: %s', (_, value, schema, why) => {
    expect(checkValue(value, schema)).toEqual({ kind: 'unusable', why });
  });

  it('ends for references that double with every level', () => {
    const $defs = Object.fromEntries(
      Array.from({ length: 30 }, (_, level) => [
        `d${level}`,
        { properties: { a: { $ref: `#/$defs/d${level + 1}` }, b: { $ref: `#/$defs/d${level + 1}` } } },
      ]),
    );
    let value: unknown = {};
    // The same object twice on every level: 2^28 ways through it.
    for (let level = 0; level < 28; level += 1) value = { a: value, b: value };
    expect(checkValue(value, { $ref: '#/$defs/d0', $defs })).toMatchObject({ kind: 'unusable' });
  });
});
