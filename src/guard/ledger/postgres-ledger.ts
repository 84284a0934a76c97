import { Pool } from 'pg';
import * as z from 'zod';
import { type MicroUsd, microUsd } from '../../core/money/micro-usd.ts';
import { countsTowards } from './counts-towards.ts';
import { databaseFault } from './database-fault.ts';
import type { Ledger, PurchaseMove, PurchaseQuery, Reserved, SpendingLimit } from './ledger.ts';
import { FORGOTTEN_AFTER_MS, onceAnHour } from './ledger-bounds.ts';
import { LedgerFault } from './ledger-fault.ts';
import { insertValues, ledgerSql } from './ledger-sql.ts';
import { isSpent, LEDGERS, ledgerLock, preparePostgres, purchaseTable } from './postgres-ledger-tables.ts';
import type { PostgresClient, PostgresPool } from './postgres-pool.ts';
import { type Purchase, RESERVED_FOR_MS } from './purchase.ts';
import { decodePurchase, encodePurchase } from './purchase-codec.ts';

export type PostgresLedgerOptions = (
  | { readonly url: string; readonly pool?: never }
  /** A pool of the program, which stays open when the ledger is closed. */
  | { readonly pool: PostgresPool; readonly url?: never }
) & {
  /** Ledgers of different names in one database share neither purchases nor limits. Lower-case letters, digits and `_`. */
  readonly name?: string;
};

/** For processes on several machines that share a budget. The tables are created when the ledger is first used. */
export function postgresLedger({ url, pool: given, name = 'main' }: PostgresLedgerOptions): Ledger {
  if (!NAME.test(name)) throw new LedgerFault('the name of a ledger is 1 to 30 of a-z, 0-9 and _');
  // A pool of the program stays open.
  const { pool, end } = given === undefined ? createPool(url) : { pool: given, end: async () => {} };
  const sql = ledgerSql({ table: purchaseTable(name), number: 'number', rowLock: 'for update' });
  const state: { prepared: Promise<void> | null; closed: boolean } = { prepared: null, closed: false };
  const isTimeToForget = onceAnHour();
  /** A failure is not remembered: the next call tries again. */
  const prepared = () => {
    state.prepared ??= withClient(pool, (client) => preparePostgres(client, name)).catch((fault: unknown) => {
      state.prepared = null;
      throw fault;
    });
    return state.prepared;
  };
  const on = async <T>(work: (session: Session) => Promise<T>): Promise<T> => {
    try {
      if (state.closed) throw new LedgerFault('it is closed');
      await prepared();
      return await withClient(pool, (client) => work(sessionOn(client, sql, name)));
    } catch (cause) {
      throw databaseFault(`the ledger ${name} in PostgreSQL`, cause);
    }
  };
  return {
    async reserve(purchase, limits) {
      const reserved = await on((session) => reserve(session, purchase, limits));
      // A fault of this changes nothing: the role may not delete, or there is a next time.
      if (isTimeToForget(purchase.createdAt))
        await on((session) => forget(session, purchase.createdAt)).catch(() => {});
      return reserved;
    },
    move: (id, move) => on((session) => moveOn(session, id, move)),
    open: (key) => on((session) => openWith(session, key)),
    find: (query) => on((session) => find(session, query)),
    freeze: (frozen) =>
      on(async ({ all }) => {
        await all(`update ${LEDGERS} set frozen = ? where name = ?`, [frozen, name]);
      }),
    frozen: () => on(isFrozen),
    async close() {
      if (state.closed) return;
      state.closed = true;
      await end();
    },
  };
}

const NAME = /^[a-z0-9_]{1,30}$/;

function createPool(url: string | undefined) {
  const pool = new Pool({
    connectionString: url,
    statement_timeout: STATEMENT_MS,
    // The server enforces the first. If it does not answer even then, it is gone.
    query_timeout: STATEMENT_MS + 1_000,
    idle_in_transaction_session_timeout: 30_000,
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
    // An idle pool does not keep the program running.
    allowExitOnIdle: true,
  });
  // A restarting server breaks connections, and an unhandled 'error' event would end the process.
  pool.on('error', () => {});
  return { pool, end: () => pool.end() };
}

const STATEMENT_MS = 5_000;

async function withClient<T>(pool: PostgresPool, work: (client: PostgresClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  // A pool listens only to idle connections, and an unhandled 'error' event would end the process. The query fails by itself.
  const ignore = () => {};
  client.on('error', ignore);
  const giveBack = (spent: boolean) => {
    client.off('error', ignore);
    client.release(spent);
  };
  try {
    const result = await work(client);
    giveBack(false);
    return result;
  } catch (fault) {
    giveBack(isSpent(fault));
    throw fault;
  }
}

type LedgerSql = ReturnType<typeof ledgerSql>;

interface Session {
  readonly name: string;
  readonly sql: LedgerSql;
  all(sql: string, values: readonly unknown[]): Promise<unknown[]>;
  transaction<T>(before: string, work: () => Promise<T>): Promise<T>;
}

function sessionOn(client: PostgresClient, sql: LedgerSql, name: string): Session {
  const all = async (text: string, values: readonly unknown[]) =>
    (await client.query(numbered(text), [...values])).rows;
  return {
    name,
    sql,
    all,
    async transaction(before, work) {
      try {
        // Read committed, whatever the server's default: each statement after a lock sees what was written before it.
        await client.query(`begin isolation level read committed; ${before}`);
        const result = await work();
        await client.query('commit');
        return result;
      } catch (fault) {
        // A connection that is spent is closed, which rolls back as well.
        if (!isSpent(fault)) await client.query('rollback');
        throw fault;
      }
    },
  };
}

/** `?` of the shared statements as $1, $2. None of them has a question mark in a text. */
function numbered(sql: string): string {
  let number = 0;
  return sql.replace(/\?/g, () => {
    number += 1;
    return `$${number}`;
  });
}

async function reserve(
  session: Session,
  purchase: Purchase,
  limits: readonly SpendingLimit[],
): Promise<Reserved> {
  const { sql, all } = session;
  const row = encodePurchase({ ...purchase, state: 'reserved' });
  const now = row.created;
  return session.transaction<Reserved>(ledgerLock(session.name), async () => {
    await all(sql.expire, [now, now - RESERVED_FOR_MS]);
    await all(sql.dropPayments, [Math.floor(now / 1_000)]);
    const held = purchaseOf(await all(sql.openToChange, [purchase.key]));
    if (held !== null && held.state !== 'reserved') return { kind: 'open', purchase: held };
    for (const limit of limits) {
      const spent = await spentBefore(session, limit, held);
      if (spent + purchase.amount > limit.max) return { kind: 'over', limit, spent };
    }
    if (held !== null) await all(sql.replace, [now, held.id]);
    await all(sql.insert, insertValues(row));
    return { kind: 'reserved' };
  });
}

async function forget({ sql, all }: Session, now: Date): Promise<void> {
  const before = now.getTime() - FORGOTTEN_AFTER_MS;
  await all(sql.forget, [before, before]);
}

async function spentBefore(
  { sql, all }: Session,
  limit: SpendingLimit,
  held: Purchase | null,
): Promise<MicroUsd> {
  const { sql: text, values } = sql.spent(limit);
  const [row] = await all(text, values);
  const sum = BigInt(spentRow.parse(row).spent);
  return microUsd(held !== null && countsTowards(limit, held) ? sum - held.amount : sum);
}

const spentRow = z.object({ spent: z.string().regex(/^[0-9]{1,30}$/) });

async function moveOn(session: Session, id: string, move: PurchaseMove): Promise<boolean> {
  const { sql, values } = session.sql.move(id, move);
  const moved = async () => (await session.all(sql, values)).length > 0;
  return move.durable === true ? session.transaction('set local synchronous_commit = on', moved) : moved();
}

async function openWith({ sql, all }: Session, key: string): Promise<Purchase | null> {
  return purchaseOf(await all(sql.open, [key]));
}

function purchaseOf([row]: readonly unknown[]): Purchase | null {
  return row === undefined ? null : decodePurchase(row);
}

async function find({ sql, all }: Session, query: PurchaseQuery): Promise<readonly Purchase[]> {
  const { sql: text, values } = sql.find(query);
  return (await all(text, values)).map(decodePurchase);
}

/** A missing row is a fault: someone may have removed it together with the freeze. */
async function isFrozen({ name, all }: Session): Promise<boolean> {
  const [row] = await all(`select frozen from ${LEDGERS} where name = ?`, [name]);
  return frozenRow.parse(row).frozen;
}

const frozenRow = z.object({ frozen: z.boolean() });
