import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { projectFile } from '../../tools/project-file.ts';
import { sqliteRows } from '../../tools/sqlite-rows.ts';
import type { Database } from '../world/database.ts';
import { SECRET } from '../world/replicas.ts';

export interface BackupDrill {
  readonly alarmSeconds: number;
  readonly recoverySeconds: number;
  /** Receipts that were acknowledged before the backup and are not in it. */
  readonly lost: number;
}

/**
 * A backup is killed: no file is there, which is the alarm of whoever watches the timer. The next one succeeds, and is
 * restored into an empty store.
 */
export async function drillBackup(
  { settings }: Pick<Database, 'settings'>,
  receipts: ReadonlySet<string>,
): Promise<BackupDrill> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-backup-'));
  const file = join(folder, 'assay.gz');
  try {
    const startedAt = performance.now();
    const killed = assay(['backup', file], settings);
    await wait(KILLED_AFTER_MS);
    killed.kill('SIGKILL');
    await once(killed, 'exit');
    if (existsSync(file)) throw new Error('a backup was killed and is there all the same');
    const alarmAt = performance.now();
    const acknowledged = [...receipts];
    await succeed(assay(['backup', file], settings), 'backup');
    const restored = join(folder, 'restored');
    await succeed(assay(['restore', file], { DATA_DIR: restored }), 'restore');
    const rows = await sqliteRows(join(restored, 'assay.db'), 'select id from live_receipts');
    const kept = new Set(rows.map(({ id }) => String(id)));
    return {
      alarmSeconds: (alarmAt - startedAt) / 1_000,
      recoverySeconds: (performance.now() - alarmAt) / 1_000,
      lost: acknowledged.filter((id) => !kept.has(id)).length,
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** It is still loading or reading then. */
const KILLED_AFTER_MS = 150;

function assay(words: readonly string[], settings: Readonly<Record<string, string>>): ChildProcess {
  return spawn(process.execPath, [projectFile('dist/bundle/node/assay.js'), ...words], {
    env: { PATH: process.env['PATH'] ?? '', SECRET, ...settings },
    stdio: 'ignore',
  });
}

async function succeed(child: ChildProcess, name: string): Promise<void> {
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`assay ${name} ended with ${code}`);
}
