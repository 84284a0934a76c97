import { type CompiledQuery, type RawBuilder, sql } from 'kysely';

/** Where a value goes: the compiled query carries it among its parameters until it is filled. */
class Slot {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** Stands in a query for a value of this type that comes later. */
export function slot<T>(name: string): RawBuilder<T> {
  return sql<T>`${new Slot(name)}`;
}

/** A hot query with its values. Building and compiling one takes longer than running it, so that happens once. */
export function fill<Row>(
  query: CompiledQuery<Row>,
  values: Readonly<Record<string, unknown>>,
): CompiledQuery<Row> {
  const parameters = query.parameters.map((parameter) => {
    if (!(parameter instanceof Slot)) return parameter;
    if (!Object.hasOwn(values, parameter.name)) throw new Error(`a query lacks its value ${parameter.name}`);
    return values[parameter.name];
  });
  return { ...query, parameters };
}
