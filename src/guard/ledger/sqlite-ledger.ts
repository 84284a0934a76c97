import { lstatSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import * as z from 'zod';
import { type MicroUsd, microUsd } from '../../core/money/micro-usd.ts';
import { countsTowards } from './counts-towards.ts';
import { databaseFault } from './database-fault.ts';
import type { Ledger, PurchaseMove, PurchaseQuery, Reserved, SpendingLimit } from './ledger.ts';
import { FORGOTTEN_AFTER_MS, onceAnHour } from './ledger-bounds.ts';
import { LedgerFault } from './ledger-fault.ts';
import { insertValues, ledgerSql } from './ledger-sql.ts';
import { type Purchase, RESERVED_FOR_MS } from './purchase.ts';
import { decodePurchase, encodePurchase } from './purchase-codec.ts';
import { realFile } from './real-file.ts';
import { type LedgerFile, ledgerPath, openLedgerFile, TABLE } from './sqlite-ledger-file.ts';

export interface SqliteLedgerOptions {
  /** How long a call waits while another process writes; 5 seconds when left out. */
  readonly busyMs?: number;
}

/**
 * One file for all processes of a machine that share a budget; `~/` is the home folder. It is opened, and created for its owner
 * only, when it is first used. A file with `.frozen` added to its name, or to that of a link to it for those who use the link, stops
 * all payments; a person may create it by hand.
 */
export function sqliteLedger(path: string, { busyMs = BUSY_MS }: SqliteLedgerOptions = {}): Ledger {
  const file = ledgerPath(path);
  const name = `the ledger ${file}`;
  const state: { file: LedgerFile | null; opening: Promise<LedgerFile> | null; closed: boolean } = {
    file: null,
    opening: null,
    closed: false,
  };
  const isTimeToForget = onceAnHour();
  /** A failure is not remembered: the next call tries again. */
  const opened = () => {
    state.opening ??= openLedgerFile(file, busyMs)
      .then((ledgerFile) => {
        if (state.closed) ledgerFile.close();
        else state.file = ledgerFile;
        return ledgerFile;
      })
      .finally(() => {
        state.opening = null;
      });
    return state.opening;
  };
  const guarded = async <T>(work: () => T | Promise<T>): Promise<T> => {
    try {
      requireOpen(state.closed);
      return await work();
    } catch (cause) {
      throw databaseFault(name, cause);
    }
  };
  const onFile = <T>(work: (ledgerFile: LedgerFile) => T): Promise<T> =>
    guarded(() => {
      if (state.file !== null) return work(state.file);
      return opened().then((ledgerFile) => {
        requireOpen(state.closed);
        return work(ledgerFile);
      });
    });
  return {
    reserve: (purchase, limits) =>
      onFile((ledgerFile) => {
        const reserved = reserve(ledgerFile, purchase, limits);
        if (isTimeToForget(purchase.createdAt)) forget(ledgerFile, purchase.createdAt);
        return reserved;
      }),
    move: (id, move) => onFile((ledgerFile) => moveOn(ledgerFile, id, move)),
    open: (key) => onFile((ledgerFile) => openWith(ledgerFile, key)),
    find: (query) => onFile((ledgerFile) => find(ledgerFile, query)),
    freeze: (frozen) => guarded(() => setFrozen(file, frozen)),
    frozen: () => guarded(() => isFrozen(file, state.file?.path)),
    async close() {
      state.closed = true;
      await state.opening?.catch(() => {});
      state.file?.close();
      state.file = null;
    },
  };
}

const BUSY_MS = 5_000;
const SQL = ledgerSql({ table: TABLE, number: 'rowid' });

function requireOpen(closed: boolean): void {
  if (closed) throw new LedgerFault('it is closed');
}

function reserve(file: LedgerFile, purchase: Purchase, limits: readonly SpendingLimit[]): Reserved {
  const row = encodePurchase({ ...purchase, state: 'reserved' });
  const now = row.created;
  file.requireInPlace();
  return file.transaction(() => {
    file.run(SQL.expire, [now, now - RESERVED_FOR_MS]);
    file.run(SQL.dropPayments, [Math.floor(now / 1_000)]);
    const held = openWith(file, purchase.key);
    if (held !== null && held.state !== 'reserved') return { kind: 'open', purchase: held };
    for (const limit of limits) {
      const spent = spentBefore(file, limit, held);
      if (spent + purchase.amount > limit.max) return { kind: 'over', limit, spent };
    }
    if (held !== null) file.run(SQL.replace, [now, held.id]);
    file.run(SQL.insert, insertValues(row));
    return { kind: 'reserved' };
  });
}

function forget(file: LedgerFile, now: Date): void {
  const before = now.getTime() - FORGOTTEN_AFTER_MS;
  try {
    file.run(SQL.forget, [before, before]);
  } catch {
    // The purchase is reserved, and there is a next time.
  }
}

function spentBefore(file: LedgerFile, limit: SpendingLimit, held: Purchase | null): MicroUsd {
  const { sql, values } = SQL.spent(limit);
  const sum = BigInt(spentRow.parse(file.all(sql, values)[0]).spent);
  return microUsd(held !== null && countsTowards(limit, held) ? sum - held.amount : sum);
}

const spentRow = z.object({ spent: z.string().regex(/^[0-9]{1,30}$/) });

function moveOn(file: LedgerFile, id: string, move: PurchaseMove): boolean {
  const { sql, values } = SQL.move(id, move);
  const { durable = false } = move;
  // What has to survive this process must be where the next one looks.
  if (durable) file.requireInPlace();
  return file.durably(durable, () => file.all(sql, values).length > 0);
}

function openWith(file: LedgerFile, key: string): Purchase | null {
  return purchaseOf(file.all(SQL.open, [key]));
}

function purchaseOf([row]: readonly unknown[]): Purchase | null {
  return row === undefined ? null : decodePurchase(row);
}

function find(file: LedgerFile, query: PurchaseQuery): readonly Purchase[] {
  const { sql, values } = SQL.find(query);
  return file.all(sql, values).map(decodePurchase);
}

function markOf(file: string): string {
  return `${file}.frozen`;
}

/** Does not need the database, so that payments can be stopped while it is locked or damaged. */
function setFrozen(path: string, frozen: boolean): void {
  const file = realFile(path);
  if (!frozen) {
    for (const one of [path, file]) rmSync(markOf(one), { force: true });
    return;
  }
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  if (!isMarked(file)) writeFileSync(markOf(file), '', { mode: 0o600 });
}

/** A link may lead to another file by now than to the one that is open, whose payments are still sent again. */
function isFrozen(path: string, opened: string | undefined): boolean {
  return [path, realFile(path), opened].some((file) => file !== undefined && isMarked(file));
}

/** A mark that cannot be looked for is a fault, not the absence of one. */
function isMarked(file: string): boolean {
  return lstatSync(markOf(file), { throwIfNoEntry: false }) !== undefined;
}
