import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';

// biome-ignore lint/suspicious/noExplicitAny: a test looks at whatever a document holds.
export type Json = any;

export interface Answered {
  readonly status: number;
  readonly contentType: string | null;
  readonly text: string;
}

export interface Operation {
  /** As in GET /v1/lookup. */
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly described: Json;
}

/** What an OpenAPI document says about its own answers. */
export function describedAnswers(document: Json) {
  const ajv = new Ajv2020({ strict: false, validateSchema: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema(document, 'document');
  const followed = (node: Json): Json =>
    node?.$ref === undefined
      ? node
      : node.$ref
          .slice(2)
          .split('/')
          .reduce((found: Json, step: string) => found[step], document);

  const operations = Object.entries<Json>(document.paths).flatMap(([path, methods]) =>
    Object.entries<Json>(methods).map(([method, described]): Operation => {
      const upper = method.toUpperCase();
      return { name: `${upper} ${path}`, method: upper, path, described };
    }),
  );

  /** Where an answer differs from its description; empty if nowhere. */
  const faults = ({ name, method, path, described }: Operation, answered: Answered): string[] => {
    const { status, contentType, text } = answered;
    const said = `${name} ${status}`;
    const response = described.responses[status];
    if (response === undefined) return [`${said}: no such status`];
    const { content } = followed(response);
    if (content === undefined) return text === '' ? [] : [`${said}: no such body`];
    const type = (contentType ?? '').split(';', 1).join('');
    if (content[type] === undefined) return [`${said}: no such type ${type}`];
    if (!type.endsWith('json')) return [];
    const at = response.$ref ?? `#/paths/${escaped(path)}/${method.toLowerCase()}/responses/${status}`;
    const validate = ajv.compile({ $ref: `document${at}/content/${escaped(type)}/schema` });
    if (validate(JSON.parse(text))) return [];
    return (validate.errors ?? []).map(
      ({ instancePath, message }) => `${said}: ${instancePath} ${message ?? ''}`,
    );
  };
  /** A route without parameters comes first, as in the service. */
  const operationOf = (method: string, path: string): Operation | undefined =>
    operations
      .toSorted((a, b) => Number(a.path.includes('{')) - Number(b.path.includes('{')))
      .find((one) => one.method === method && templateOf(one.path).test(path));
  return { operations, followed, faults, operationOf };
}

export type DescribedAnswers = ReturnType<typeof describedAnswers>;

function templateOf(path: string): RegExp {
  const parts = path.split(/\{[^}]+\}/).map((part) => part.replaceAll('.', '\\.'));
  return new RegExp(`^${parts.join('[^/]+')}$`);
}

/** A part of a JSON pointer in a URI. */
function escaped(part: string): string {
  return encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'));
}
