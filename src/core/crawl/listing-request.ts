import type { ProbeMethod } from '../verdict/probe-outcome.ts';
import { isJsonObject, type JsonObject, member } from '../x402/read-json.ts';
import { firstRead } from './field-paths.ts';
import { EXAMPLE_BODY_MAX_BYTES, EXAMPLE_PARAMETERS_MAX, EXAMPLE_VALUE_MAX_CHARS } from './list-limits.ts';
import type { ExampleParameters } from './listed-endpoint.ts';
import type { FieldPlaces } from './listing-fields.ts';

const METHODS_MAX = 8;

/** 'post', 'GET|POST' or ['POST']; null when absent. Methods that a probe does not use become GET. */
export function readMethod(value: unknown): ProbeMethod | null {
  const texts = (Array.isArray(value) ? value.slice(0, METHODS_MAX) : [value]).filter(isShortText);
  const verbs = new Set<string>(texts.flatMap((text) => text.toUpperCase().match(/[A-Z]+/g) ?? []));
  if (verbs.size === 0) return null;
  return verbs.has('POST') && !verbs.has('GET') ? 'POST' : 'GET';
}

/** The example call of the entry; null when it contains no value. */
export function readExample(scopes: readonly JsonObject[], fields: FieldPlaces): ExampleParameters | null {
  const listed = firstRead(scopes, fields.parameters, (value) => (Array.isArray(value) ? value : null)) ?? [];
  const group = (isBody: boolean) => parameterValues(listed.filter((one) => isInBody(one) === isBody));
  const query = firstRead(scopes, fields.example_query, objectValues) ?? group(false);
  const fromFields = firstRead(scopes, fields.body_fields, objectValues) ?? group(true);
  const body =
    firstRead(scopes, fields.example_body, bodyText) ??
    (isEmpty(fromFields) ? null : bodyText(Object.fromEntries(fromFields)));
  if (isEmpty(query) && body === null) return null;
  return { query: [...query].map(([name, value]) => [name, String(value)] as const), body };
}

type Scalar = string | number | boolean;
type Values = ReadonlyMap<string, Scalar>;

function isEmpty(values: Values): boolean {
  return values.size === 0;
}

/** Example values in the members of an object: plain values, and schemas with an example. */
function objectValues(value: unknown): Values | null {
  if (!isJsonObject(value)) return null;
  const pairs = Object.entries(value).slice(0, EXAMPLE_PARAMETERS_MAX);
  return scalars(pairs.map(([name, described]) => [name, exampleOf(described)]));
}

/** The same for an array of schemas, each with its name inside. */
function parameterValues(parameters: readonly unknown[]): Values {
  const described = parameters.slice(0, EXAMPLE_PARAMETERS_MAX).filter(isJsonObject);
  return scalars(described.map((one) => [member(one, 'name'), exampleOf(one)]));
}

function isInBody(parameter: unknown): boolean {
  if (!isJsonObject(parameter)) return false;
  return (member(parameter, 'group') ?? member(parameter, 'in')) === 'body';
}

function exampleOf(described: unknown): unknown {
  if (!isJsonObject(described)) return described;
  const choices = member(described, 'enum');
  const given = ['example', 'default', 'const', 'value'].map((key) => member(described, key));
  return given.find(isScalar) ?? (Array.isArray(choices) ? choices[0] : undefined);
}

function scalars(pairs: readonly (readonly [unknown, unknown])[]): Values {
  const values = new Map<string, Scalar>();
  for (const [name, value] of pairs) {
    if (isShortText(name) && isScalar(value) && isShortText(String(value))) values.set(name, value);
  }
  return values;
}

function isScalar(value: unknown): value is Scalar {
  return typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);
}

function isShortText(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.length <= EXAMPLE_VALUE_MAX_CHARS;
}

function bodyText(value: unknown): string | null {
  if (!isJsonObject(value) || Object.keys(value).length === 0) return null;
  const text = JSON.stringify(value);
  return Buffer.byteLength(text) <= EXAMPLE_BODY_MAX_BYTES ? text : null;
}
