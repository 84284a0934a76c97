import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, describe, expect, it } from 'vitest';
import { bytesIn, installPacked, nodeOf } from '../../support/packing/installed-package.ts';

/** As docs/deployment.md has it, for a Node that has SQLite itself. */
const folder = mkdtempSync(join(tmpdir(), 'assay-production-'));
afterAll(() => rmSync(folder, { recursive: true }));
const place = join(folder, 'opt/assay');
await installPacked(place, ['--omit=optional', '--ignore-scripts']);
const MODULES = join(place, 'node_modules');
const MEGABYTE = 1e6;

describe('an install for production', () => {
  it('is the package and nothing else', () => {
    expect(readdirSync(MODULES).filter((name) => !name.startsWith('.'))).toEqual(['assay']);
    expect(readdirSync(join(MODULES, 'assay'))).not.toContain('node_modules');
  });

  it('is small', () => {
    const files = readdirSync(MODULES, { recursive: true, withFileTypes: true }).filter((one) =>
      one.isFile(),
    );
    expect(files.length).toBeLessThan(600);
    expect(bytesIn(MODULES)).toBeLessThan(25 * MEGABYTE);
  });

  it('starts by the name that the systemd units have, is ready, and stops on SIGTERM', async () => {
    const service = spawn(nodeOf(24), [join(MODULES, '.bin/assay'), 'serve'], {
      cwd: folder,
      env: { PORT: '0', DATA_DIR: join(folder, 'data') },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const exited = once(service, 'exit');
    const [line] = await once(createInterface({ input: service.stderr }), 'line');
    const ready = await fetch(`${/http:\S+/.exec(String(line))?.[0]}/readyz`);
    expect([ready.status, await ready.json()]).toEqual([200, expect.objectContaining({ ok: true })]);
    service.kill('SIGTERM');
    expect(await exited).toEqual([0, null]);
  });
});
