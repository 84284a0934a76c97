import { type Dialect, type Driver, SqliteDialect, type SqliteDialectConfig } from 'kysely';

/**
 * Kysely's dialect, with a queue in front of its one connection. Its own lock wakes all who wait whenever it is let go, so that
 * a thousand readers cost a million turns, in which the process hears nobody else.
 */
export function sqliteInTurn(config: SqliteDialectConfig): Dialect {
  const dialect = new SqliteDialect(config);
  return {
    createDriver: () => inTurn(dialect.createDriver()),
    createQueryCompiler: () => dialect.createQueryCompiler(),
    createAdapter: () => dialect.createAdapter(),
    createIntrospector: (database) => dialect.createIntrospector(database),
  };
}

/** First come, first served: whoever is done hands the connection to the next one and wakes nobody else. */
function inTurn(driver: Driver): Driver {
  const waiting: (() => void)[] = [];
  const state = { taken: false };
  const passOn = () => {
    const next = waiting.shift();
    if (next === undefined) state.taken = false;
    else next();
  };
  return {
    init: () => driver.init(),
    async acquireConnection() {
      if (state.taken) await new Promise<void>((resolve) => waiting.push(resolve));
      state.taken = true;
      try {
        return await driver.acquireConnection();
      } catch (fault) {
        passOn();
        throw fault;
      }
    },
    async releaseConnection(connection) {
      await driver.releaseConnection(connection);
      passOn();
    },
    beginTransaction: (connection, settings) => driver.beginTransaction(connection, settings),
    commitTransaction: (connection) => driver.commitTransaction(connection),
    rollbackTransaction: (connection) => driver.rollbackTransaction(connection),
    destroy: () => driver.destroy(),
  };
}
