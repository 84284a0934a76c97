import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { freePort } from '../../tools/free-port.ts';
import { projectFile } from '../../tools/project-file.ts';

const run = promisify(execFile);
const LOG = projectFile('dist/adapters/system/log.js');
const START = `const { createLog } = await import(${JSON.stringify(LOG)}); const log = createLog('info');`;
const PROGRAM = `${START} log.info('the last line');`;

// A line that another thread would have to write is lost in some of the ends only.
it('a process that ends has written its last lines', async () => {
  const ends = Array.from({ length: 20 }, () =>
    run(process.execPath, ['--input-type=module', '--eval', PROGRAM]),
  );
  const said = (await Promise.all(ends)).map(({ stdout }) => stdout);
  expect(said.filter((text) => text.includes('"msg":"the last line"'))).toHaveLength(20);
});

it.each([
  [
    'while it runs',
    `for (let n = 0; n < 5; n += 1) { log.info('x'.repeat(9_000)); await new Promise((go) => setTimeout(go, 100)); }`,
  ],
  ['when it ends', `log.info('the last line');`],
])('a process whose log finds no room %s goes on, and ends', async (_, says) => {
  const full = openSync('/dev/full', 'w');
  const program = `${START} ${says} process.stderr.write('alive');`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['ignore', full, 'pipe'],
    timeout: 20_000,
    killSignal: 'SIGKILL',
  });
  closeSync(full);
  let said = '';
  child.stderr?.on('data', (chunk) => {
    said += String(chunk);
  });
  const [code] = await once(child, 'close');
  expect([said, code]).toEqual(['alive', 0]);
});

it('a service whose outputs both find no room starts, serves and stops', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'assay-full-'));
  const full = openSync('/dev/full', 'w');
  const port = String(await freePort());
  const child = spawn(process.execPath, [projectFile('dist/main/serve.js')], {
    env: { PATH: process.env['PATH'], DATA_DIR: folder, PORT: port },
    stdio: ['ignore', full, full],
    timeout: 60_000,
    killSignal: 'SIGKILL',
  });
  closeSync(full);
  const ended = once(child, 'close');
  const ask = () => fetch(`http://127.0.0.1:${port}/healthz`).then(({ status }) => status, String);
  await expect.poll(ask, { timeout: 30_000 }).toBe(200);
  child.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
  rmSync(folder, { recursive: true });
});
