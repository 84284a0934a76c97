import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, vi } from 'vitest';

const PROGRAM = join(import.meta.dirname, '../../../dist/bundle/node/sandbox.js');

export interface Sandbox {
  readonly base_url: string;
  readonly sellers: Readonly<Record<string, string>>;
  readonly buyer_keys: readonly string[];
}

/** A sandbox that has crawled its lists and paid its sellers, for all tests of a file. */
export function useSandbox(): () => Sandbox {
  const running: { child?: ChildProcess; sandbox?: Sandbox } = {};
  beforeAll(async () => {
    const words = ['--port', '0', '--json'];
    const child = spawn(process.execPath, [PROGRAM, ...words], { stdio: ['ignore', 'pipe', 'pipe'] });
    running.child = child;
    const said = { out: '', err: '' };
    child.stdout.setEncoding('utf8').on('data', (chunk) => {
      said.out += chunk;
    });
    child.stderr.setEncoding('utf8').on('data', (chunk) => {
      said.err += chunk;
    });
    // Two streams: the report may come after what was said later.
    const isWhole = () => {
      expect(said.err).toMatch(/published: 19 endpoints/);
      expect(said.out).toMatch(/\n$/);
    };
    await vi.waitFor(isWhole, { timeout: 200_000, interval: 200 });
    running.sandbox = JSON.parse(said.out);
  });
  afterAll(async () => {
    const { child } = running;
    if (child === undefined || child.exitCode !== null) return;
    child.kill('SIGINT');
    await once(child, 'exit');
  });
  return () => {
    if (running.sandbox === undefined) throw new Error('the sandbox is not started yet');
    return running.sandbox;
  };
}
