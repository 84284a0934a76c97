import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { projectFile } from '../../tools/project-file.ts';

/** The built programs; `npm test` builds them first. */
const ASSAY = projectFile('dist/bundle/node/assay.js');
const SANDBOX = projectFile('dist/bundle/node/sandbox.js');
const CLEAR_LINE = '\r\u001b[2K';
const folder = mkdtempSync(join(tmpdir(), 'assay-cli-'));

let sandbox: ChildProcess;
let server = '';
let sellers: Readonly<Record<string, string>> = {};

/** A real service with real sellers, whose verdicts are known. */
beforeAll(async () => {
  sandbox = spawn(process.execPath, [SANDBOX, '--port', '0', '--json', '--crawl'], {
    env: { PATH: process.env['PATH'], TMPDIR: folder },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  if (sandbox.stdout === null) throw new Error('the sandbox cannot be heard');
  const [line] = await once(createInterface(sandbox.stdout), 'line');
  ({ base_url: server, sellers } = JSON.parse(line));
});
afterAll(async () => {
  sandbox.kill('SIGTERM');
  await once(sandbox, 'exit');
  rmSync(folder, { recursive: true });
});

const seller = (name: string) => sellers[name] ?? '';
const settings = (more: NodeJS.ProcessEnv = {}) => ({
  PATH: process.env['PATH'],
  ASSAY_SERVER: server,
  TERM: 'xterm',
  ...more,
});

/** Through pipes, as a script runs it. */
function piped(
  words: readonly string[],
  { input = '', env = {} }: { input?: string; env?: NodeJS.ProcessEnv } = {},
) {
  const options = { env: settings(env), encoding: 'utf8', input, timeout: 120_000 } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, [ASSAY, ...words], options);
  return { status, stdout, stderr };
}

interface Terminal {
  readonly columns?: number;
  readonly env?: NodeJS.ProcessEnv;
  /** Typed once this has been shown. */
  readonly keys?: { readonly after: string; readonly typed: string };
}

/** In a terminal of its own, as a person runs it; output and notes come together. */
async function inTerminal(words: readonly string[], { columns = 80, env = {}, keys }: Terminal = {}) {
  const command = [process.execPath, ASSAY, ...words].map((word) => `'${word}'`).join(' ');
  const child = spawn('script', ['-qec', `stty cols ${columns} -echo; exec ${command}`, '/dev/null'], {
    env: settings(env),
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const said = { text: '' };
  child.stdout.setEncoding('utf8').on('data', (chunk) => {
    said.text += chunk;
  });
  const ended = once(child, 'close');
  if (keys !== undefined) {
    await expect.poll(() => said.text, { interval: 20 }).toContain(keys.after);
    child.stdin.write(keys.typed);
  }
  const [status] = await ended;
  return { status, shown: said.text };
}

describe('through a pipe', () => {
  it('the first check of the day is free, and the second names its price', () => {
    const words = ['check', seller('honest'), '--claimed-price', '0.01'];
    const first = piped(words);
    expect([first.status, first.stderr]).toEqual([0, '']);
    expect(first.stdout).toMatch(
      /^✓ PAY {2}price_ok\nThe live 402 asks \$0\.01 in USDC on eip155:8453, as expected\.\n/,
    );
    expect(first.stdout).toMatch(/\n {2}sign {6}\$0\.01 = 10000 atomic USDC on eip155:8453\n {12}to 0x/);
    expect(first.stdout).toMatch(/\n {2}left {6}0 of 1 free today\n$/);
    const second = piped(words);
    expect([second.status, second.stdout]).toEqual([4, '']);
    expect(second.stderr).toMatch(/^assay: payment required: \$0\.01; .*\n[\s\S]* assay check --dry-run /);
  });

  it('many URLs of standard input come out in order, and the code is the strongest', () => {
    const input = [
      seller('honest'),
      JSON.stringify({ url: seller('honest'), claimed_price: 0.02 }),
      seller('server-error'),
      'http://169.254.169.254/',
    ].join('\n');
    const { status, stdout, stderr } = piped(['check', '--dry-run', '--claimed-price', '0.01'], { input });
    expect(stdout.split('\n').map((line) => line.slice(0, 9).trimEnd())).toEqual([
      '✓ pay',
      '✗ skip',
      '↻ recheck',
      '✗ skip',
      '',
    ]);
    expect([status, stderr]).toEqual([1, 'assay: 1 pay, 2 skip, 1 recheck of 4\n']);
    const json = piped(['check', '--dry-run', '--json', '-'], { input: `${seller('server-error')}\n` });
    expect([json.status, JSON.parse(json.stdout)]).toMatchObject([
      3,
      { verdict: 'recheck', access: { tier: 'free' } },
    ]);
  });

  it('a machine never looks at itself', () => {
    const { status, stdout } = piped(['check', '--local', '--json', seller('honest')]);
    expect([status, JSON.parse(stdout)]).toMatchObject([1, { verdict: 'skip', reason: 'ssrf_blocked' }]);
  });

  it('nobody at the other end is 5', () => {
    const { status, stdout, stderr } = piped(['tasks'], { env: { ASSAY_SERVER: 'http://127.0.0.1:1' } });
    expect([status, stdout]).toEqual([5, '']);
    expect(stderr).toMatch(
      /^assay: the service at http:\/\/127\.0\.0\.1:1 cannot be reached.*\n.* ASSAY_SERVER.*\n.* --local .*\n$/,
    );
  });

  it('a reader that has gone is no fault, but never looks like pay', () => {
    const line = (words: string) =>
      `"${process.execPath}" "${ASSAY}" ${words} | true; echo \${PIPESTATUS[0]}`;
    const script = [line('skips'), line(`check --dry-run ${seller('honest')}`)].join('\n');
    const { stdout, stderr } = spawnSync('bash', ['-c', script], { env: settings(), encoding: 'utf8' });
    expect(stdout).toBe('0\n141\n');
    expect(stderr).not.toMatch(/EPIPE|Error|at /);
  });

  it('a signal ends it while it waits for input', async () => {
    const child = spawn(process.execPath, [ASSAY, 'check', '--dry-run', '--json'], { env: settings() });
    const [out, ended] = [text(child.stdout), once(child, 'exit')];
    child.stdin.write(`${seller('honest')}\n`);
    // The answer to the first line comes although the input goes on.
    await once(child.stdout, 'readable');
    child.kill('SIGTERM');
    expect([(await ended)[0], JSON.parse(await out)]).toMatchObject([143, { verdict: 'pay' }]);
  });
});

describe('in a terminal', () => {
  it('there are colours and a bar, and the bar is gone at the end', async () => {
    const { status, shown } = await inTerminal([
      'check',
      '--dry-run',
      seller('honest'),
      seller('raised-price'),
    ]);
    expect(status).toBe(1);
    expect(shown).toContain('\u001b[1;32m✓ pay    \u001b[0m');
    expect(shown).toContain('\u001b[1;31m✗ skip   \u001b[0m');
    expect(shown).toContain(`${CLEAR_LINE}[############------------]  1/2  1 pay`);
    expect(shown.split(CLEAR_LINE).at(-1)).toBe('assay: 1 pay, 1 skip of 2\r\n');
  });

  it.each<[why: string, words: readonly string[], env: NodeJS.ProcessEnv]>([
    ['NO_COLOR', [], { NO_COLOR: '1' }],
    ['--no-color', ['--no-color'], {}],
    ['a dumb terminal', [], { TERM: 'dumb' }],
  ])('%s is heard', async (_, words, env) => {
    const { shown } = await inTerminal(['check', '--dry-run', seller('honest'), ...words], { env });
    expect(shown).toContain('PAY');
    expect(shown).not.toContain('\u001b');
  });

  it('a CI gets colours and no bar', async () => {
    const { shown } = await inTerminal(['check', '--dry-run', seller('honest')], { env: { CI: 'true' } });
    expect(shown).toContain('\u001b[');
    expect(shown).not.toContain(CLEAR_LINE);
  });

  it.each([50, 110])('a table fits into %i columns', async (columns) => {
    const { status, shown } = await inTerminal(['skips', '--no-color'], { columns });
    expect(status).toBe(0);
    const lines = shown.split('\r\n').filter((line) => !line.startsWith('assay: '));
    expect(lines).toHaveLength(9); // Heads, seven dishonest sellers, the end.
    expect(Math.max(...lines.map((line) => [...line].length))).toBeLessThanOrEqual(columns);
    expect(Math.max(...lines.map((line) => [...line].length))).toBeGreaterThan(columns - 25);
  });

  it('Ctrl-C ends many checks at once', async () => {
    const slow = Array.from({ length: 8 }, (_, at) => `${seller('slow')}?${at}`);
    const words = ['check', '--dry-run', seller('honest'), ...slow];
    const { status, shown } = await inTerminal(words, { keys: { after: '1/9', typed: '\u0003' } });
    expect(status).toBe(130);
    expect(shown).toContain('✓ pay');
    expect(shown).not.toContain('recheck');
  });
});
