import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  PostgresDialect,
  type QueryResult,
  type TransactionSettings,
} from 'kysely';
import type { Pool, PoolClient, QueryConfig } from 'pg';
import { preparedName } from '../engine/prepared.ts';
import type { IsBack } from './recovery.ts';
import { isConnectionSpent } from './server-away.ts';

/** Bounds the retries when the server keeps going away. */
const TRIES_MAX = 4;

/**
 * Kysely's dialect with our own driver. It closes every connection that failed without an error message from the server, such
 * as after a timeout: a transaction may still be open on it, and the next user would commit it. When the server was away,
 * it repeats on another connection what cannot have changed anything: connecting, reading and beginning (gap L65).
 */
export function retryingPostgres(pool: Pool, isBack: IsBack): Dialect {
  const dialect = new PostgresDialect({ pool });
  return {
    createDriver: () => retryingDriver(pool, isBack),
    createQueryCompiler: () => dialect.createQueryCompiler(),
    createAdapter: () => dialect.createAdapter(),
    createIntrospector: (database) => dialect.createIntrospector(database),
  };
}

function retryingDriver(pool: Pool, isBack: IsBack): Driver {
  const connect = () => retrying(() => pool.connect(), isBack);
  // One per client and not per loan: Kysely adds every new connection to a weak set.
  const connections = new WeakMap<PoolClient, Connection>();
  // Kysely passes what `acquireConnection` returned.
  const ours = (connection: DatabaseConnection) => connection as Connection;
  return {
    init: async () => {},
    async acquireConnection() {
      const client = await connect();
      const connection = connections.get(client) ?? newConnection(connect, isBack);
      connections.set(client, connection);
      connection.lend(client);
      return connection;
    },
    beginTransaction: (connection, settings) => ours(connection).begin(settings),
    commitTransaction: (connection) => ours(connection).end('commit'),
    rollbackTransaction: (connection) => ours(connection).end('rollback'),
    releaseConnection: async (connection) => ours(connection).release(),
    destroy: () => pool.end(),
  };
}

interface Connection extends DatabaseConnection {
  lend(client: PoolClient): void;
  begin(settings: TransactionSettings): Promise<void>;
  end(command: 'commit' | 'rollback'): Promise<void>;
  release(): void;
}

interface Loan {
  /** Null between loans, and when a spent client could not be replaced. */
  client: PoolClient | null;
  isSpent: boolean;
  isInTransaction: boolean;
}

function newConnection(connect: () => Promise<PoolClient>, isBack: IsBack): Connection {
  const loan: Loan = { client: null, isSpent: false, isInTransaction: false };
  const send = async (query: QueryConfig) => {
    if (loan.isSpent && !loan.isInTransaction) await exchange(loan, connect);
    if (loan.client === null || loan.isSpent) throw new Error('the connection to the database is lost');
    try {
      return await loan.client.query(query);
    } catch (fault) {
      loan.isSpent = isConnectionSpent(fault);
      throw fault;
    }
  };
  return {
    lend(client) {
      Object.assign(loan, { client, isSpent: false, isInTransaction: false });
    },
    async executeQuery<Row>(query: CompiledQuery): Promise<QueryResult<Row>> {
      const { sql: text, parameters } = query;
      const sendIt = () => send({ name: preparedName(query), text, values: [...parameters] });
      const isRead = !loan.isInTransaction && READS.test(text);
      const { command, rowCount, rows } = await (isRead ? retrying(sendIt, isBack) : sendIt());
      return CHANGES.has(command) ? { rows, numAffectedRows: BigInt(rowCount ?? 0) } : { rows };
    },
    /** Only inside a transaction, and one at a time: the cursor has a fixed name and ends with the transaction. */
    async *streamQuery({ sql: text, parameters }, chunkSize) {
      await send({ text: `declare stream no scroll cursor for ${text}`, values: [...parameters] });
      for (;;) {
        const { rows } = await send({ text: `fetch ${chunkSize} from stream` });
        if (rows.length === 0) break;
        yield { rows };
      }
      await send({ text: 'close stream' });
    },
    async begin({ isolationLevel, accessMode = '' }) {
      const level = isolationLevel === undefined ? '' : `isolation level ${isolationLevel}`;
      const text = `begin ${level} ${accessMode}`.trim();
      await retrying(() => send({ text }), isBack);
      loan.isInTransaction = true;
    },
    async end(command) {
      await send({ text: command });
      loan.isInTransaction = false;
    },
    release() {
      const { client, isSpent, isInTransaction } = loan;
      loan.client = null;
      client?.release(isSpent || isInTransaction);
    },
  };
}

/** Outside a transaction these change nothing. A query that changes rows in a `with` does not start like this. */
const READS = /^\s*select\b/i;
const CHANGES: ReadonlySet<string> = new Set(['INSERT', 'UPDATE', 'DELETE']);

async function exchange(loan: Loan, connect: () => Promise<PoolClient>): Promise<void> {
  const old = loan.client;
  loan.client = null;
  old?.release(true);
  loan.client = await connect();
  loan.isSpent = false;
}

async function retrying<T>(attempt: () => Promise<T>, isBack: IsBack): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await attempt();
    } catch (fault) {
      if (tries === TRIES_MAX || !(await isBack(fault))) throw fault;
    }
  }
}
