import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { freePort } from '../../tools/free-port.ts';
import { projectFile } from '../../tools/project-file.ts';

/** The built program, as `npm start` runs it. `npm test` builds it first. */
const PROGRAM = projectFile('dist/bundle/node/serve.js');
const ASSAY = projectFile('dist/bundle/node/assay.js');
const running: ChildProcess[] = [];
const folder = mkdtempSync(join(tmpdir(), 'assay-start-'));
const DATA_DIR = join(folder, 'data');

afterAll(() => rmSync(folder, { recursive: true }));

function run(settings: Record<string, string>, shell?: string) {
  const [command, argv] =
    shell === undefined
      ? [process.execPath, [PROGRAM]]
      : ['sh', ['-c', `${shell}; exec "$0" "$1"`, process.execPath, PROGRAM]];
  const child = spawn(command, argv, {
    env: { PATH: process.env['PATH'], DATA_DIR, ...settings },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  running.push(child);
  const lines = createInterface({ input: child.stderr });
  const firstLine = once(lines, 'line').then(([line]) => String(line));
  const exitCode = once(child, 'exit').then(([code]) => code);
  return { child, firstLine, exitCode };
}

afterEach(() => {
  for (const child of running.splice(0)) child.kill('SIGKILL');
});

describe('starting the service', () => {
  it('says where it listens, answers, and ends on SIGTERM', async () => {
    const { child, firstLine, exitCode } = run({ PORT: '0' });
    const address = /http:\/\/127\.0\.0\.1:\d+$/.exec(await firstLine)?.[0];
    const response = await fetch(`${address}/healthz`);
    expect(await response.json()).toMatchObject({ ok: true });
    child.kill('SIGTERM');
    expect(await exitCode).toBe(0);
    expect(readdirSync(DATA_DIR)).toContain('assay.db');
  });

  it('lets those wait who come while it starts', async () => {
    const port = await freePort();
    const { exitCode, child } = run({ PORT: String(port), DATA_DIR: join(folder, 'early') });
    const ask = async () => (await fetch(`http://127.0.0.1:${port}/v1/lookup?task=web-search`)).status;
    let status: number | null = null;
    while (status === null) {
      status = await ask().catch((fault: Error) => {
        // It does not listen yet. A connection that is cut would be a fault.
        if (String(Object(fault.cause).code) === 'ECONNREFUSED') return null;
        throw fault;
      });
    }
    expect(status).toBe(200);
    child.kill('SIGTERM');
    expect(await exitCode).toBe(0);
  });

  it('has the rules of this release in its log', async () => {
    const { child, firstLine, exitCode } = run({ PORT: '0', DATA_DIR: join(folder, 'rules') });
    const address = /http:\/\/127\.0\.0\.1:\d+$/.exec(await firstLine)?.[0];
    let entries = '';
    for (let tries = 0; tries < 100 && entries === ''; tries += 1) {
      await wait(100);
      const response = await fetch(`${address}/log/tile/entries/000.p/1`);
      if (response.ok) entries = await response.text();
    }
    const rules = new Uint8Array(await (await fetch(`${address}/log/rules/4.mjs`)).arrayBuffer());
    const sha256 = createHash('sha256').update(rules).digest('base64');
    expect(entries).toContain(`assay rules v1\n4\n${sha256}\n`);
    child.kill('SIGTERM');
    expect(await exitCode).toBe(0);
  });

  it('refuses a database whose hashes another secret keys, until it is told to go on', async () => {
    const settings = (secret: string) => ({
      PORT: '0',
      DATA_DIR: join(folder, 'keyed'),
      SECRET: secret.repeat(16),
    });
    const first = run(settings('a'));
    expect(await first.firstLine).toContain('listening on');
    const other = run(settings('b'));
    expect(await other.firstLine).toMatch(
      /^assay: the SECRET of this process \(fingerprint [0-9a-f]{16}\) is not the one of the database \([0-9a-f]{16}\)/,
    );
    expect(await other.exitCode).toBe(1);
    const migrated = spawn(process.execPath, [ASSAY, 'migrate', '--new-secret'], {
      env: { PATH: process.env['PATH'], ...settings('b') },
      stdio: 'ignore',
    });
    expect(await once(migrated, 'exit')).toEqual([0, null]);
    expect(await run(settings('b')).firstLine).toContain('listening on');
    expect(await run(settings('a')).exitCode).toBe(1);
  });

  it('takes two signals at once, from a terminal and from npm, for one', async () => {
    const { child, firstLine, exitCode } = run({ PORT: '0' });
    await firstLine;
    child.kill('SIGINT');
    child.kill('SIGINT');
    expect(await exitCode).toBe(0);
  });

  it.each<[string, NodeJS.Signals]>([
    ['start', 'SIGTERM'],
    ['start', 'SIGINT'],
    ['sandbox', 'SIGTERM'],
    ['sandbox', 'SIGINT'],
  ])('npm run %s passes %s on', async (script, signal) => {
    const child = spawn(
      'npm',
      ['run', '--silent', script, ...(script === 'sandbox' ? ['--', '--port=0', '--json', '--bare'] : [])],
      {
        cwd: projectFile('.'),
        env: { PATH: process.env['PATH'], HOME: folder, DATA_DIR, PORT: '0' },
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    );
    const listening = script === 'sandbox' ? '"base_url"' : 'listening on';
    const output = { text: '' };
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (chunk) => {
        output.text += chunk;
      });
    }
    // Both streams close only when the last process that writes to them has ended.
    const closed = once(child, 'close');
    await expect.poll(() => output.text).toContain(listening);
    child.kill(signal);
    await closed;
  });

  it('told to stop, answers for as long as it drains, but says that it is not ready', async () => {
    const { child, firstLine, exitCode } = run({ PORT: '0', DRAIN_SECONDS: '600' });
    const address = /http:\/\/127\.0\.0\.1:\d+$/.exec(await firstLine)?.[0];
    expect((await fetch(`${address}/readyz`)).status).toBe(200);
    child.kill('SIGTERM');
    const ready = async () => (await fetch(`${address}/readyz`)).status;
    while ((await ready()) === 200);
    const refused = await fetch(`${address}/readyz`);
    expect([refused.status, await refused.json()]).toMatchObject([
      503,
      { code: 'not_ready', checks: { store: 'ok', schema: 'ok', process: 'stopping', log: 'ok' } },
    ]);
    const served = await fetch(`${address}/v1/tasks`);
    expect([served.status, served.headers.get('connection')]).toEqual([200, 'close']);
    expect(child.exitCode).toBeNull();
    // A second signal cuts the drain short, unless it is a duplicate of the first.
    await wait(300);
    child.kill('SIGTERM');
    expect(await exitCode).toBe(0);
  });

  it('is not ready when its file cannot grow any more, and still alive', async () => {
    const settings = { PORT: '0', DATA_DIR: join(folder, 'full'), TRUSTED_PROXIES: '127.0.0.1' };
    const { firstLine } = run(settings, 'ulimit -f 1200');
    const address = /http:\/\/127\.0\.0\.1:\d+$/.exec(await firstLine)?.[0];
    const ask = async (path: string, from = '100.64.0.1') =>
      (await fetch(`${address}${path}`, { headers: { 'x-forwarded-for': from } })).status;
    expect(await ask('/readyz')).toBe(200);
    const lookUp = (n: number) => ask('/v1/lookup?task=weather', `100.64.${n >> 8}.${n & 255}`);
    for (let n = 1; (await lookUp(n)) === 200; n += 1) expect(n).toBeLessThan(2_000);
    // Within a second the last answer still counts.
    while ((await ask('/readyz')) === 200);
    expect([await ask('/readyz'), await ask('/healthz'), await ask('/v1/skips.json')]).toEqual([
      503, 200, 200,
    ]);
  });

  it('finds its data again', async () => {
    for (let start = 0; start < 2; start += 1) {
      const { child, firstLine, exitCode } = run({ PORT: '0' });
      expect(await firstLine).toMatch(/^assay: listening/);
      child.kill('SIGKILL');
      await exitCode;
    }
  });

  it.each<[string, Record<string, string>, RegExp]>([
    [
      'a data folder that is a file',
      { DATA_DIR: PROGRAM },
      /^assay: cannot open the database file .*serve\.js.assay\.db: .*; DATA_DIR must be a folder that this user may write$/,
    ],
    [
      'a folder that cannot be made, with the secret in it',
      { DATA_DIR: join(PROGRAM, 'x') },
      /; DATA_DIR must be a folder that this user may write$/,
    ],
    [
      'a server that is not there',
      { DATABASE_URL: 'postgres://u:secret@127.0.0.1:1/d', DATABASE_WAIT_SECONDS: '0' },
      /^assay: cannot reach the database 127\.0\.0\.1:1\/d: .*; start the server or change DATABASE_URL$/,
    ],
  ])('refuses %s in one line, without a password', async (_, settings, line) => {
    const { firstLine, exitCode } = run({ PORT: '0', ...settings });
    expect(await firstLine).toMatch(line);
    expect(await firstLine).not.toContain('secret');
    expect(await exitCode).toBe(1);
  });

  it('refuses an invalid setting in one line', async () => {
    const { firstLine, exitCode } = run({ PORT: 'http' });
    expect(await firstLine).toBe('assay: invalid setting: PORT must be a port number');
    expect(await exitCode).toBe(1);
  });

  it('lets go of its port when the start fails halfway', async () => {
    const occupant = createServer().listen(0, '127.0.0.1');
    await once(occupant, 'listening');
    const address = occupant.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const { firstLine, exitCode } = run({ PORT: '0', METRICS_PORT: String(port) });
    expect(await firstLine).toBe(
      `assay: cannot listen on 127.0.0.1:${port}: EADDRINUSE, another process has the port; stop it or change METRICS_PORT`,
    );
    expect(await exitCode).toBe(1);
    occupant.close();
  });

  it('says so when the port is taken', async () => {
    const occupant = createServer().listen(0, '127.0.0.1');
    await once(occupant, 'listening');
    const address = occupant.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const { firstLine, exitCode } = run({ PORT: String(port) });
    expect(await firstLine).toBe(
      `assay: cannot listen on 127.0.0.1:${port}: EADDRINUSE, another process has the port; stop it or change PORT`,
    );
    expect(await exitCode).toBe(1);
    occupant.close();
  });
});
