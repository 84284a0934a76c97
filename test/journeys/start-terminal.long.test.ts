import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { projectFile } from '../../tools/project-file.ts';

/** The built program, as `npm start` runs it. `npm test` builds it first. */
const PROGRAM = projectFile('dist/bundle/node/serve.js');
const folder = mkdtempSync(join(tmpdir(), 'assay-start-terminal-'));
const DATA_DIR = join(folder, 'data');
const running: ChildProcess[] = [];

afterEach(() => {
  for (const child of running.splice(0)) child.kill('SIGKILL');
});
afterAll(() => rmSync(folder, { recursive: true }));

function start(command: readonly [string, ...string[]], settings: Record<string, string>) {
  const [program, ...words] = command;
  const child = spawn(program, words, {
    env: { PATH: process.env['PATH'], DATA_DIR, PORT: '0', TERM: 'xterm', ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.push(child);
  const said = { text: '' };
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (chunk) => {
      said.text += chunk;
    });
  }
  const until = async (words: string | RegExp) => {
    await expect.poll(() => said.text, { timeout: 60_000 }).toMatch(words);
    return said.text.replaceAll('\r\n', '\n');
  };
  const stop = async () => {
    const ended = once(child, 'close');
    child.kill('SIGTERM');
    await ended;
  };
  return { until, stop };
}

const onTerminal = (settings: Record<string, string> = {}) =>
  start(['script', '-qec', `exec '${process.execPath}' '${PROGRAM}'`, '/dev/null'], settings);
const LISTENING = /listening on (http:\/\/127\.0\.0\.1:\d+)/;

describe('on a terminal', () => {
  it('says what is on and off, then one line for each request', async () => {
    const { until } = onTerminal({ NO_COLOR: '1' });
    const screen = await until(/assay: listening on http/);
    const address = LISTENING.exec(screen)?.[1] ?? '';
    expect(screen.split('\n').slice(0, 12)).toEqual([
      expect.stringMatching(/^Assay \d/),
      '',
      `  address     on   ${address}`,
      `  store       on   ${DATA_DIR}/assay.db`,
      '  payments    off  nothing is sold: set PAY_TO to a wallet',
      '  crawl       off  no run yet: npx assay crawl, or CRAWL=weekly',
      '  paid calls  off  none yet: BUYER_KEY=0x... npx assay verify',
      `  MCP         on   ${address}/mcp`,
      expect.stringMatching(/^ {2}log {9}on {3}localhost\/log, \d+ entr/),
      '  vantages    off  set VANTAGES',
      '  metrics     off  set METRICS_PORT',
      '  contact     off  set CONTACT=mailto:you@example.com, for security.txt',
    ]);
    expect(screen).toMatch(
      /\n {2}check {7}npx assay check --dry-run https:\/\/\S+ --server http:\/\/127\.0\.0\.1:\d+\n {2}sandbox {5}npm run sandbox -- --port 0: /,
    );
    await fetch(`${address}/v1/lookup?task=weather&key=hidden`);
    await fetch(`${address}/${encodeURIComponent('\u001b[31m')}${'x'.repeat(300)}`);
    const shown = await until(/ 404 GET /);
    expect(shown).toMatch(/\n\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ 200 GET \/v1\/lookup [0-9.]+ms free\n/);
    expect(shown).toMatch(/ 404 GET \/%1B%5B31mx{80,100}\.\.\. [0-9.]+ms not_found\n/);
    expect(shown).not.toContain('hidden');
    expect(shown).not.toContain('\u001b');
  });

  it('is coloured unless told otherwise', async () => {
    expect(await onTerminal().until(LISTENING)).toContain('\u001b[');
  });
});

describe('for programs', () => {
  it.each([
    ['through a pipe', () => start([process.execPath, PROGRAM], {})],
    ['on a terminal that is told so', () => onTerminal({ LOG_FORMAT: 'json' })],
  ])('writes JSON %s', async (_, run) => {
    const { until } = run();
    await until(LISTENING);
    const shown = await until(/"msg":"settings"}/);
    const lines = shown.split('\n').filter((line) => line.startsWith('{'));
    expect(lines.map((line) => JSON.parse(line).msg)).toEqual(['pack', 'settings']);
    expect(shown).not.toContain('nothing is sold');
  });

  it('warns when it is public and names nobody', async () => {
    const warning = 'BASE_URL is public and CONTACT is not set';
    const BASE_URL = 'https://assay.example.org';
    const settings: [Record<string, string>, boolean][] = [
      [{ BASE_URL }, true],
      [{ BASE_URL, CONTACT: 'mailto:ops@example.org' }, false],
      [{ BASE_URL: 'http://localhost:4402' }, false],
      [{ BASE_URL: 'http://10.0.0.5' }, false],
    ];
    for (const [index, [setting, isWarned]] of settings.entries()) {
      const { until, stop } = start([process.execPath, PROGRAM], {
        ...setting,
        DATA_DIR: join(folder, `w${index}`),
      });
      await until(LISTENING);
      await stop();
      expect((await until(/"msg":"stopped"/)).includes(warning)).toBe(isWarned);
    }
  });
});
