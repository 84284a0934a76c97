import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';

/** The built program, as `npm start` runs it. `npm test` builds it first. */
const PROGRAM = fileURLToPath(new URL('../../dist/main/serve.js', import.meta.url));
const running: ChildProcess[] = [];

function run(settings: Record<string, string>) {
  const child = spawn(process.execPath, [PROGRAM], {
    env: { PATH: process.env['PATH'], ...settings },
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
  });

  it('refuses a wrong setting in one line', async () => {
    const { firstLine, exitCode } = run({ PORT: 'http' });
    expect(await firstLine).toBe('assay: wrong setting: PORT must be a port number');
    expect(await exitCode).toBe(1);
  });

  it('says so when the port is taken', async () => {
    const occupant = createServer().listen(0, '127.0.0.1');
    await once(occupant, 'listening');
    const address = occupant.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const { firstLine, exitCode } = run({ PORT: String(port) });
    expect(await firstLine).toBe(`assay: cannot listen on 127.0.0.1:${port}: EADDRINUSE`);
    expect(await exitCode).toBe(1);
    occupant.close();
  });
});
