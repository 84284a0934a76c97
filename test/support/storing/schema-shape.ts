import { sql } from 'kysely';
import type { Connected } from '../../../src/adapters/store/store.ts';

/** A column as an older program meets it. */
export interface Column {
  readonly type: string;
  /** Whether a row may be written without it. */
  readonly canBeLeftOut: boolean;
  readonly isNullable: boolean;
}

export interface Shape {
  /** By table and column, such as `jobs.name`. */
  readonly columns: ReadonlyMap<string, Column>;
  /** Every unique index, by its name: the table and what it is over. */
  readonly unique: ReadonlyMap<string, { readonly table: string; readonly columns: readonly string[] }>;
}

export async function shapeOf({ database, engine }: Connected): Promise<Shape> {
  return engine === 'sqlite' ? sqliteShape(database) : postgresShape(database);
}

type Database = Connected['database'];

async function sqliteShape(database: Database): Promise<Shape> {
  const columns = await sql<{
    tab: string;
    name: string;
    type: string;
    notnull: number;
    dflt: string | null;
  }>`
    select m.name as tab, c.name, c.type, c."notnull", c.dflt_value as dflt
    from sqlite_master m join pragma_table_info(m.name) c where m.type = 'table'`.execute(database);
  const indexes = await sql<{ tab: string; idx: string; name: string | null }>`
    select m.name as tab, l.name as idx, i.name
    from sqlite_master m join pragma_index_list(m.name) l join pragma_index_info(l.name) i
    where m.type = 'table' and l."unique" = 1 order by l.name, i.seqno`.execute(database);
  return {
    columns: new Map(
      columns.rows.map(({ tab, name, type, notnull, dflt }) => [
        `${tab}.${name}`,
        { type: type.toLowerCase(), isNullable: notnull === 0, canBeLeftOut: notnull === 0 || dflt !== null },
      ]),
    ),
    unique: uniqueOf(indexes.rows),
  };
}

async function postgresShape(database: Database): Promise<Shape> {
  const columns = await sql<{
    tab: string;
    name: string;
    type: string;
    nullable: string;
    dflt: string | null;
  }>`
    select table_name as tab, column_name as name, data_type as type, is_nullable as nullable, column_default as dflt
    from information_schema.columns where table_schema = current_schema()`.execute(database);
  const indexes = await sql<{ tab: string; idx: string; name: string | null }>`
    select t.relname as tab, x.relname as idx, a.attname as name
    from pg_index i join pg_class t on t.oid = i.indrelid join pg_class x on x.oid = i.indexrelid
    join pg_namespace n on n.oid = t.relnamespace
    cross join lateral unnest(i.indkey) with ordinality as k(number, place)
    left join pg_attribute a on a.attrelid = t.oid and a.attnum = k.number
    where i.indisunique and n.nspname = current_schema() order by x.relname, k.place`.execute(database);
  return {
    columns: new Map(
      columns.rows.map(({ tab, name, type, nullable, dflt }) => [
        `${tab}.${name}`,
        { type, isNullable: nullable === 'YES', canBeLeftOut: nullable === 'YES' || dflt !== null },
      ]),
    ),
    unique: uniqueOf(indexes.rows),
  };
}

function uniqueOf(
  rows: readonly { readonly tab: string; readonly idx: string; readonly name: string | null }[],
) {
  const unique = new Map<string, { readonly table: string; readonly columns: readonly string[] }>();
  for (const { tab, idx, name } of rows) {
    const known = unique.get(idx)?.columns ?? [];
    unique.set(idx, { table: tab, columns: [...known, name ?? 'an expression'] });
  }
  return unique;
}

/** What an older program could stumble over when the schema has gone from one shape to the next. */
export function contractions(before: Shape, after: Shape): string[] {
  const oldTables = new Set([...before.columns.keys()].map(tableOf));
  const changed = [...before.columns].flatMap(([name, { type, isNullable }]) => {
    const now = after.columns.get(name);
    if (now === undefined) return [`${name} is gone`];
    if (now.type !== type) return [`${name} was ${type} and is ${now.type}`];
    return isNullable && !now.isNullable ? [`${name} may no longer be empty`] : [];
  });
  const demanded = [...after.columns].flatMap(([name, { canBeLeftOut }]) =>
    before.columns.has(name) || !oldTables.has(tableOf(name)) || canBeLeftOut
      ? []
      : [`${name} is new and has to be written`],
  );
  const known = new Set([...before.unique.values()].map(({ table, columns }) => `${table} ${columns}`));
  const forbidden = [...after.unique.values()].flatMap(({ table, columns }) =>
    oldTables.has(table) &&
    !known.has(`${table} ${columns}`) &&
    columns.every((column) => before.columns.has(`${table}.${column}`) || column === 'an expression')
      ? [`${table} is unique by ${columns.join(', ')} now`]
      : [],
  );
  return [...changed, ...demanded, ...forbidden];
}

function tableOf(column: string): string {
  return column.slice(0, column.lastIndexOf('.'));
}
