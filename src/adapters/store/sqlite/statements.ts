import type { SqliteDatabase, SqliteStatement } from 'kysely';
import type { SqliteFile } from './module.ts';

/** More than all requests use. Batches of many sizes may fill the cache, which is then cleared. */
const CACHED_MAX = 500;

// By the text: the API has `columns()` only since Node 22.16. All statements are ours, and each `with` changes rows.
const ANSWERS_ROWS = /^\s*(?:select|pragma)\b|\breturning\b/i;

/** The interface that Kysely expects. Each statement is prepared once: preparing costs more than most queries. */
export function cachedStatements(file: SqliteFile): SqliteDatabase {
  const cache = new Map<string, SqliteStatement>();
  return {
    close() {
      cache.clear();
      try {
        // The package closes the file only when its statements are garbage-collected, which would delay the checkpoint.
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
