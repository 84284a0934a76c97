/** The part of the DatabaseSync API that we use; `node:sqlite` and `@photostructure/sqlite` both have it. */
export interface SqliteModule {
  readonly DatabaseSync: new (file: string) => SqliteFile;
}

export interface SqliteFile {
  exec(sql: string): void;
  prepare(sql: string): SqliteStatement;
  close(): void;
}

export interface SqliteStatement {
  all(...values: readonly unknown[]): unknown[];
  run(...values: readonly unknown[]): { readonly changes: number | bigint; lastInsertRowid: number | bigint };
  iterate(...values: readonly unknown[]): IterableIterator<unknown>;
}

export interface SqliteSources {
  builtIn(): unknown;
  package(): Promise<unknown>;
}

// A variable, because the package is optional: a literal in import() would not compile without it.
const PACKAGE = '@photostructure/sqlite';

const SOURCES: SqliteSources = {
  // Undefined where the module still needs a flag. The function does not exist before Node 20.16.
  builtIn: () => process.getBuiltinModule?.('node:sqlite'),
  package: () => import(PACKAGE),
};

/** Node's own SQLite, or else the optional package. */
export async function loadSqlite({
  builtIn,
  package: installed,
}: SqliteSources = SOURCES): Promise<SqliteModule> {
  const module = builtIn();
  if (isSqliteModule(module)) return module;
  const fallback = await installed().catch((cause: unknown) => {
    throw new Error(
      `this Node has no built-in SQLite and the package ${PACKAGE} is not installed: use Node 22.13 or later, or install assay without --omit=optional`,
      { cause },
    );
  });
  if (isSqliteModule(fallback)) return fallback;
  throw new Error(`the package ${PACKAGE} has no DatabaseSync`);
}

function isSqliteModule(module: unknown): module is SqliteModule {
  return typeof module === 'object' && module !== null && 'DatabaseSync' in module;
}
