import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadSqlite } from '../../../../src/adapters/store/sqlite/module.ts';
import type { Ledger } from '../../../../src/guard/ledger/ledger.ts';
import { memoryLedger } from '../../../../src/guard/ledger/memory-ledger.ts';
import { postgresLedger } from '../../../../src/guard/ledger/postgres-ledger.ts';
import { sqliteLedger } from '../../../../src/guard/ledger/sqlite-ledger.ts';
import { useEmptyPostgres } from '../../storing/postgres-places.ts';

/** Where the ledgers of one test keep their purchases. */
export interface LedgerPlace {
  /** Every handle has the same purchases. */
  open(): Ledger;
  /** One whose store cannot be used, or null where there is no such thing. */
  broken(): Ledger | null;
  /** Damages what is stored of this purchase, or answers false where that cannot be done. */
  damage(id: string): Promise<boolean>;
  remove(): Promise<void>;
}

export type NewLedgerPlace = () => Promise<LedgerPlace>;

export async function newMemoryLedgerPlace(): Promise<LedgerPlace> {
  const ledger = memoryLedger();
  return { open: () => ledger, broken: () => null, damage: async () => false, remove: () => ledger.close() };
}

export async function newSqliteLedgerPlace(): Promise<LedgerPlace & { readonly file: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'assay-ledger-'));
  const file = join(folder, 'purchases.db');
  const plain = join(folder, 'plain.txt');
  await writeFile(plain, 'This is no database, and it is long enough to say so.'.repeat(99));
  const handles: Ledger[] = [];
  const keep = (ledger: Ledger) => {
    handles.push(ledger);
    return ledger;
  };
  return {
    file,
    open: () => keep(sqliteLedger(file)),
    broken: () => keep(sqliteLedger(join(plain, 'purchases.db'))),
    async damage(id) {
      await runSqlite(file, `update purchase set record = '{}' where id = '${id}'`);
      return true;
    },
    async remove() {
      await Promise.all(handles.map((ledger) => ledger.close()));
      await rm(folder, { recursive: true });
    },
  };
}

/** Call it once in a test file. */
export function usePostgresLedgers(): NewLedgerPlace {
  const newPlace = useEmptyPostgres();
  return async () => {
    const place = await newPlace();
    const url = 'url' in place.settings ? place.settings.url : '';
    const handles: Ledger[] = [];
    const keep = (ledger: Ledger) => {
      handles.push(ledger);
      return ledger;
    };
    return {
      open: () => keep(postgresLedger({ url })),
      // Nobody listens on port 1.
      broken: () => keep(postgresLedger({ url: 'postgres://user:secret@127.0.0.1:1/ledger' })),
      async damage(id) {
        await place.ask(`update assay_guard_purchase_main set record = '{}' where id = '${id}'`);
        return true;
      },
      async remove() {
        await Promise.all(handles.map((ledger) => ledger.close()));
        await place.remove();
      },
    };
  };
}

/** On a connection of its own. */
export async function runSqlite(file: string, sql: string): Promise<void> {
  const { DatabaseSync } = await loadSqlite();
  const database = new DatabaseSync(file);
  database.exec(sql);
  database.close();
}
