import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { sqliteRows } from '../../tools/sqlite-rows.ts';
import { type Power, startServer } from '../../tools/store-server.ts';

export type StoreKind = 'postgres' | 'sqlite';

/** Where the replicas keep what they know. */
export interface Database {
  readonly kind: StoreKind;
  /** For the environment of a replica. */
  readonly settings: Readonly<Record<string, string>>;
  /** Rows of a query in plain SQL, past our own code. */
  rows(sql: string): Promise<Record<string, unknown>[]>;
  /** Of a PostgreSQL server of our own; null otherwise. */
  readonly power: Power | null;
  /** A disk of a few megabytes that can be filled up; null when there is none. */
  readonly disk: Disk | null;
  stop(): Promise<void>;
}

export interface Disk {
  fill(): void;
  clear(): void;
}

export interface DatabaseOptions {
  /** Whether PostgreSQL waits for the disk; killing its processes does not need it, measuring does. */
  readonly durable?: boolean;
  /** Puts the SQLite file on a memory disk of this size, where the machine lets us mount one. */
  readonly diskMegabytes?: number;
}

export function openDatabase(kind: StoreKind, options: DatabaseOptions = {}): Promise<Database> {
  return kind === 'postgres' ? openServer(options) : openFolder(options);
}

async function openServer({ durable = false }: DatabaseOptions): Promise<Database> {
  const { url, power, stop } = await startServer({ durable });
  const folder = mkdtempSync(join(tmpdir(), 'assay-world-'));
  return {
    kind: 'postgres',
    settings: { DATABASE_URL: url, DATA_DIR: folder },
    async rows(sql) {
      const client = new Client({ connectionString: url });
      await client.connect();
      try {
        return (await client.query(sql)).rows;
      } finally {
        await client.end();
      }
    },
    power,
    disk: null,
    async stop() {
      await stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function openFolder({ diskMegabytes }: DatabaseOptions): Promise<Database> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-world-'));
  const place = join(folder, 'data');
  mkdirSync(place);
  const isMounted = diskMegabytes !== undefined && mountDisk(place, diskMegabytes);
  return {
    kind: 'sqlite',
    settings: { DATA_DIR: place },
    rows: (sql) => sqliteRows(join(place, 'assay.db'), sql),
    power: null,
    disk: isMounted ? diskAt(place) : null,
    async stop() {
      if (isMounted) execFileSync('umount', ['-l', place]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function mountDisk(place: string, megabytes: number): boolean {
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'none', place], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

function diskAt(place: string): Disk {
  const ballast = join(place, 'ballast');
  return {
    fill() {
      const { bavail, bsize } = statfsSync(place);
      try {
        writeFileSync(ballast, Buffer.alloc(bavail * bsize));
      } catch {
        // Somebody else took the last of it meanwhile, so it is full.
      }
    },
    clear() {
      rmSync(ballast, { force: true });
    },
  };
}
