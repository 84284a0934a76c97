import { loadSqlite } from '../src/adapters/store/sqlite/module.ts';

/** What a statement finds in a database file, on a connection of its own. */
export async function sqliteRows(file: string, sql: string): Promise<Record<string, unknown>[]> {
  const { DatabaseSync } = await loadSqlite();
  const database = new DatabaseSync(file);
  try {
    return database
      .prepare(sql)
      .all()
      .map((row) => Object.assign({}, row));
  } finally {
    database.close();
  }
}
