import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { openApiDocument } from './openapi-document.ts';

/** As a client gets it. */
const TEXT = JSON.stringify(
  openApiDocument({
    base: 'https://assay.example.org',
    others: ['https://alt.example.org'],
    payTo: '0x1111111111111111111111111111111111111111',
    contact: 'mailto:hello@assay.example.org',
  }),
);

// biome-ignore lint/suspicious/noExplicitAny: a test looks at whatever the document holds.
type Node = any;
const document: Node = JSON.parse(TEXT);

const followed = (node: Node): Node =>
  node?.$ref === undefined
    ? node
    : node.$ref
        .replace(/^#\//, '')
        .split('/')
        .reduce((found: Node, step: string) => found[step], document);

interface Member {
  /** Where it is, from the named schema or the operation. */
  readonly place: string;
  /** Its own description, else that of the named schema. */
  readonly description: string;
  /** The values of a closed list. */
  readonly values: readonly unknown[];
}

/** Every member of a schema, of the schemas that it refers to, and of what they contain; a named schema once. */
function* members(schema: Node, place: string, seen: Set<string>): Generator<Member> {
  if (typeof schema !== 'object' || schema === null) return;
  if (schema.$ref !== undefined) {
    if (seen.has(schema.$ref)) return;
    seen.add(schema.$ref);
    yield* members(followed(schema), schema.$ref.split('/').at(-1), seen);
    return;
  }
  for (const [name, property] of Object.entries<Node>(schema.properties ?? {})) {
    const here = `${place}.${name}`;
    const description = [property, followed(property), ...choices(property)]
      .map((one) => one.description ?? '')
      .join(' ')
      .trim();
    yield { place: here, description, values: choices(property).flatMap((one) => one.enum ?? []) };
    yield* members(property, here, seen);
  }
  for (const part of [...(schema.anyOf ?? []), ...(schema.oneOf ?? []), ...(schema.allOf ?? [])]) {
    yield* members(part, place, seen);
  }
  yield* members(schema.items, `${place}[]`, seen);
  yield* members(schema.additionalProperties, `${place}{}`, seen);
}

/** A schema and its alternatives. */
function choices(schema: Node): Node[] {
  const target = followed(schema);
  return [target, ...(target.anyOf ?? []).map(followed), ...(target.oneOf ?? []).map(followed)];
}

function* bodies(): Generator<[name: string, schema: Node]> {
  for (const [path, methods] of Object.entries<Node>({ ...document.paths, ...document.webhooks })) {
    for (const [method, { operationId, responses, requestBody }] of Object.entries<Node>(methods)) {
      expect(operationId, `${method} ${path}`).toMatch(/./);
      for (const [status, response] of [...Object.entries<Node>(responses), ['request', requestBody]]) {
        for (const media of Object.values<Node>(followed(response)?.content ?? {})) {
          yield [`${operationId} ${status}`, media.schema];
        }
      }
    }
  }
}

const seen = new Set<string>();
const MEMBERS = [...bodies()].flatMap(([name, schema]) => [...members(schema, name, seen)]);

const PARAMETERS: readonly Member[] = Object.values<Node>(document.paths)
  .flatMap((methods) => Object.values<Node>(methods))
  .flatMap(({ operationId, parameters = [] }) =>
    parameters.map(followed).map(({ name, description, schema }: Node) => ({
      place: `${operationId} ${name}`,
      description: description ?? '',
      values: schema.enum ?? [],
    })),
  );

/** Every reader of the document knows them. */
const METHODS = 'GET POST';

describe('the words of the document', () => {
  it('give the meaning of every member of every body', () => {
    expect(MEMBERS.length).toBeGreaterThan(300);
    expect(MEMBERS.filter(({ description }) => description === '').map(({ place }) => place)).toEqual([]);
  });

  it('give the meaning of every value of a closed list', () => {
    const silent = [...MEMBERS, ...PARAMETERS]
      .filter(({ values }) => values.length > 1 && values.join(' ') !== METHODS)
      .flatMap(({ place, values, description }) =>
        values.filter((value) => !description.includes(`${value}: `)).map((value) => `${place} ${value}`),
      );
    expect(silent).toEqual([]);
  });

  it('give the meaning of every header and every parameter', () => {
    const headers = Object.entries<Node>(document.components.headers);
    for (const [name, { description }] of headers) expect(description, name).toMatch(/./);
    expect(PARAMETERS.filter(({ description }) => description === '')).toEqual([]);
  });

  it('are a document that a model can read at once', () => {
    expect(TEXT.length).toBeLessThan(262_000);
    expect(gzipSync(TEXT).length).toBeLessThan(38_500);
  });
});
