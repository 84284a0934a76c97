import { describe, expect, it } from 'vitest';
import { readLookupRequest } from '../requests/lookup-request.ts';
import { readByUrlRequest, readReceiptsRequest } from '../requests/receipts-request.ts';
import { readSkipsRequest } from '../requests/skips-request.ts';
import { readSpotCheckRequest } from '../requests/spot-check-request.ts';
import { openApiDocument } from './openapi-document.ts';

const PARTS = {
  base: 'https://assay.example.org',
  others: [],
  payTo: '0x1111111111111111111111111111111111111111',
  contact: 'mailto:hello@assay.example.org',
};

// biome-ignore lint/suspicious/noExplicitAny: a test looks at whatever the document holds.
type Node = any;
const document: Node = openApiDocument(PARTS);

describe('the parameters', () => {
  const CHECK = '/v1/products/endpoint-spot-check';
  const readers: [path: string, read: (query: string) => { readonly kind: string }][] = [
    ['/v1/lookup', readLookupRequest],
    ['/v1/lookup/paid', readLookupRequest],
    [CHECK, readSpotCheckRequest],
    ['/v1/skips', readSkipsRequest],
    ['/v1/skips.json', readSkipsRequest],
    ['/v1/skips.csv', readSkipsRequest],
    ['/v1/receipts', readReceiptsRequest],
    ['/v1/receipts/by-url', readByUrlRequest],
    ['/v1/watch.atom', readByUrlRequest],
  ];

  describe.each(readers)('of %s', (path, read) => {
    const parameters: Node[] = document.paths[path].get.parameters.filter((one: Node) => one.in === 'query');
    const examples = (changes: Record<string, string> = {}) =>
      `${new URLSearchParams({
        ...Object.fromEntries(parameters.map(({ name, example }) => [name, String(example)])),
        ...changes,
      })}`;

    it('have examples that the reader takes', () => {
      expect(read(examples())).toMatchObject({ kind: 'read' });
    });

    it('have the bounds of the reader', () => {
      for (const { name, schema } of parameters.filter((one) => one.schema.type === 'integer')) {
        const { minimum, maximum } = schema;
        for (const [value, kind] of [
          [minimum - 1, 'bad_request'],
          [minimum, 'read'],
          [maximum, 'read'],
          [maximum + 1, 'bad_request'],
        ]) {
          expect(read(examples({ [name]: String(value) })), `${name}=${value}`).toMatchObject({ kind });
        }
      }
    });
  });

  it('have the defaults of the interface', () => {
    const operations = Object.values<Node>(document.paths).flatMap((methods) => Object.values<Node>(methods));
    const defaults = operations.flatMap(({ parameters = [] }) =>
      parameters.map(({ name, schema }: Node) => `${name}=${schema?.default}`),
    );
    expect(new Set(defaults.filter((text) => !text.endsWith('undefined')))).toEqual(
      new Set([
        'n=5',
        'limit=10',
        'method=GET',
        'mode=live',
        'format=html',
        'page=1',
        'sort=url',
        'limit=20',
        'reachable_only=false',
      ]),
    );
  });

  it('are texts throughout on the paid lookup', () => {
    const { parameters } = document.paths['/v1/lookup/paid'].get;
    const types = parameters.filter((one: Node) => one.in === 'query').map((one: Node) => one.schema.type);
    expect(new Set(types)).toEqual(new Set(['string']));
  });

  it('are the members of the body of a check', () => {
    const { schema, example } = document.paths[CHECK].post.requestBody.content['application/json'];
    expect(schema).toEqual({ $ref: '#/components/schemas/SpotCheckRequest' });
    const { properties, required } = document.components.schemas.SpotCheckRequest;
    expect(required).toEqual(['url']);
    const body = Object.fromEntries(
      Object.entries<Node>(properties).map(([name, { examples }]) => [name, examples[0]]),
    );
    expect(readSpotCheckRequest('', { ...body, method: 'POST' })).toMatchObject({ kind: 'read' });
    expect(readSpotCheckRequest('', example)).toMatchObject({ kind: 'read' });
  });
});
