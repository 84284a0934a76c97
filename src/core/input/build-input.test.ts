import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BASE_USDC } from '../x402/usdc-on-base.ts';
import { buildInput } from './build-input.ts';

const object = (properties: object, required?: readonly string[]) => ({
  type: 'object',
  properties,
  ...(required === undefined ? {} : { required }),
});
const text = { type: 'string' };

describe('builds', () => {
  it.each<[string, unknown, unknown]>([
    ['a constant before all', { const: 'a', example: 'b', default: 'c', enum: ['d'] }, 'a'],
    ['then the example', { example: 'b', default: 'c', enum: ['d'], type: 'string' }, 'b'],
    ['the first of the examples', { examples: ['b', 'x'], default: 'c' }, 'b'],
    ['then the default', { default: 'c', enum: ['d'] }, 'c'],
    ['then the first choice', { enum: ['d', 'e'] }, 'd'],
    ['only what is required', object({ a: text, b: text }, ['a']), { a: 'example' }],
    ['what a flag requires', object({ a: { ...text, required: true }, b: text }), { a: 'example' }],
    [
      'all, when nothing is required and they are few',
      object({ a: text, b: text }),
      { a: 'example', b: 'example' },
    ],
    ['nothing of many that are not required', object({ a: text, b: text, c: text, d: text, e: text }), {}],
    [
      'the first branch',
      { anyOf: [object({ q: text }, ['q']), object({ z: text }, ['z'])] },
      { q: 'example' },
    ],
    [
      'a branch that only requires',
      { ...object({ q: text, z: text }), anyOf: [{ required: ['z'] }, { required: ['q'] }] },
      { z: 'example' },
    ],
    ['a type that may be null', { type: ['null', 'integer'] }, 1],
    ['an object without its type', { properties: { q: text } }, { q: 'example' }],
    [
      'numbers within their bounds',
      object({ a: { type: 'number', minimum: 5 }, b: { type: 'integer', exclusiveMaximum: 1 } }),
      { a: 5, b: 0 },
    ],
    ['an item', { type: 'array', items: text }, ['example']],
    ['as many items as there must be', { type: 'array', items: { type: 'integer' }, minItems: 3 }, [1, 1, 1]],
    ['a longer text', { type: 'string', minLength: 10 }, 'example ex'],
  ])('%s', (_, schema, built) => {
    expect(buildInput(schema)).toEqual(built);
  });

  it.each([
    ['date', { type: 'string', format: 'date' }, '2025-01-01'],
    ['page', { type: 'string', format: 'uri' }, 'https://example.com/'],
    ['contact', { type: 'string', format: 'email' }, 'probe@example.com'],
    ['x', { type: 'string', pattern: '^0x[a-fA-F0-9]{40}$' }, BASE_USDC],
    ['tokenAddress', text, BASE_USDC],
    ['wallet_address', text, BASE_USDC],
    ['targetUrl', text, 'https://example.com/'],
    ['ip', text, '192.0.2.1'],
    ['symbol', text, 'BTC'],
    ['country', text, 'US'],
    ['query', text, 'example'],
  ])('a harmless %s', (name, schema, value) => {
    expect(buildInput(object({ [name]: schema }, [name]))).toEqual({ [name]: value });
  });

  it('what a local reference points to', () => {
    const root = { $defs: { q: { type: 'integer' } } };
    expect(buildInput(object({ n: { $ref: '#/$defs/q' } }, ['n']), root)).toEqual({ n: 1 });
  });
});

describe('builds nothing', () => {
  const loop = { $ref: '#/$defs/a' };
  const endless = object({ next: { $ref: '#/$defs/node' } }, ['next']);
  it.each<[string, unknown, unknown?]>([
    ['from no schema', 'string'],
    ['from a schema without a type', object({ a: {} }, ['a'])],
    ['from a reference to elsewhere', { $ref: 'https://a.example/schema.json' }],
    ['from a reference to nowhere', { $ref: '#/$defs/none' }],
    ['from references in a circle', loop, { $defs: { a: { $ref: '#/$defs/b' }, b: loop } }],
    ['from a type that contains itself', endless, { $defs: { node: endless } }],
    [
      'of more than 32 members',
      object(
        Object.fromEntries(Array.from({ length: 33 }, (_, n) => [`a${n}`, text])),
        Array.from({ length: 33 }, (_, n) => `a${n}`),
      ),
    ],
    ['of a list of many', { type: 'array', items: text, minItems: 1_000_000 }],
    ['of a very long text', { type: 'string', minLength: 1_000_000 }],
    ['of a text shorter than a word', { type: 'string', maxLength: 3 }],
    ['between bounds that exclude everything', { type: 'number', minimum: 2, maximum: 1 }],
    ['where something required is not described', object({ a: text }, ['a', 'b'])],
  ])('%s', (_, schema, root) => {
    expect(buildInput(schema, root)).toBeUndefined();
  });
});

it('the same for the same schema, whatever it is, and never much', () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 8 }), (json) => {
      const schema: unknown = JSON.parse(json);
      const built = JSON.stringify(buildInput(schema)) ?? '';
      expect(JSON.stringify(buildInput(schema)) ?? '').toBe(built);
      expect(built.length).toBeLessThan(10_000);
    }),
  );
});
