import { type FileHandle, open } from 'node:fs/promises';

/** The write-ahead log as a file. Its sync runs on the thread pool and does not block the event loop. */
export interface WalFile {
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** Knows which commits are durable. */
export interface WalSync {
  /** Throws once a sync has failed. */
  check(): void;
  /** A commit has reached the log, but not yet the disk. */
  committed(): void;
  /** Resolves once everything committed so far is on disk. */
  synced(): Promise<void>;
  /** Resolves when no sync is running. */
  idle(): Promise<void>;
  close(): Promise<void>;
}

/**
 * One sync runs at a time and covers all commits made before it started. After a failed sync the kernel may have dropped the
 * pages, and a later sync would succeed without them. So no commit counts as durable until the store is reopened.
 */
export function walSync(file: WalFile): WalSync {
  const state: { committed: number; durable: number; running: Promise<void> | null; fault: Error | null } = {
    committed: 0,
    durable: 0,
    running: null,
    fault: null,
  };
  const check = () => {
    if (state.fault !== null) throw state.fault;
  };
  const run = async () => {
    const covered = state.committed;
    try {
      await file.sync();
      state.durable = covered;
    } catch (cause) {
      state.fault = new Error('the store could not sync its log; it takes no writes until it is reopened', {
        cause,
      });
    } finally {
      state.running = null;
    }
  };
  return {
    check,
    committed() {
      state.committed += 1;
    },
    async synced() {
      const wanted = state.committed;
      while (state.durable < wanted) {
        check();
        state.running ??= run();
        await state.running;
      }
    },
    async idle() {
      await state.running;
    },
    async close() {
      await state.running;
      await file.close();
    },
  };
}

/**
 * Opened with the first sync, because SQLite creates the log with the first transaction; no other process removes it while our
 * connection is open. SQLite holds no POSIX lock on this file, so closing our handle releases none.
 */
export function walFile(path: string): WalFile {
  const state: { handle: Promise<FileHandle> | null } = { handle: null };
  return {
    async sync() {
      // Writable: Windows does not sync a read-only handle.
      state.handle ??= open(path, 'r+');
      await (await state.handle).datasync();
    },
    async close() {
      await (await state.handle?.catch(() => null))?.close();
    },
  };
}

/** A database in memory is never durable. */
export const NO_WAL_FILE: WalFile = { sync: async () => {}, close: async () => {} };
