import * as z from 'zod';
import { paymentRequiredShape } from '../wire/payment/payment-required.ts';
import { problemShape } from '../wire/responses/problem.ts';

export type JsonSchema = Readonly<Record<string, unknown>>;

/**
 * What a tool answers. Clients hold every answer against this, errors too, so a payment requirement and a problem are
 * part of it. The whole list of tools is read by a model at every start: members are named, and their insides only so far.
 */
export function answers(
  shapes: readonly (readonly [z.ZodType, depth: number])[],
  payable: boolean,
): JsonSchema {
  const errors: [z.ZodType, number][] = payable
    ? [
        [paymentRequiredShape, 1],
        [PROBLEM, 1],
      ]
    : [[PROBLEM, 1]];
  return { type: 'object', anyOf: [...shapes, ...errors].map(([shape, depth]) => outline(shape, depth)) };
}

const PROBLEM = problemShape
  .pick({ title: true, status: true, detail: true, code: true, field: true })
  .extend({
    code: z.string(),
  });

function outline(shape: z.ZodType, depth: number): JsonSchema {
  return reduced(z.toJSONSchema(shape, { io: 'output' }), depth);
}

/** So many members that are always there tell one form from another. */
const TELLING = 4;

type Converted = z.core.JSONSchema.BaseSchema | boolean;

function reduced(schema: Converted, depth: number): JsonSchema {
  if (typeof schema === 'boolean') return {};
  const { type, properties, required, items, anyOf, enum: values, const: constant } = schema;
  if (anyOf !== undefined) return either(anyOf.map((one) => reduced(one, depth)));
  if (constant !== undefined) return { const: constant };
  if (values !== undefined) return { type: 'string', enum: values };
  if (type === 'object' && properties !== undefined && depth > 0) {
    const members = Object.entries(properties).map(([name, one]) => [name, reduced(one, depth - 1)]);
    return { type, properties: Object.fromEntries(members), required: required?.slice(0, TELLING) };
  }
  if (type === 'array' && items !== undefined && !Array.isArray(items) && depth > 0) {
    return { type, items: reduced(items, depth - 1) };
  }
  return type === undefined ? {} : { type };
}

/** A nullable type in short form, where possible. */
function either(schemas: readonly JsonSchema[]): JsonSchema {
  const values = schemas.flatMap((schema) => choicesOf(schema) ?? [undefined]);
  if (!values.includes(undefined)) return { enum: values };
  const types = schemas.map((schema) => (Object.keys(schema).join() === 'type' ? schema['type'] : null));
  if (types.includes(null)) return { anyOf: schemas };
  const [only, ...others] = new Set(types);
  return { type: others.length === 0 ? only : [only, ...others] };
}

/** The only values that a schema allows; null where there are others. */
function choicesOf(schema: JsonSchema): readonly unknown[] | null {
  if (schema['type'] === 'null') return [null];
  return Array.isArray(schema['enum']) ? schema['enum'] : null;
}
