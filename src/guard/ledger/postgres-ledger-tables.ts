import * as z from 'zod';
import { isConnectionSpent } from '../../adapters/store/postgres/server-away.ts';
import { LedgerFault } from './ledger-fault.ts';
import { createIndexes, createTable } from './ledger-sql.ts';
import type { PostgresClient } from './postgres-pool.ts';

/** One row for each ledger of the database. */
export const LEDGERS = 'assay_guard_ledger';
/** Raised with every change of the tables. */
const FORMAT = 1;

export function purchaseTable(name: string): string {
  return `assay_guard_purchase_${name}`;
}

/** Held until the transaction ends. Two keys: ours, so that it is nobody else's lock, and the ledger's. */
export function ledgerLock(name: string): string {
  return `select pg_advisory_xact_lock(${OUR_LOCKS}, hashtext('${name}'))`;
}

/** The first bytes of 'assay'. */
const OUR_LOCKS = 0x61737361;

/** Whether the connection must be closed. Our own faults leave it as it is. */
export function isSpent(fault: unknown): boolean {
  return !(fault instanceof LedgerFault) && isConnectionSpent(fault);
}

/** Creates what is missing. A role that may not create tables can use those that are there. */
export async function preparePostgres(client: PostgresClient, name: string): Promise<void> {
  if (await isPrepared(client, name)) return;
  try {
    await client.query(`begin isolation level read committed; select pg_advisory_xact_lock(${OUR_LOCKS}, 0)`);
    // Another process may have been first.
    if (!(await isPrepared(client, name))) await create(client, name);
    await client.query('commit');
  } catch (fault) {
    if (!isSpent(fault)) await client.query('rollback');
    throw fault;
  }
}

async function isPrepared(client: PostgresClient, name: string): Promise<boolean> {
  // Not to_regclass(): it may remember from before the lock that there is no such table.
  const { rows: found } = await client.query(
    'select from pg_catalog.pg_class where relname = $1 and pg_table_is_visible(oid)',
    [LEDGERS],
  );
  if (found.length === 0) return false;
  const { rows } = await client.query(`select format from ${LEDGERS} where name = $1`, [name]);
  if (rows.length === 0) return false;
  const { format } = formatRow.parse(rows[0]);
  if (format > FORMAT) throw new LedgerFault(`a newer release wrote it (format ${format})`);
  return true;
}

async function create(client: PostgresClient, name: string): Promise<void> {
  const table = purchaseTable(name);
  await client.query(`create table if not exists ${LEDGERS}
    (name text primary key, format integer not null, frozen boolean not null default false)`);
  // Rows have no order of their own here.
  await client.query(createTable(table, 'bigint', ', number bigint generated always as identity'));
  for (const index of createIndexes(table)) await client.query(index);
  await client.query(`insert into ${LEDGERS} (name, format) values ($1, $2)`, [name, FORMAT]);
}

const formatRow = z.object({ format: z.int() });
