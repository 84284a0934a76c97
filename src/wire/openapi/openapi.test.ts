import { describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { SHAPES } from './component-schemas.ts';
import { openApiDocument } from './openapi-document.ts';

const PARTS = {
  base: 'https://assay.example.org',
  others: ['https://alt.example.org'],
  payTo: '0x1111111111111111111111111111111111111111',
  contact: 'mailto:hello@assay.example.org',
};

/** As a client gets it. */
// biome-ignore lint/suspicious/noExplicitAny: a test looks at whatever the document holds.
const document: any = JSON.parse(JSON.stringify(openApiDocument(PARTS)));

// biome-ignore lint/suspicious/noExplicitAny: as above.
type Node = any;

/** Every object of the document with the path to it. */
function* nodes(node: Node = document, path: readonly string[] = []): Generator<[readonly string[], Node]> {
  if (typeof node !== 'object' || node === null) return;
  yield [path, node];
  for (const [key, value] of Object.entries(node)) yield* nodes(value, [...path, key]);
}

function resolve(ref: string): Node {
  const steps = ref.replace(/^#\//, '').split('/');
  return steps.reduce((node: Node, step) => node?.[step], document);
}

const followed = (node: Node) => (node.$ref === undefined ? node : resolve(node.$ref));

type Operation = [name: string, operation: Node];
const OPERATIONS = Object.entries<Node>(document.paths).flatMap(([path, methods]) =>
  Object.entries<Node>(methods).map(
    ([method, operation]): Operation => [`${method.toUpperCase()} ${path}`, operation],
  ),
);

describe('the document', () => {
  it('has every route of the interface with every status it can give', () => {
    const statuses = OPERATIONS.map(([name, { responses }]) => [name, Object.keys(responses).join(' ')]);
    expect(Object.fromEntries(statuses)).toEqual({
      'GET /v1/lookup': '200 400 402 405 409 429 500 503',
      'GET /v1/lookup/paid': '200 400 402 405 409 429 500 503',
      'GET /v1/products/endpoint-spot-check': '200 400 402 405 409 429 500 503',
      'POST /v1/products/endpoint-spot-check': '200 400 402 405 409 413 415 429 500 503',
      'GET /v1/products/overnight-cos-pack': '200 400 402 405 409 429 500 503',
      'POST /v1/products/overnight-cos-pack': '200 400 402 405 409 429 500 503',
      'GET /v1/skips': '200 304 400 404 405 429 500 503',
      'GET /v1/skips.csv': '200 304 400 404 405 429 500 503',
      'GET /v1/skips.atom': '200 304 405 429 500 503',
      'GET /v1/skips.json': '200 304 400 404 405 429 500 503',
      'GET /v1/receipts': '200 304 400 404 405 429 500 503',
      'GET /v1/receipts/by-url': '200 304 400 404 405 429 500 503',
      'GET /v1/receipts/{id}': '200 304 404 405 410 429 500 503',
      'GET /v1/receipts/{id}/statement': '200 304 404 405 410 429 500 503',
      'GET /v1/receipts/{id}/proof': '200 304 404 405 410 429 500 503',
      'GET /v1/receipts/{id}/proof.tlog-proof': '200 304 404 405 410 429 500 503',
      'GET /log/rules/{version}.mjs': '200 304 404 405 429 500 503',
      'GET /log/policy': '200 304 404 405 429 500 503',
      'GET /log/checkpoint': '200 304 404 405 429 500 503',
      'GET /v1/tasks': '200 304 405 429 500 503',
      'GET /v1/services': '200 304 400 405 429 500 503',
      'GET /v1/services/{id}': '200 304 404 405 429 500 503',
      'GET /v1/hosts/{host}': '200 304 404 405 429 500 503',
      'GET /v1/payees/{address}': '200 304 404 405 429 500 503',
      'GET /v1/snapshot': '200 304 404 405 429 500 503',
      'GET /snapshot/{sha256}.bin': '200 304 404 405 429 500 503',
      'GET /snapshot/{sha256}/{part}.bin': '200 304 404 405 429 500 503',
      'GET /snapshot/{from}-{to}.delta': '200 304 404 405 429 500 503',
      'GET /v1/corrections': '200 304 400 405 429 500 503',
      'GET /v1/watch.atom': '200 304 400 405 429 500 503',
      'POST /v1/sellers': '200 400 403 405 409 413 415 429 500 503',
      'POST /mcp': '200 202 400 403 404 405 413 415 429 500 503',
      'GET /badge.svg': '200 304 400 405 429 500 503',
      'GET /healthz': '200 405 500',
      'GET /readyz': '200 405 500 503',
    });
  });

  it('says which interface it is, under whose licence, and whom to write to (G88)', () => {
    expect(document).toMatchObject({
      openapi: '3.1.0',
      info: {
        title: 'Assay',
        version: '0.16.1',
        license: { identifier: 'MIT' },
        contact: { email: 'hello@assay.example.org' },
      },
      servers: [{ url: 'https://assay.example.org' }, { url: 'https://alt.example.org' }],
    });
    const web = openApiDocument({ ...PARTS, contact: 'https://example.org/contact' });
    expect(web).toMatchObject({ info: { contact: { url: 'https://example.org/contact' } } });
  });

  it('holds the promises', () => {
    expect(document.info.description).toContain('Payment buys query access only.');
    expect(document.info.description).toContain('never changes a result, a sort order, a listing or a check');
    expect(document.info.description).toContain('never pays a target');
    expect(document.info.description).toContain('no investment advice');
    expect(document.info.description).toContain('no customer funds');
  });

  it('tells an agent what to do, briefly', () => {
    expect(document.info['x-guidance']).toContain('sign exactly the approved payment');
    expect(document.info['x-guidance'].length).toBeLessThan(2_000);
  });

  it('resolves every reference', () => {
    const refs = [...nodes()].map(([, node]) => node.$ref).filter((ref) => ref !== undefined);
    expect(refs.length).toBeGreaterThan(100);
    expect(refs.filter((ref) => resolve(ref) === undefined)).toEqual([]);
  });

  it('has no schema without a type', () => {
    const schemas = [...nodes()].filter(([path]) => isSchema(path));
    expect(schemas.length).toBeGreaterThan(200);
    const untyped = schemas.filter(
      ([, node]) => !['type', '$ref', 'anyOf', 'oneOf'].some((key) => Object.hasOwn(node, key)),
    );
    expect(untyped.map(([path]) => path.join('/'))).toEqual([]);
  });
});

/** Where a schema stands: named, in a media type, parameter or header, or part of another. */
function isSchema(path: readonly string[]): boolean {
  const [last = '', parent = ''] = path.toReversed();
  if (path.some((step) => step === 'example' || step === 'examples')) return false;
  if (parent === 'schemas' && path[0] === 'components') return true;
  const inSchema = path.includes('schemas') || path.includes('schema');
  return last === 'schema' || (inSchema && (parent === 'properties' || last === 'items'));
}

/** Only a wallet makes one. */
const PAYMENTS: ReadonlySet<string> = new Set(['PAYMENT-SIGNATURE', 'X-PAYMENT']);

/** Parameters whose value an earlier answer has. */
const LINKED: ReadonlySet<string> = new Set(
  [...nodes()].flatMap(([, { links = {} }]) =>
    Object.values<Node>(links).flatMap(({ operationId, parameters = {} }) =>
      Object.keys(parameters).map((name) => `${operationId} ${name}`),
    ),
  ),
);

describe.each(OPERATIONS)('%s', (name, operation) => {
  it('is described, and open to whoever asks', () => {
    expect(operation.operationId).toMatch(/^[a-zA-Z]+$/);
    expect(operation.summary).toMatch(/./);
    expect(operation.security).toEqual([]);
    expect(OPERATIONS.filter(([, other]) => other.operationId === operation.operationId)).toHaveLength(1);
  });

  it('has a described parameter with a typed schema for everything, and an example or a link to an answer', () => {
    for (const parameter of (operation.parameters ?? []).map(followed)) {
      expect(parameter, parameter.name).toMatchObject({
        description: expect.stringMatching(/./),
        required: expect.any(Boolean),
        schema: { type: expect.any(String) },
      });
      const isKnown =
        LINKED.has(`${operation.operationId} ${parameter.name}`) || PAYMENTS.has(parameter.name);
      expect(parameter.example === undefined, parameter.name).toBe(isKnown);
    }
  });

  it('has answers with the id of the request, and examples that have the shape they claim', () => {
    for (const [status, response] of Object.entries<Node>(operation.responses)) {
      const { headers, content = {} } = followed(response);
      expect(Object.keys(headers), `${name} ${status}`).toContain('X-Request-Id');
      for (const [type, media] of Object.entries<Node>(content)) {
        if (SHOWN_TYPES.has(type)) continue;
        expect(type).toBe(typeOf(name, status));
        for (const value of valuesOf(media)) expect(shapesHolding(media.schema, value)).not.toEqual([]);
      }
    }
  });

  it('says when to come back wherever it sends a caller away', () => {
    for (const status of ['429', '503']) {
      const response = operation.responses[status];
      if (response !== undefined) expect(Object.keys(followed(response).headers)).toContain('Retry-After');
    }
  });
});

/** For people, for a picture, or bytes: their bodies have no shape of ours. */
const SHOWN_TYPES: ReadonlySet<string> = new Set([
  'text/javascript',
  'text/plain',
  'text/html',
  'image/svg+xml',
  'text/csv',
  'application/atom+xml',
  'application/octet-stream',
]);

/** Errors are problems, but for the requirement and for what /mcp itself refuses, which is JSON-RPC. */
function typeOf(name: string, status: string): string {
  const isOwn = status === '402' || (name === 'POST /mcp' && Number(status) < 429);
  return Number(status) < 400 || isOwn ? 'application/json' : 'application/problem+json';
}

function valuesOf({ example, examples = {} }: Node): unknown[] {
  const values = Object.values<Node>(examples).map((one) => followed(one).value);
  const all = example === undefined ? values : [...values, example];
  expect(all).not.toEqual([]);
  return all;
}

/** The named shapes of a schema that the value has, with not one member more. */
function shapesHolding(schema: Node, value: unknown): string[] {
  const names: string[] = (schema.anyOf ?? [schema]).map(({ $ref }: Node) => $ref.split('/').at(-1));
  const known: ReadonlyMap<string, z.ZodType> = new Map(Object.entries(SHAPES));
  return names.filter((name) => {
    const reading = known.get(name)?.safeParse(value);
    return (
      reading?.success === true && JSON.stringify(sorted(reading.data)) === JSON.stringify(sorted(value))
    );
  });
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]): [string, unknown] => [key, sorted(inner)]);
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
