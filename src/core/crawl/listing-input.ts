import { namesAnAction } from '../input/action-words.ts';
import { buildInput, givenValue, requiredNames } from '../input/build-input.ts';
import { INPUT_BODY_MAX_BYTES, INPUT_PARAMETERS_MAX, INPUT_VALUE_MAX_CHARS } from '../input/input-limits.ts';
import type { InputValues, ListedInput, NamedValue } from '../input/listed-input.ts';
import { isParameterName, MISSING_NAMES_MAX } from '../input/missing-names.ts';
import type { ProbeMethod } from '../verdict/probe-outcome.ts';
import { isJsonObject, type JsonObject, member } from '../x402/read-json.ts';
import { firstRead, valueAt } from './field-paths.ts';
import type { FieldPlaces } from './listing-fields.ts';
import { readMethod } from './listing-request.ts';

/** What an entry says about the input of its endpoint; null when it says nothing. */
export function readInput(
  scopes: readonly JsonObject[],
  fields: FieldPlaces,
  listed: { readonly path: string; readonly method: ProbeMethod | null },
): ListedInput | null {
  const method = firstRead(scopes, fields.input_method, readMethod);
  const groups = groupsOf(scopes, fields, method ?? listed.method ?? 'GET');
  const requiredBy = (group: Group) => groups[group].flatMap(({ schema }) => requiredNames(schema));
  const sent = [...requiredBy('query'), ...requiredBy('body')];
  const required = [...new Set([...sent, ...requiredBy('path')])];
  const given = valuesOf(
    firstRead(scopes, fields.example_query, exampleValues) ?? valuesIn(groups.query),
    firstRead(scopes, fields.example_body, bodyText) ??
      bodyText(
        Object.fromEntries(firstRead(scopes, fields.body_fields, exampleValues) ?? valuesIn(groups.body)),
      ),
  );
  // What leaves out something that the schema requires is no example of a call.
  const example = given !== null && isComplete(given, sent) ? given : null;
  const isAction = [listed.path, ...descriptions(scopes, fields)].some(namesAnAction);
  const built = isAction ? null : builtValues(groups);
  const path = pathValues(scopes, fields, groups);
  const isSilent = example === null && built === null && path.length === 0 && required.length === 0;
  if (isSilent && (method ?? listed.method) === listed.method) return null;
  const names = required.filter(isParameterName).slice(0, MISSING_NAMES_MAX);
  return { method, example, built, path, required: names };
}

/** A placeholder takes what its schema offers, too: without a value there is no URL to ask. */
function pathValues(
  scopes: readonly JsonObject[],
  fields: FieldPlaces,
  { path }: Groups,
): readonly NamedValue[] {
  const examples = firstRead(scopes, fields.example_path, exampleValues) ?? valuesIn(path);
  if (examples.size > 0) return named(examples);
  const [described] = path;
  const offered = described === undefined ? undefined : member(described.schema, 'properties');
  const pairs = Object.entries(isJsonObject(offered) ? offered : {}).slice(0, INPUT_PARAMETERS_MAX);
  const values = pairs.map(
    ([name, schema]) => [name, isJsonObject(schema) ? givenValue(schema) : undefined] as const,
  );
  return named(new Map(values.filter((pair): pair is [string, Scalar] => isScalar(pair[1]))));
}

type Group = 'query' | 'body' | 'path';

/** The schema of an object, and the document that its references point into. */
interface Described {
  readonly schema: JsonObject;
  readonly root: unknown;
}

/** Empty or with one schema: lists describe the members of each group in one of several ways. */
type Groups = Readonly<Record<Group, readonly Described[]>>;

const IN_BAZAAR = {
  query: ['properties', 'input', 'properties', 'queryParams'],
  body: ['properties', 'input', 'properties', 'body'],
  path: ['properties', 'input', 'properties', 'pathParams'],
} as const;

const FIELD_OF = { query: 'example_query', body: 'body_fields', path: 'example_path' } as const;

function groupsOf(scopes: readonly JsonObject[], fields: FieldPlaces, method: ProbeMethod): Groups {
  const root = firstRead(scopes, fields.input_schema, (value) => (isJsonObject(value) ? value : null)) ?? {};
  const listed = firstRead(scopes, fields.parameters, (value) => (Array.isArray(value) ? value : null)) ?? [];
  const parameters = listed.slice(0, INPUT_PARAMETERS_MAX).filter(isJsonObject);
  const read = (group: Group): readonly Described[] => {
    const inBazaar = valueAt(root, IN_BAZAAR[group]);
    if (isJsonObject(inBazaar)) return [{ schema: inBazaar, root }];
    // A plain schema of the input, without the envelope of an extension.
    const isPlain =
      group === (method === 'POST' ? 'body' : 'query') && isJsonObject(member(root, 'properties'));
    if (isPlain && valueAt(root, ['properties', 'input']) === undefined) return [{ schema: root, root }];
    const members =
      firstRead(scopes, fields[FIELD_OF[group]], memberSchemas) ?? parametersIn(group, parameters);
    return members === null ? [] : [{ schema: { type: 'object', properties: members }, root }];
  };
  return { query: read('query'), body: read('body'), path: read('path') };
}

/** Members that are described and not given. */
function memberSchemas(value: unknown): JsonObject | null {
  if (!isJsonObject(value)) return null;
  const members = Object.entries(value).slice(0, INPUT_PARAMETERS_MAX);
  if (!members.some(([, described]) => isJsonObject(described))) return null;
  return Object.fromEntries(
    members.map(([name, described]) => [name, isJsonObject(described) ? described : { const: described }]),
  );
}

function parametersIn(group: Group, parameters: readonly JsonObject[]): JsonObject | null {
  const members = parameters
    .filter((one) => placeOf(one) === group)
    .flatMap((one): [string, unknown][] => {
      const name = member(one, 'name');
      const schema = member(one, 'schema');
      return typeof name === 'string' ? [[name, { ...(isJsonObject(schema) ? schema : {}), ...one }]] : [];
    });
  return members.length === 0 ? null : Object.fromEntries(members);
}

function placeOf(parameter: JsonObject): Group {
  const place = member(parameter, 'group') ?? member(parameter, 'in');
  return place === 'body' || place === 'path' ? place : 'query';
}

/** The values that a description of members contains. */
function valuesIn([described]: readonly Described[]): Values {
  return (
    (described === undefined ? null : exampleValues(member(described.schema, 'properties'))) ?? new Map()
  );
}

type Scalar = string | number | boolean;
type Values = ReadonlyMap<string, Scalar>;

/** Example values in the members of an object: plain values, and schemas with an example. */
function exampleValues(value: unknown): Values | null {
  if (!isJsonObject(value)) return null;
  const values = new Map<string, Scalar>();
  for (const [name, described] of Object.entries(value).slice(0, INPUT_PARAMETERS_MAX)) {
    const example = exampleOf(described);
    if (isShortText(name) && isScalar(example) && isShortText(String(example))) values.set(name, example);
  }
  return values;
}

/** A default or a choice is no example: an order made of them would be one that nobody thought of. */
function exampleOf(described: unknown): unknown {
  if (!isJsonObject(described)) return described;
  return [member(described, 'example'), member(described, 'value')].find(isScalar);
}

function builtValues({ query, body }: Groups): InputValues | null {
  const object = ([described]: readonly Described[]) => {
    const built = described === undefined ? undefined : buildInput(described.schema, described.root);
    return isJsonObject(built) ? built : {};
  };
  const scalars = new Map(
    Object.entries(object(query)).filter((pair): pair is [string, Scalar] => isScalar(pair[1])),
  );
  return valuesOf(scalars, bodyText(object(body)));
}

function valuesOf(query: Values, body: string | null): InputValues | null {
  return query.size === 0 && body === null ? null : { query: named(query), body };
}

function named(values: Values): readonly NamedValue[] {
  return [...values].map(([name, value]) => [name, String(value)] as const);
}

function isComplete({ query, body }: InputValues, required: readonly string[]): boolean {
  const sent: unknown = body === null ? {} : JSON.parse(body);
  const names = new Set([...query.map(([name]) => name), ...(isJsonObject(sent) ? Object.keys(sent) : [])]);
  return required.every((name) => names.has(name));
}

/** The title, too: a short one may be all that says what the endpoint does. */
function descriptions(scopes: readonly JsonObject[], fields: FieldPlaces): readonly string[] {
  const paths = [...fields.description, ...fields.name];
  const found = scopes.flatMap((scope) => paths.map((path) => valueAt(scope, path)));
  return found.filter((text) => typeof text === 'string');
}

function isScalar(value: unknown): value is Scalar {
  return typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);
}

function isShortText(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= INPUT_VALUE_MAX_CHARS;
}

function bodyText(value: unknown): string | null {
  if (!isJsonObject(value) || Object.keys(value).length === 0) return null;
  const text = JSON.stringify(value);
  return Buffer.byteLength(text) <= INPUT_BODY_MAX_BYTES ? text : null;
}
