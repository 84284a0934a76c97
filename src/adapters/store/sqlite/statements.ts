import type { SqliteDatabase, SqliteStatement } from 'kysely';
import type { SqliteFile } from './module.ts';

/** Room for all that a request runs. Batches of many sizes may fill it; then all are prepared anew. */
const CACHED_MAX = 500;

// Decided by the text, because the API tells only since Node 22.16. All statements are our own; a `with` changes rows.
const ANSWERS_ROWS = /^\s*(?:select|pragma)\b|\breturning\b/i;

/** An SQLite file as Kysely wants it. Each statement is prepared once: preparing costs more than most queries. */
export function cachedStatements(file: SqliteFile): SqliteDatabase {
  const cache = new Map<string, SqliteStatement>();
  return {
    close() {
      cache.clear();
      try {
        // The package lets go of the file only when its statements are collected; until then the log would stay apart.
        file.exec('pragma wal_checkpoint(passive)');
      } finally {
        file.close();
      }
    },
    prepare(sql) {
      const known = cache.get(sql);
      if (known !== undefined) return known;
      const prepared = file.prepare(sql);
      const statement: SqliteStatement = {
        reader: ANSWERS_ROWS.test(sql),
        all: (values) => prepared.all(...values),
        run: (values) => prepared.run(...values),
        iterate: (values) => prepared.iterate(...values),
      };
      if (cache.size >= CACHED_MAX) cache.clear();
      cache.set(sql, statement);
      return statement;
    },
  };
}
