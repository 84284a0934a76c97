import { isJsonObject, type JsonObject, member } from '../x402/read-json.ts';

/** Whether a value satisfies a JSON Schema, as far as our part of it goes. */
export type ValueCheck =
  | { readonly kind: 'valid' }
  | { readonly kind: 'invalid'; readonly path: string; readonly rule: SchemaRule }
  | { readonly kind: 'unusable'; readonly why: SchemaFault };

export type SchemaRule = 'type' | 'required' | 'enum' | 'const' | 'additionalProperties' | 'false';
export type SchemaFault =
  | 'too_deep'
  | 'too_large'
  | 'foreign_reference'
  | 'missing_reference'
  | 'not_a_schema';

const DEPTH_MAX = 32;
const STEPS_MAX = 10_000;
const VALID = { kind: 'valid' } as const;

/**
 * type, required, enum, const, properties, additionalProperties: false, one schema for all items after those of prefixItems, true,
 * false, and $ref with a pointer into the same document. Everything else is ignored, a $ref to an anchor too; above all a
 * `pattern` is never run, because a stranger's expression may take for ever.
 */
export function checkValue(value: unknown, schema: unknown): ValueCheck {
  return visit(value, schema, '$', { root: schema, depth: 0, budget: { steps: STEPS_MAX } });
}

interface Visit {
  readonly root: unknown;
  readonly depth: number;
  readonly budget: { steps: number };
}

function visit(value: unknown, schema: unknown, path: string, at: Visit): ValueCheck {
  at.budget.steps -= 1;
  if (at.budget.steps < 0) return unusable('too_large');
  if (at.depth > DEPTH_MAX) return unusable('too_deep');
  if (schema === true) return VALID;
  if (schema === false) return { kind: 'invalid', path, rule: 'false' };
  if (!isJsonObject(schema)) return unusable('not_a_schema');
  const deeper = { ...at, depth: at.depth + 1 };
  const reference = member(schema, '$ref');
  if (reference !== undefined && !isAnchor(reference)) {
    const found = resolve(reference, at.root);
    const referred = found.kind === 'unusable' ? found : visit(value, found.schema, path, deeper);
    if (referred.kind !== 'valid') return referred;
  }
  const rule = brokenRule(value, schema, at.budget);
  if (at.budget.steps < 0) return unusable('too_large');
  if (rule !== null) return { kind: 'invalid', path, rule };
  return visitMembers(value, schema, path, deeper);
}

function visitMembers(value: unknown, schema: JsonObject, path: string, at: Visit): ValueCheck {
  const members = membersOf(value, schema, path);
  if (members === 'not_a_schema') return unusable(members);
  for (const [inner, innerSchema, innerPath] of members) {
    const result = visit(inner, innerSchema, innerPath, at);
    if (result.kind !== 'valid') return result;
  }
  return VALID;
}

type Member = readonly [value: unknown, schema: unknown, path: string];

function membersOf(value: unknown, schema: JsonObject, path: string): readonly Member[] | 'not_a_schema' {
  if (Array.isArray(value)) {
    const items = member(schema, 'items');
    // A list has a schema for each position, in older versions of JSON Schema.
    if (items === undefined || Array.isArray(items)) return [];
    const positions = member(schema, 'prefixItems');
    // The first ones have schemas of their own, and `items` is none of them.
    const from = Array.isArray(positions) ? positions.length : 0;
    return value.map((item, index): Member => [item, items, `${path}[${index}]`]).slice(from);
  }
  const properties = member(schema, 'properties');
  if (!isJsonObject(value) || properties === undefined) return [];
  if (!isJsonObject(properties)) return 'not_a_schema';
  return Object.keys(properties)
    .filter((key) => Object.hasOwn(value, key))
    .map((key): Member => [member(value, key), member(properties, key), `${path}.${shownKey(key)}`]);
}

/** Names are chosen by the seller: only plain ones are shown. */
function shownKey(key: string): string {
  return /^[A-Za-z0-9_-]{1,40}$/.test(key) ? key : '?';
}

function brokenRule(value: unknown, schema: JsonObject, budget: Visit['budget']): SchemaRule | null {
  const [type, required, choices] = [
    member(schema, 'type'),
    member(schema, 'required'),
    member(schema, 'enum'),
  ];
  if (type !== undefined && !(Array.isArray(type) ? type : [type]).some((one) => isType(value, one)))
    return 'type';
  if (Array.isArray(choices) && !choices.some((choice) => isSame(value, choice, budget))) return 'enum';
  if (Object.hasOwn(schema, 'const') && !isSame(value, member(schema, 'const'), budget)) return 'const';
  if (!isJsonObject(value)) return null;
  if (
    Array.isArray(required) &&
    !required.every((key) => typeof key !== 'string' || Object.hasOwn(value, key))
  )
    return 'required';
  const properties = member(schema, 'properties');
  // Which names patterns allow is not known, because none is run.
  const isClosed =
    member(schema, 'additionalProperties') === false &&
    member(schema, 'patternProperties') === undefined &&
    isJsonObject(properties);
  return isClosed && Object.keys(value).some((key) => !Object.hasOwn(properties, key))
    ? 'additionalProperties'
    : null;
}

function isType(value: unknown, type: unknown): boolean {
  switch (type) {
    case 'null':
      return value === null;
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isJsonObject(value);
    case 'integer':
      return Number.isInteger(value);
    case 'string':
    case 'number':
    case 'boolean':
      return typeof value === type;
    default:
      return true;
  }
}

/** Out of steps the result means nothing, and the visit says so. */
function isSame(left: unknown, right: unknown, budget: Visit['budget']): boolean {
  budget.steps -= 1;
  if (budget.steps < 0 || left === right) return true;
  if (Array.isArray(left) && Array.isArray(right)) {
    return left.length === right.length && left.every((item, index) => isSame(item, right[index], budget));
  }
  if (!isJsonObject(left) || !isJsonObject(right)) return false;
  const keys = Object.keys(left);
  return (
    keys.length === Object.keys(right).length &&
    keys.every((key) => Object.hasOwn(right, key) && isSame(member(left, key), member(right, key), budget))
  );
}

type Resolved = { readonly kind: 'schema'; readonly schema: unknown } | Unusable;
type Unusable = Extract<ValueCheck, { kind: 'unusable' }>;

const POINTER_PARTS_MAX = 32;

/** A name within the document. */
function isAnchor(reference: unknown): boolean {
  return typeof reference === 'string' && /^#[^/]/.test(reference);
}

/** A pointer into the same document; nothing is fetched. */
function resolve(reference: unknown, root: unknown): Resolved {
  if (typeof reference !== 'string' || !/^#(?:\/|$)/.test(reference)) return unusable('foreign_reference');
  const pointer = percentDecoded(reference);
  if (pointer === null) return unusable('missing_reference');
  const parts = pointer.split('/', POINTER_PARTS_MAX + 2).slice(1);
  if (parts.length > POINTER_PARTS_MAX) return unusable('too_deep');
  let schema = root;
  for (const part of parts) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
    const next: unknown = Array.isArray(schema)
      ? schema[Number(key)]
      : isJsonObject(schema)
        ? member(schema, key)
        : undefined;
    if (next === undefined) return unusable('missing_reference');
    schema = next;
  }
  return { kind: 'schema', schema };
}

/** A pointer in a reference is part of a URL: escapes of URLs come off first, and then its own. */
function percentDecoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

function unusable(why: SchemaFault): Unusable {
  return { kind: 'unusable', why };
}
