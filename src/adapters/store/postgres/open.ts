import { setTimeout as wait } from 'node:timers/promises';
import { Kysely, sql } from 'kysely';
import { Pool, types } from 'pg';
import { faultLine } from '../engine/fault-line.ts';
import type { Queries, Tables } from '../engine/tables.ts';
import { migrate } from '../migrations/migrate.ts';
import { type Connected, type Store, storeOn } from '../store.ts';
import { createRecovery } from './recovery.ts';
import { retryingPostgres } from './retrying-driver.ts';
import { isServerAway } from './server-away.ts';
import { transactionWrites } from './transaction-writes.ts';

export interface PostgresSettings {
  /** Such as postgres://user:password@host:5432/assay. Never part of a message, because of the password. */
  readonly url: string;
  readonly poolSize?: number;
  readonly statementTimeoutMs?: number;
  /** How long a call waits for a free connection of the pool, and for a new connection. */
  readonly connectTimeoutMs?: number;
  /** How long a call waits for a server that is away; two seconds by default. */
  readonly awayMs?: number;
  /** For a server that may start after us. Without it, opening fails at once. */
  readonly atStart?: StartPatience | undefined;
}

export interface StartPatience {
  readonly mostMs: number;
  /** Called once, with a line for the operator. */
  readonly onWaiting: (line: string) => void;
}

export async function openPostgres(settings: PostgresSettings): Promise<Store> {
  const connected = connectPostgres(settings);
  const { database } = connected;
  try {
    await untilReached(settings, database);
    await migrateApart(settings);
  } catch (fault) {
    await database.destroy();
    throw fault;
  }
  return storeOn(connected);
}

/** Fails at once on a wrong password or a missing database. */
async function untilReached({ url, atStart }: PostgresSettings, database: Queries): Promise<void> {
  const giveUpAt = performance.now() + (atStart?.mostMs ?? 0);
  for (let tries = 0; ; tries += 1) {
    try {
      await sql`select 1`.execute(database);
      return;
    } catch (cause) {
      if (!isServerAway(cause) || performance.now() >= giveUpAt) {
        throw new Error(`cannot reach the database ${addressOf(url)}: ${faultLine(cause)}`, { cause });
      }
      if (tries === 0) atStart?.onWaiting(`waiting for the database ${addressOf(url)}`);
      await wait(START_LOOK_MS);
    }
  }
}

/** With its own timeout: a migration, or waiting for that of another process, may take longer than a request. */
async function migrateApart(settings: PostgresSettings): Promise<void> {
  const connected = connectPostgres({ ...settings, poolSize: 1, statementTimeoutMs: MIGRATION_MS });
  try {
    await migrate(connected);
  } finally {
    await connected.database.destroy();
  }
}

/** The pool, before any migration. */
export function connectPostgres({
  url,
  poolSize = 10,
  statementTimeoutMs = 5_000,
  connectTimeoutMs = 5_000,
  awayMs,
}: PostgresSettings): Connected {
  const pool = new Pool({
    connectionString: url,
    max: poolSize,
    statement_timeout: statementTimeoutMs,
    // The server enforces statement_timeout. If it does not answer even then, it is gone.
    query_timeout: statementTimeoutMs + ANSWER_MS,
    // A process that vanishes inside a transaction must not keep its locks.
    idle_in_transaction_session_timeout: IDLE_TRANSACTION_MS,
    connectionTimeoutMillis: connectTimeoutMs,
    maxLifetimeSeconds: LIFETIME_SECONDS,
    keepAlive: true,
    types: {
      getTypeParser: (type, format) => (type === INT8 ? safeInteger : types.getTypeParser(type, format)),
    },
  });
  // A restarting server breaks connections, and an unhandled 'error' event would end the process. Pending queries fail by
  // themselves, and the next one opens another connection.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  const isBack = createRecovery(pool, awayMs);
  const database = new Kysely<Tables>({ dialect: retryingPostgres(pool, isBack) });
  return {
    engine: 'postgres',
    database,
    writes: transactionWrites(database, isBack),
    waiting: () => pool.waitingCount,
  };
}

const START_LOOK_MS = 500;
const ANSWER_MS = 1_000;
const IDLE_TRANSACTION_MS = 30_000;
/** Bounds the age of prepared plans, in case the server never renews them. */
const LIFETIME_SECONDS = 600;
const MIGRATION_MS = 600_000;
const INT8 = types.builtins.INT8;

function safeInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new Error('the database holds an integer beyond 2^53');
  return value;
}

function addressOf(url: string): string {
  if (!URL.canParse(url)) return 'of the given address';
  const { hostname, port, pathname } = new URL(url);
  return `${hostname}:${port === '' ? '5432' : port}${pathname}`;
}
