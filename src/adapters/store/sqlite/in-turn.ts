import { type Dialect, type Driver, SqliteDialect, type SqliteDialectConfig } from 'kysely';
import type { WalSync } from './wal-sync.ts';

/**
 * Kysely's dialect with a queue in front of its one connection. Kysely's own lock wakes every waiter each time it is released,
 * so a thousand readers cost a million wake-ups. A transaction of Kysely's is durable when its commit returns.
 */
export function sqliteInTurn(config: SqliteDialectConfig, wal: WalSync): Dialect {
  const dialect = new SqliteDialect(config);
  return {
    createDriver: () => durable(inTurn(dialect.createDriver()), wal),
    createQueryCompiler: () => dialect.createQueryCompiler(),
    createAdapter: () => dialect.createAdapter(),
    createIntrospector: (database) => dialect.createIntrospector(database),
  };
}

function durable(driver: Driver, wal: WalSync): Driver {
  return {
    ...driver,
    async commitTransaction(connection) {
      await driver.commitTransaction(connection);
      wal.committed();
      await wal.synced();
    },
    async destroy() {
      await wal.close();
      await driver.destroy();
    },
  };
}

/** First come, first served: a release hands the connection to the next waiter and wakes nobody else. */
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
