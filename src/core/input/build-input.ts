import { isJsonObject, type JsonObject, member } from '../x402/read-json.ts';
import { harmlessText } from './harmless-values.ts';

/** Bounds on a stranger's schema. */
const DEPTH_MAX = 5;
const MEMBERS_MAX = 32;
/** One more than can be built, so that too many are seen as such. */
const NAMES_MAX = MEMBERS_MAX + 1;
const TEXT_MAX_CHARS = 64;
const ITEMS_MAX = 3;
/** Without a required member all are sent, if they are this few. */
const OPTIONAL_MAX = 4;

type Json = string | number | boolean | null | readonly Json[] | { readonly [name: string]: Json };

interface Walk {
  /** The document that local references point into. */
  readonly root: unknown;
  readonly depth: number;
  /** Shared by the whole walk. */
  readonly left: { members: number };
}

/**
 * A value that a JSON Schema allows, always the same one, made of harmless constants. Reads local references only and never
 * runs a pattern: both belong to a stranger. Undefined where nothing can be built.
 */
export function buildInput(schema: unknown, root: unknown = schema): Json | undefined {
  return build(schema, '', { root, depth: 0, left: { members: MEMBERS_MAX } });
}

function build(described: unknown, name: string, walk: Walk): Json | undefined {
  const schema = resolved(described, walk);
  if (schema === null || walk.depth > DEPTH_MAX) return undefined;
  const given = givenValue(schema);
  if (given !== undefined) return given;
  const [branch] = listOf(schema, 'anyOf') ?? listOf(schema, 'oneOf') ?? [];
  if (branch !== undefined) {
    const merged = withBranch(schema, branch, walk);
    return merged === null ? undefined : build(merged, name, deeper(walk));
  }
  switch (typeOf(schema)) {
    case 'object':
      return buildObject(schema, walk);
    case 'array':
      return buildArray(schema, name, walk);
    case 'integer':
    case 'number':
      return numberWithin(schema);
    case 'boolean':
      return false;
    case 'null':
      return null;
    case 'string':
      return textFor(schema, name);
    default:
      return undefined;
  }
}

function deeper(walk: Walk): Walk {
  return { ...walk, depth: walk.depth + 1 };
}

/** The schema behind its local references; null for a loop, a remote reference or no schema. */
function resolved(described: unknown, { root }: Walk): JsonObject | null {
  let schema = described;
  for (let hops = 0; hops <= DEPTH_MAX; hops += 1) {
    if (!isJsonObject(schema)) return null;
    const reference = member(schema, '$ref');
    if (reference === undefined) return schema;
    if (typeof reference !== 'string' || !reference.startsWith('#/')) return null;
    schema = lookUp(root, reference);
  }
  return null;
}

function lookUp(root: unknown, reference: string): unknown {
  let value = root;
  for (const step of reference
    .slice(2)
    .split('/')
    .slice(0, 2 * DEPTH_MAX)) {
    if (!isJsonObject(value)) return undefined;
    value = member(value, step.replaceAll('~1', '/').replaceAll('~0', '~'));
  }
  return value;
}

/** What the schema itself offers as a value. */
export function givenValue(schema: JsonObject): Json | undefined {
  const [example] = listOf(schema, 'examples') ?? [];
  const [choice] = listOf(schema, 'enum') ?? [];
  const offered = [
    member(schema, 'const'),
    member(schema, 'example'),
    example,
    member(schema, 'default'),
    choice,
  ];
  return offered.find(isPlain);
}

function isPlain(value: unknown): value is string | number | boolean {
  if (typeof value === 'string') return value !== '' && value.length <= TEXT_MAX_CHARS;
  return typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value));
}

/** A branch says what is required, its parent often what there is. */
function withBranch(schema: JsonObject, branch: unknown, walk: Walk): JsonObject | null {
  const chosen = resolved(branch, walk);
  if (chosen === null) return null;
  const { anyOf: _, oneOf: __, ...rest } = schema;
  const properties = { ...propertiesOf(schema), ...propertiesOf(chosen) };
  const required = [...namesIn(schema), ...namesIn(chosen)];
  return { ...rest, ...chosen, properties, required };
}

function typeOf(schema: JsonObject): unknown {
  const type = member(schema, 'type');
  const named: unknown = Array.isArray(type) ? type.find((one) => one !== 'null') : type;
  if (named !== undefined) return named;
  if (Object.keys(propertiesOf(schema)).length > 0) return 'object';
  return member(schema, 'items') === undefined ? undefined : 'array';
}

function buildObject(schema: JsonObject, walk: Walk): Json | undefined {
  const properties = propertiesOf(schema);
  const built: [string, Json][] = [];
  for (const name of wantedNames(schema, properties)) {
    if (walk.left.members === 0) return undefined;
    walk.left.members -= 1;
    const value = build(member(properties, name), name, deeper(walk));
    if (value === undefined) return undefined;
    built.push([name, value]);
  }
  return Object.fromEntries(built);
}

function wantedNames(schema: JsonObject, properties: JsonObject): readonly string[] {
  const required = requiredNames(schema);
  if (required.length > 0) return required;
  const all = Object.keys(properties).slice(0, OPTIONAL_MAX + 1);
  return all.length <= OPTIONAL_MAX ? all : [];
}

/** The required members of an object: a list of names, or a flag in each member as in version 1 of x402. */
export function requiredNames(schema: JsonObject): readonly string[] {
  const flagged = Object.entries(propertiesOf(schema))
    .slice(0, NAMES_MAX)
    .filter(([, described]) => isJsonObject(described) && member(described, 'required') === true);
  return [...new Set([...namesIn(schema), ...flagged.map(([name]) => name)])].slice(0, NAMES_MAX);
}

function buildArray(schema: JsonObject, name: string, walk: Walk): Json | undefined {
  const least = member(schema, 'minItems');
  const wanted = typeof least === 'number' ? least : 1;
  if (wanted > ITEMS_MAX) return undefined;
  const item = build(member(schema, 'items') ?? { type: 'string' }, name, deeper(walk));
  return item === undefined ? undefined : Array.from({ length: Math.max(1, Math.ceil(wanted)) }, () => item);
}

function numberWithin(schema: JsonObject): number | undefined {
  const bound = (key: string) => {
    const value = member(schema, key);
    return typeof value === 'number' && Number.isFinite(value) ? value : null;
  };
  const [above, below] = [bound('exclusiveMinimum'), bound('exclusiveMaximum')];
  const least = Math.max(bound('minimum') ?? -Infinity, above === null ? -Infinity : above + 1);
  const most = Math.min(bound('maximum') ?? Infinity, below === null ? Infinity : below - 1);
  if (least > most) return undefined;
  return Math.min(Math.max(1, least), most);
}

/** Undefined for a length that no harmless text has. */
function textFor(schema: JsonObject, name: string): string | undefined {
  const text = harmlessText(schema, name);
  const [least, most] = [member(schema, 'minLength'), member(schema, 'maxLength')];
  if (typeof most === 'number' && most < text.length) return undefined;
  if (typeof least !== 'number' || least <= text.length) return text;
  return least > TEXT_MAX_CHARS ? undefined : text.padEnd(least, ' example');
}

function namesIn(schema: JsonObject): readonly string[] {
  return (listOf(schema, 'required') ?? []).slice(0, NAMES_MAX).filter((name) => typeof name === 'string');
}

function listOf(schema: JsonObject, key: string): readonly unknown[] | undefined {
  const value = member(schema, key);
  return Array.isArray(value) && value.length > 0 ? value : undefined;
}

function propertiesOf(schema: JsonObject): JsonObject {
  const value = member(schema, 'properties');
  return isJsonObject(value) ? value : {};
}
