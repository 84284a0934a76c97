import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { projectFile } from '../../tools/project-file.ts';
import { type Server, startServer } from '../../tools/store-server.ts';

const PROGRAM = projectFile('dist/bundle/node/assay.js');
const folder = mkdtempSync(join(tmpdir(), 'assay-away-'));
const running: ChildProcess[] = [];
let server: Server;

beforeAll(async () => {
  server = await startServer();
});
afterAll(async () => {
  for (const child of running) child.kill('SIGKILL');
  await server.stop();
  rmSync(folder, { recursive: true });
});

/** A command on the server, with all that it has said so far. */
function start(command: string, settings: Record<string, string> = {}) {
  const env = {
    PATH: process.env['PATH'],
    DATA_DIR: folder,
    DATABASE_URL: server.url,
    PORT: '0',
    ...settings,
  };
  const child = spawn(process.execPath, [PROGRAM, command], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  running.push(child);
  const said = { text: '' };
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      said.text += String(chunk);
    });
  }
  const exitCode = once(child, 'exit').then(([code]) => code);
  const until = async (words: RegExp) => {
    while (!words.test(said.text)) {
      if (child.exitCode !== null) throw new Error(`it ended: ${said.text}`);
      await wait(20);
    }
    return words.exec(said.text)?.[0] ?? '';
  };
  return { child, said, exitCode, until };
}

const WORKER = 'worker';

function named(address: string, name: string): string {
  const url = new URL(address);
  url.searchParams.set('application_name', name);
  return url.href;
}

/** Until then it has not begun, and says nothing. */
async function looksForWork(name: string): Promise<void> {
  const client = new Client({ connectionString: server.url });
  await client.connect();
  const asked = "select 1 from pg_stat_activity where application_name = $1 and query like '%jobs%'";
  while ((await client.query(asked, [name])).rowCount === 0) await wait(20);
  await client.end();
}

it('the service and a worker may start first, and need no restart when the database had one', async ({
  skip,
}) => {
  const { power } = server;
  if (power === null) return skip('the server is not ours to stop');
  await power.off();
  const hopeless = start('crawl-worker', { DATABASE_WAIT_SECONDS: '5' });
  const [service, worker] = [
    start('serve'),
    start('crawl-worker', { DATABASE_URL: named(server.url, WORKER) }),
  ];
  for (const each of [hopeless, service, worker]) await each.until(/waiting for the database 127\.0\.0\.1:/);
  expect(await hopeless.exitCode).toBe(1);
  expect(hopeless.said.text).toMatch(
    /\nassay: cannot reach the database 127\.0\.0\.1:\d+\/postgres: .*ECONNREFUSED/,
  );
  await power.on();
  const address = /http\S+$/.exec(await service.until(/listening on http:\/\/127\.0\.0\.1:\d+/))?.[0];
  const status = async (path: string) => (await fetch(`${address}${path}`)).status;
  const becomes = async (path: string, wanted: number) => {
    while ((await status(path)) !== wanted) await wait(100);
  };
  expect([await status('/readyz'), await status('/v1/skips.json')]).toEqual([200, 200]);

  await looksForWork(WORKER);
  await power.off();
  await becomes('/readyz', 503);
  expect([await status('/v1/lookup?task=weather'), await status('/healthz')]).toEqual([503, 200]);
  await worker.until(/trying again/);
  await power.on();
  await becomes('/readyz', 200);
  expect(await status('/v1/lookup?task=weather')).toBe(200);
  await worker.until(/recovered/);

  for (const { child, exitCode } of [service, worker]) {
    child.kill('SIGTERM');
    expect(await exitCode).toBe(0);
  }
  expect(worker.said.text.match(/trying again/g)).toHaveLength(1);
});
