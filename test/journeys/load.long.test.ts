import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');

async function run(words: readonly string[]) {
  const child = spawn(process.execPath, words, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] });
  const said = { out: '', err: '' };
  child.stdout.setEncoding('utf8').on('data', (chunk) => {
    said.out += chunk;
  });
  child.stderr.setEncoding('utf8').on('data', (chunk) => {
    said.err += chunk;
  });
  const [code] = await once(child, 'close');
  return { ...said, code };
}

beforeAll(async () => {
  // `npm run load` would build dist/ again under the feet of the tests that use it.
  const compiled = await run(['node_modules/typescript/bin/tsc', '-p', 'tsconfig.scripts.json']);
  expect(compiled.out + compiled.err).toBe('');
}, 120_000);

/** A busy machine has any tail; all other promises hold on it, too. */
const TAIL = /: p99 of \d+ µs is /;

it('a short round at a low rate breaks no promise', { timeout: 600_000 }, async () => {
  const words = ['--minutes', '0.2', '--rate', '60', '--replicas', '2', '--json'];
  const { out, err } = await run(['dist-scripts/lab/load/run.js', ...words]);
  expect(err).toContain('measuring for 12 s');
  const { violations, evidence } = JSON.parse(out);
  expect(violations.filter((line: string) => !TAIL.test(line))).toEqual([]);
  expect(evidence.steady.all.count).toBeGreaterThan(400);
  expect(evidence.transfers).toBe(evidence.clients.journal.paid.answers);
  expect(evidence.clients.allowances.lookup.callers).toBeGreaterThan(20);
  expect(Object.keys(evidence.steady.rows)).toEqual(
    expect.arrayContaining([
      'lookup',
      'lookup, past its quota',
      'receipt by id',
      'MCP lookup',
      'dry run',
      'check',
    ]),
  );
});

it('names an option that it cannot use', { timeout: 60_000 }, async () => {
  const { code, err } = await run(['dist-scripts/lab/load/run.js', '--share', '9']);
  expect([code, err]).toEqual([
    2,
    expect.stringMatching(/^load: --share must be from 0\.01 to 2 \(npm run load/),
  ]);
});
