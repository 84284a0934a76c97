import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { build } from 'esbuild';
import { afterAll, describe, expect, it } from 'vitest';
import { projectFile } from '../../../tools/project-file.ts';
import { bytesIn, installPacked, nodeOf } from '../../support/packing/installed-package.ts';

/** The package as its users get it; `npm test` builds it first. */
const folder = mkdtempSync(join(tmpdir(), 'assay-package-'));
afterAll(() => rmSync(folder, { recursive: true }));
const { folder: place, run, npm } = await installPacked(join(folder, 'user'));
const ASSAY = join(place, 'node_modules/assay/dist/bundle/node/assay.js');
const NODES: [name: string, program: string][] = [
  ['this Node', process.execPath],
  ['Node 22', nodeOf(22)],
  ['Node 24', nodeOf(24)],
];
const MEGABYTE = 1e6;

const EXPORTS: [name: string, values: string][] = [
  ['assay/rules', 'RULES_VERSION judgeAnswer judgeResponse'],
  ['assay/guard', 'GuardRefused createGuard guardFetch memoryLedger'],
  ['assay/guard/sqlite', 'sqliteLedger'],
  ['assay/guard/postgres', 'postgresLedger'],
  ['assay/guard/snapshot', 'openSnapshot'],
  ['assay/guard/mcp', 'guardTransport'],
];

/** Uses each export as the documents do. */
const CONSUMER = `
import { judgeResponse, type Judged } from 'assay/rules';
import { createGuard, type Guard, GuardRefused, memoryLedger } from 'assay/guard';
import { sqliteLedger } from 'assay/guard/sqlite';
import { postgresLedger } from 'assay/guard/postgres';
import { openSnapshot } from 'assay/guard/snapshot';
import { guardTransport } from 'assay/guard/mcp';
import 'assay/guard/register';

const judged: Judged = await judgeResponse(new Response(), { price: '0.01' });
if (judged.verdict === 'pay') console.log(judged.terms.amountAtomic + 1n, judged.termsSha256.length);
const ledgers = [memoryLedger(), sqliteLedger('purchases.db'), postgresLedger({ url: 'postgres://localhost' })];
export const guards: Guard[] = ledgers.map((ledger) => createGuard({ ledger, limits: { perPayment: '0.10', perDay: '5' } }));
export const fault: Error = new GuardRefused('not_approved');
export const others = [openSnapshot, guardTransport];
// @ts-expect-error a verdict that may not be paid has no terms
judged.terms.payTo;
`;

describe('the package', () => {
  it('exports what its documents name, and nothing of its inside', async () => {
    const { exports } = JSON.parse(readFileSync(join(place, 'node_modules/assay/package.json'), 'utf8'));
    const names = [...EXPORTS.map(([name]) => name), 'assay/guard/register', 'assay/package.json'];
    expect(Object.keys(exports).map((path) => path.replace('.', 'assay'))).toEqual(names);
    const { code, err } = await run(process.execPath, ['-e', "import('assay/dist/bundle/node/serve.js')"]);
    expect([code, err]).toEqual([1, expect.stringContaining('ERR_PACKAGE_PATH_NOT_EXPORTED')]);
  });

  it.each(['nodenext', 'bundler'])('has complete types for moduleResolution %s', async (resolution) => {
    writeFileSync(join(place, 'consumer.ts'), CONSUMER);
    const { code, out } = await run(process.execPath, [
      ...[
        projectFile('node_modules/typescript/bin/tsc'),
        'consumer.ts',
        '--ignoreConfig',
        '--noEmit',
        '--strict',
      ],
      ...['--target', 'es2022', '--lib', 'es2023', '--skipLibCheck', 'false', '--exactOptionalPropertyTypes'],
      ...['--module', resolution === 'bundler' ? 'esnext' : resolution, '--moduleResolution', resolution],
      ...['--types', 'node', '--typeRoots', projectFile('node_modules/@types')],
    ]);
    expect([code, out]).toEqual([0, '']);
  });

  it('is small, and so is what a checkout of the project installs', () => {
    expect(bytesIn(join(place, 'node_modules'))).toBeLessThan(120 * MEGABYTE);
    expect(bytesIn(projectFile('node_modules'))).toBeLessThan(400 * MEGABYTE);
  });

  it('has the messages of zod in one language', () => {
    const modules = join(place, 'node_modules/assay/dist/bundle/node');
    const texts = readdirSync(modules).map((name) => readFileSync(join(modules, name), 'utf8'));
    const languages = texts.flatMap((text) => [...text.matchAll(/zod\/v4\/locales\/(\w+)\.js/g)]);
    expect([...new Set(languages.map(([, language]) => language))]).toEqual(['en']);
  });

  it('brings the licences of what is in it', () => {
    const texts = readFileSync(
      join(place, 'node_modules/assay/dist/bundle/third-party-licenses.txt'),
      'utf8',
    );
    expect(texts).toMatch(/^zod \d.* \(MIT\)$/m);
    expect(texts).toMatch(/^@x402\/core \d.* \(Apache-2.0\)$/m);
  });

  it('has a guard that others may bundle into CommonJS', async () => {
    writeFileSync(
      join(place, 'bundled.mjs'),
      "import { guardFetch } from 'assay/guard'; console.log(guardFetch.name);",
    );
    await build({
      absWorkingDir: place,
      entryPoints: ['bundled.mjs'],
      outfile: 'bundled.cjs',
      bundle: true,
      platform: 'node',
      format: 'cjs',
      logLevel: 'error',
    });
    const { code, out, err } = await run(process.execPath, ['bundled.cjs']);
    expect([code, out, err]).toEqual([0, 'guardFetch\n', '']);
  });

  it('keeps the modules of Node out of what also runs in a browser', () => {
    for (const entry of ['rules', 'guard', 'guard-mcp']) {
      expect(loadedBy(`${entry}.js`).filter((name) => !name.startsWith('./'))).toEqual([]);
    }
  });
});

/** Every static import of a module of the bundle, and of those that it imports. */
function loadedBy(entry: string): string[] {
  const loaded = new Set([`./${entry}`]);
  for (const name of loaded) {
    if (!name.startsWith('./')) continue;
    const text = readFileSync(join(ASSAY, '..', name), 'utf8');
    for (const [, to = ''] of text.matchAll(/^(?:import|export|\})(?: .*)? ?(?:from )?"([^"]+)";$/gm))
      loaded.add(to);
  }
  return [...loaded];
}

describe.each(NODES)('the package on %s', (_, node) => {
  it.each(EXPORTS)('has %s', async (name, values) => {
    const { code, out, err } = await run(node, [
      '-p',
      `import('${name}').then((all) => console.log(...Object.keys(all)))`,
    ]);
    expect([code, err, out]).toEqual([0, '', expect.stringContaining(`${values}\n`)]);
  });

  it('guards a program that knows nothing of it', async () => {
    writeFileSync(
      join(place, 'policy.json'),
      JSON.stringify({ ledger: 'purchases.db', limits: { perPayment: '0.10', perDay: '5' } }),
    );
    const guarded = ['--import', 'assay/guard/register', '-p', 'fetch.name'];
    expect(await run(node, guarded)).toMatchObject({
      code: 1,
      err: expect.stringContaining('set ASSAY_GUARD'),
    });
    expect(await run(node, guarded, { ASSAY_GUARD: 'policy.json' })).toMatchObject({ code: 0 });
  });

  it('checks an endpoint by itself', async () => {
    const { code, out, err } = await run(node, [ASSAY, 'check', '--local', 'http://10.0.0.1/']);
    expect([code, err, out]).toEqual([1, '', expect.stringContaining('ssrf_blocked')]);
  });

  it('serves, and stops on SIGTERM', async () => {
    const { line, stop } = await started(node, ['serve'], 'stderr');
    const address = /http:\/\/127\.0\.0\.1:\d+/.exec(line)?.[0];
    expect((await fetch(`${address}/v1/lookup?task=web-search`)).status).toBe(200);
    expect((await fetch(`${address}/style.css`)).status).toBe(200);
    expect(await stop()).toBe(0);
  });
});

describe('the sandbox of the package', () => {
  it('says what to install, and then starts', async () => {
    const { code, out, err } = await run(process.execPath, [ASSAY, 'sandbox', '--port', '0']);
    expect([code, out, err]).toEqual([
      1,
      '',
      expect.stringMatching(/^.+ is not installed: npm install @nomicfoundation\/edr-\S+\n$/),
    ]);
    const [, command = ''] = /: npm (.+)\n$/.exec(err) ?? [];
    await npm(command.split(' '));
    for (const [, node] of NODES) {
      const { line, stop } = await started(node, ['sandbox', '--port', '0', '--json'], 'stdout');
      expect((await fetch(`${JSON.parse(line).base_url}/healthz`)).status).toBe(200);
      expect(await stop()).toBe(0);
    }
  });
});

/** A program that runs, with the line that names its address. */
async function started(node: string, words: readonly string[], output: 'stdout' | 'stderr') {
  const child = spawn(node, [ASSAY, ...words], {
    cwd: place,
    env: { PATH: process.env['PATH'], PORT: '0', DATA_DIR: mkdtempSync(join(folder, 'data-')) },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = once(child, 'exit');
  child[output === 'stdout' ? 'stderr' : 'stdout'].resume();
  const stop = async () => {
    child.kill('SIGTERM');
    return (await exited)[0];
  };
  // Not its first line: Node 22 warns of its own SQLite.
  for await (const line of createInterface({ input: child[output] })) {
    if (line.includes('http://')) return { line, stop };
  }
  throw new Error('it has named no address');
}
