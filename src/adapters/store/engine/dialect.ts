import { CompiledQuery } from 'kysely';
import { prepared } from './prepared.ts';
import type { Engine } from './tables.ts';

/** Where SQLite and PostgreSQL differ. */
export interface Dialect {
  readonly engine: Engine;
  /** Every statement is a round trip to a server. */
  readonly isRemote: boolean;
  /** A statement that is compiled once, with `?` for each value; PostgreSQL plans it once per connection, under this name. */
  statement<Row>(name: string, text: string): (values: readonly unknown[]) => CompiledQuery<Row>;
}

export const SQLITE: Dialect = {
  engine: 'sqlite',
  isRemote: false,
  statement: (_name, text) => (values) => CompiledQuery.raw(text, [...values]),
};

export const POSTGRES: Dialect = {
  engine: 'postgres',
  isRemote: true,
  statement(name, text) {
    const numbered = prepared(name, numberedValues(text));
    return (values) => CompiledQuery.raw(numbered, [...values]);
  },
};

function numberedValues(text: string): string {
  let count = 0;
  return text.replaceAll('?', () => {
    count += 1;
    return `$${count}`;
  });
}
