import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { holdLock } from './hold-lock.ts';

/** Takes the lock as we do, and keeps it until it is killed. */
const HOLDER = `
const { DatabaseSync } = process.getBuiltinModule?.('node:sqlite') ?? require('@photostructure/sqlite');
const file = new DatabaseSync(process.argv[1]);
file.exec('begin exclusive');
console.log('held');
setInterval(() => file, 1000);
`;

let folder: string;
const lock = () => join(folder, 'lock');

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'held-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('the hold on a lock', () => {
  it('keeps another process out, and ends with it when it is killed', async () => {
    const holder = spawn(process.execPath, ['-e', HOLDER, lock()], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const ended = once(holder, 'exit');
    await once(holder.stdout, 'data');
    const meanwhile = await holdLock(lock());
    holder.kill('SIGKILL');
    await ended;
    const afterwards = await holdLock(lock());
    expect(meanwhile).toBeNull();
    expect(afterwards?.isLocked).toBe(true);
    afterwards?.release();
  });

  it('says so where there is no SQLite, and where no file can be made', async () => {
    const holds = [
      await holdLock(lock(), () => Promise.reject(new Error('none'))),
      await holdLock(join(folder, 'no-folder', 'lock')),
    ];
    expect(holds.map((hold) => hold?.isLocked)).toEqual([false, false]);
  });
});
