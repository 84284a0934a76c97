import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { projectFile } from '../../tools/project-file.ts';
import { ENTRY } from '../../tools/samples/challenge.ts';
import { type LintSeller, startLintSeller } from '../support/linting/lint-seller.ts';
import { readSarif } from '../support/linting/sarif-rules.ts';

/** The built program; `npm test` builds it first. */
const PROGRAM = projectFile('dist/bundle/node/assay.js');
const STEP = projectFile('scripts/lint-action/run-lint.mjs');
const ACTION = readFileSync(projectFile('action.yml'), 'utf8');
const folder = mkdtempSync(join(tmpdir(), 'assay-lint-journey-'));
const running: LintSeller[] = [];
const at = (path: string) => `${running[0]?.url ?? ''}${path}`;

beforeAll(async () => void running.push(await startLintSeller()));
afterAll(async () => {
  await running[0]?.stop();
  rmSync(folder, { recursive: true });
});

async function start(argv: readonly string[], env: Readonly<Record<string, string>> = {}, input = '') {
  const child = spawn(process.execPath, argv, { env: { PATH: process.env['PATH'], ...env } });
  const [out, notes]: [string[], string[]] = [[], []];
  child.stdout.setEncoding('utf8').on('data', (text) => out.push(text));
  child.stderr.setEncoding('utf8').on('data', (text) => notes.push(text));
  child.stdin.on('error', () => {}).end(input);
  const [status] = await once(child, 'close');
  return { status, out: out.join(''), notes: notes.join('') };
}

const lint = (argv: readonly string[], input = '') => start([PROGRAM, 'lint', ...argv], {}, input);

describe('the built program', () => {
  it('lints a seller on this machine when it is told to', async () => {
    const { status, out, notes } = await lint(['--allow-local', '--price', '0.01', at('/good')]);
    expect([status, notes]).toEqual([0, '']);
    expect(out).toMatch(/^✓ PAY {2}price_ok\n/);
    expect(out).toMatch(/\n0 errors, 0 warnings, 0 notes; \d+ checks passed\n$/);
  });

  it('and not otherwise, whatever the environment says', async () => {
    const url = at('/good').replace('127.0.0.1', 'localhost');
    const settings = { ALLOW_LOCAL: 'true', ASSAY_ALLOW_LOCAL: '1', OWN_ADDRESSES: '', ASSAY_SERVER: at('') };
    for (const target of [url, at('/good')]) {
      const { status, out, notes } = await start([PROGRAM, 'lint', target], settings);
      expect([status, out]).toEqual([2, '']);
      expect(notes).toMatch(/^assay lint: the URL leads to this machine or to a private network, .*\n$/);
    }
  });

  it('reaches this machine by its name', async () => {
    const url = at('/good').replace('127.0.0.1', 'localhost');
    const { status, out } = await lint(['--allow-local', '--format', 'json', url]);
    expect([status, JSON.parse(out).verdict]).toEqual([0, 'pay']);
  });

  it('exits with 1 for errors and with 5 for a target that is not there', async () => {
    expect((await lint(['--allow-local', at('/broken')])).status).toBe(1);
    expect((await lint(['--allow-local', 'http://127.0.0.1:9/'])).status).toBe(2);
    expect((await lint(['--allow-local', at('/reset')])).status).toBe(5);
  });

  it('reads what curl prints from a pipe', async () => {
    const document = Buffer.from(JSON.stringify({ x402Version: 2, accepts: [ENTRY] })).toString('base64');
    const saved = `HTTP/2 402 \r\npayment-required: ${document}\r\n\r\n`;
    const { status, out } = await lint(['--format', 'sarif', '-'], saved);
    expect([status, readSarif(out).properties['verdict']]).toEqual([0, 'pay']);
  });

  it('does not look like success when the reader goes away', async () => {
    const child = spawn(process.execPath, [PROGRAM, 'lint', '--allow-local', at('/good')]);
    child.stdout.destroy();
    const [status] = await once(child, 'close');
    expect(status).toBe(141);
  });
});

/** The step as the runner starts it. */
async function step(inputs: Readonly<Record<string, string>>) {
  const temporary = mkdtempSync(join(folder, 'runner-'));
  const [summary, output] = [join(temporary, 'summary.md'), join(temporary, 'output.txt')];
  const env = {
    ASSAY_PROGRAM: PROGRAM,
    RUNNER_TEMP: temporary,
    GITHUB_STEP_SUMMARY: summary,
    GITHUB_OUTPUT: output,
    ...Object.fromEntries(Object.entries(inputs).map(([name, value]) => [`INPUT_${name}`, value])),
  };
  const told = await start([STEP], env);
  const outputs = Object.fromEntries(
    readFileSync(output, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => line.split('=')),
  );
  return { ...told, summary: readFileSync(summary, 'utf8'), outputs };
}

const INPUTS = { METHOD: 'GET', FAIL_ON: 'error', ALLOW_LOCAL: 'true' };

describe('the step of the action', () => {
  it('passes for an endpoint that is as it should be', async () => {
    const { status, out, summary, outputs } = await step({
      ...INPUTS,
      URL: at('/good'),
      PRICE: '0.01',
      NETWORK: 'base',
    });
    expect([status, out]).toEqual([0, '']);
    expect(outputs).toEqual({
      verdict: 'pay',
      errors: '0',
      warnings: '0',
      sarif: expect.stringMatching(/lint\.sarif$/),
    });
    expect(summary).toMatch(/^## Assay lint: pay \(price&#95;ok\)\n/);
    expect(summary).toContain('\nNothing was found.\n');
    expect(readSarif(readFileSync(outputs['sarif'], 'utf8')).results).toEqual([]);
  });

  it('annotates, sums up and fails', async () => {
    const { status, out, summary, outputs } = await step({ ...INPUTS, URL: at('/broken') });
    expect(status).toBe(1);
    expect(outputs).toMatchObject({ verdict: 'skip', errors: '1', warnings: '5' });
    expect(out.split('\n')[0]).toBe(
      '::error title=assay lint%3A payee_not_address::The payee is not an address of this network. Use 0x and 40 hexadecimal digits on EVM networks, a base58 address on Solana; names such as ENS do not work.',
    );
    expect(
      out
        .trimEnd()
        .split('\n')
        .slice(1)
        .every((line) => line.startsWith('::warning title=')),
    ).toBe(true);
    expect(summary).toContain(
      '\n| error | payee&#95;not&#95;address | The payee is not an address of this network.',
    );
  });

  it.each<[string, Readonly<Record<string, string>>, number]>([
    ['warnings', { FAIL_ON: 'warning', URL: '/bare' }, 1],
    ['nothing', { FAIL_ON: 'never', URL: '/free' }, 0],
    ['a POST with its input', { METHOD: 'POST', INPUT: '{"city":"Bern"}', URL: '/post' }, 0],
    ['no answer', { URL: '/reset' }, 5],
  ])('counts %s as it is told', async (_, inputs, expected) => {
    const { status } = await step({ ...INPUTS, ...inputs, URL: at(inputs['URL'] ?? '') });
    expect(status).toBe(expected);
  });

  it('does not reach this machine by itself', async () => {
    const { status, out, outputs, summary } = await step({
      ...INPUTS,
      ALLOW_LOCAL: 'false',
      URL: at('/good'),
    });
    expect([status, outputs]).toEqual([2, { verdict: '', errors: '', warnings: '', sarif: '' }]);
    expect(out).toMatch(/^::error title=assay lint::assay lint%?.*--allow-local.*\n$/);
    expect(summary).toMatch(/^## Assay lint\n\n/);
  });

  it.each<[string, number]>([
    ['True', 0],
    ['TRUE', 0],
    ['False', 2],
    ['', 2],
  ])('reads allow-local in any letter case: %j', async (value, expected) => {
    const { status, out } = await step({ ...INPUTS, ALLOW_LOCAL: value, URL: at('/good') });
    expect(status).toBe(expected);
    expect(out).not.toContain('must be true or false');
  });

  it.each(['yes', '1', 'toString', 'true\n::error::x'])('refuses allow-local %j', async (value) => {
    const { status, out, outputs } = await step({ ...INPUTS, ALLOW_LOCAL: value, URL: at('/good') });
    expect([status, outputs['sarif']]).toEqual([2, '']);
    expect(out).toBe('::error title=assay lint::assay lint: the input allow-local must be true or false\n');
  });

  const marker = join(folder, 'pwned');
  it.each<[string, Readonly<Record<string, string>>]>([
    ['a URL that is a shell', { URL: `"; touch ${marker}; echo "` }],
    ['a URL that is a substitution', { URL: `$(touch ${marker})` }],
    ['a URL that is an option', { URL: `--output=${marker}` }],
    ['a price that is an option', { URL: 'https://a.example/', PRICE: `0.01 --output=${marker}` }],
    ['a method with a command', { URL: 'https://a.example/', METHOD: `GET\n::set-output name=verdict::pay` }],
    ['a network with a command', { URL: 'https://a.example/', NETWORK: 'x\r\n::error::y%0A::z' }],
    [
      'a file with commands in its name',
      { URL: 'a\n::add-mask::b\n##[set-env name=x]y', ALLOW_LOCAL: 'false' },
    ],
    ['a name that is Markdown', { URL: '<img src=x>|[a](https://evil.example)`b`', ALLOW_LOCAL: 'false' }],
    ['an output that is two', { URL: 'https://a.example/\nverdict=pay' }],
    ['nothing', { URL: '' }],
  ])('is not fooled by %s', async (_, inputs) => {
    const { status, out, summary, outputs } = await step({ ...INPUTS, ...inputs });
    expect([status, outputs]).toEqual([2, { verdict: '', errors: '', warnings: '', sarif: '' }]);
    expect(existsSync(marker)).toBe(false);
    expect(out).toMatch(/^::error title=assay lint::[^\r\n]*\n$/);
    expect(out).not.toContain('##[');
    expect(summary).toMatch(/^## Assay lint\n\n[A-Za-z0-9 .,;/&#-]*\n$/);
  });
});

describe('action.yml', () => {
  it('hands inputs to scripts in the environment, and to no shell', () => {
    const runs = ACTION.split('\n').filter((line) => /^\s+run:/.test(line));
    expect(runs).toEqual([
      '      run: bash "$GITHUB_ACTION_PATH/scripts/lint-action/install.sh"',
      '      run: node "$GITHUB_ACTION_PATH/scripts/lint-action/run-lint.mjs"',
    ]);
    const used = [...ACTION.matchAll(/^(\s+\S+): \$\{\{ (?:inputs|steps)\.(\S+) \}\}$/gm)];
    expect(ACTION.split('${{').length - 1).toBe(used.length);
  });

  it('declares what the step reads and writes', () => {
    const script = readFileSync(STEP, 'utf8');
    const declared = [...ACTION.matchAll(/^ {8}(INPUT_[A-Z_]+): \$\{\{ inputs\.([a-z-]+) \}\}$/gm)];
    expect(
      declared.map(([, name = '', input = '']) => [name, input.toUpperCase().replaceAll('-', '_')]),
    ).toEqual(declared.map(([, name = '']) => [name, name.replace('INPUT_', '')]));
    for (const [, name = ''] of declared) expect(script).toContain(name);
    const outputs = [...ACTION.matchAll(/steps\.lint\.outputs\.([a-z]+)/g)].map(([, name]) => name);
    expect(outputs).toEqual(['verdict', 'errors', 'warnings', 'sarif']);
  });
});
