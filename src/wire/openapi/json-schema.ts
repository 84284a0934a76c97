import * as z from 'zod';

export type JsonObject = Readonly<Record<string, unknown>>;

/** Schemas of answers, which refer to each other by their names. */
export function namedSchemas(shapes: Readonly<Record<string, z.ZodType>>): Record<string, JsonObject> {
  const registry = z.registry<{ id: string }>();
  for (const [id, shape] of Object.entries(shapes)) registry.add(shape, { id });
  const { schemas } = z.toJSONSchema(registry, {
    io: 'output',
    uri: (id) => `#/components/schemas/${id}`,
    override: ({ zodSchema, jsonSchema }) => plainer(zodSchema, jsonSchema),
  });
  return Object.fromEntries(
    Object.entries(schemas).map(([name, { $id, $schema, ...schema }]) => [name, schema]),
  );
}

/** The parameters of a request as a JSON schema of what a caller sends. */
export function inputSchema(shape: z.ZodObject) {
  const { properties = {}, required = [] } = inputSchemaOf(shape);
  return { properties, required };
}

/** A JSON schema of what a caller sends. */
export function inputSchemaOf(shape: z.ZodType) {
  const { $schema, ...schema } = z.toJSONSchema(shape, {
    io: 'input',
    override: ({ zodSchema, jsonSchema }) => plainer(zodSchema, jsonSchema),
  });
  return schema;
}

type Converted = z.core.JSONSchema.BaseSchema;

/** Removes what only our own validator needs, and allows members of later versions in answers. */
function plainer(shape: z.core.$ZodTypes, schema: Converted): void {
  const { def } = shape._zod;
  if (def.type === 'object' && def.catchall === undefined) delete schema.additionalProperties;
  if (def.type === 'record') {
    delete schema.propertyNames;
    const { additionalProperties: values } = schema;
    if (typeof values === 'object' && Object.keys(values).length === 0) schema.additionalProperties = true;
  }
  if (schema.format === 'date-time') delete schema.pattern;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
}
