import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import {
  type Comparison,
  compareBaseline,
  readBaseline,
  type Scenario,
} from './conformance/compare-baseline.ts';

/** The public suite twice: its last stable version, and the line that knows 2026-07-28. Both need a newer Node than we do. */
const PACKAGES = {
  'suite-0.1': { name: '@modelcontextprotocol/conformance', version: '0.1.16' },
  'suite-0.2': { name: '@modelcontextprotocol/conformance', version: '0.2.0-alpha.12' },
} as const;
const NODE = { name: `node-linux-${process.arch}`, version: '24.21.0' };
const NODE_MAJOR_MIN = 22;

interface Run {
  readonly suite: keyof typeof PACKAGES;
  readonly options: readonly string[];
  readonly baseline: string;
}

const RUNS: readonly Run[] = [
  { suite: 'suite-0.1', options: [], baseline: 'baseline-2025.yml' },
  { suite: 'suite-0.2', options: ['--spec-version', '2025-11-25'], baseline: 'baseline-2025.yml' },
  { suite: 'suite-0.2', options: ['--spec-version', '2026-07-28'], baseline: 'baseline-2026.yml' },
];

const INSTALL_MS = 300_000;
const START_MS = 30_000;
const RUN_MS = 180_000;

const manifest = z.object({ version: z.string() });
const checks = z.array(z.object({ id: z.string(), status: z.string() }));

/** Runs both against the built service on loopback; succeeds when what fails is exactly what the baselines say. */
async function main(): Promise<boolean> {
  const { values } = parseArgs({
    options: { cache: { type: 'string', default: 'node_modules/.cache/conformance' } },
  });
  const cache = resolve(values.cache);
  await install(cache);
  const folder = mkdtempSync(join(tmpdir(), 'assay-conformance-'));
  const service = await startService(folder);
  try {
    let good = true;
    for (const run of RUNS)
      good = (await conforms(run, { cache, folder, url: `${service.address}/mcp` })) && good;
    return good;
  } finally {
    await service.stop();
    rmSync(folder, { recursive: true });
  }
}

/** Into a folder of their own: the suite and what it stands on are no dependencies of ours. */
async function install(cache: string): Promise<void> {
  mkdirSync(cache, { recursive: true });
  const wanted = [...Object.entries(PACKAGES), ...(isNewEnough() ? [] : [['node', NODE] as const])];
  const missing = wanted.filter(([alias, { version }]) => installedVersion(cache, alias) !== version);
  if (missing.length === 0) return;
  const specs = wanted.map(([alias, { name, version }]) => `${alias}@npm:${name}@${version}`);
  const options = ['--prefix', cache, '--ignore-scripts', '--engine-strict=false', '--no-package-lock'];
  const { code, output } = await finished('npm', ['install', ...options, ...specs], INSTALL_MS);
  if (code !== 0) throw new Error(`npm could not install the suite\n${output}`);
}

function isNewEnough(): boolean {
  return Number(process.versions.node.split('.')[0]) >= NODE_MAJOR_MIN;
}

function installedVersion(cache: string, alias: string): string | null {
  const file = join(cache, 'node_modules', alias, 'package.json');
  return existsSync(file) ? manifest.parse(JSON.parse(readFileSync(file, 'utf8'))).version : null;
}

async function startService(folder: string) {
  const settings = { HOST: '127.0.0.1', PORT: '0', DATA_DIR: join(folder, 'data'), LOG_LEVEL: 'silent' };
  const child = spawn(process.execPath, ['dist/bundle/node/serve.js'], {
    env: settings,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const exited = new Promise<void>((done) => child.once('exit', () => done()));
  const stop = async () => {
    child.kill('SIGTERM');
    await exited;
  };
  const late = setTimeout(() => child.kill('SIGKILL'), START_MS);
  for await (const line of createInterface({ input: child.stderr })) {
    const address = /http:\/\/127\.0\.0\.1:\d+$/.exec(line)?.[0];
    if (address === undefined) continue;
    clearTimeout(late);
    child.stderr.resume();
    return { address, stop };
  }
  clearTimeout(late);
  throw new Error('the service did not start');
}

interface Place {
  readonly cache: string;
  readonly folder: string;
  readonly url: string;
}

async function conforms({ suite, options, baseline }: Run, { cache, folder, url }: Place): Promise<boolean> {
  const modules = join(cache, 'node_modules');
  const title = [PACKAGES[suite].version, ...options].join(' ');
  const results = join(folder, title);
  const program = isNewEnough() ? process.execPath : join(modules, 'node/bin/node');
  const words = ['server', '--url', url, '--suite', 'all', ...options, '--output-dir', results];
  const { output } = await finished(program, [join(modules, suite, 'dist/index.js'), ...words], RUN_MS);
  // What was found is in files; this only says that it came to its end.
  if (!/^Total: \d+ passed, \d+ failed/m.test(output)) throw new Error(`${suite} did not finish\n${output}`);
  const scenarios = readdirSync(results).map((name) => readScenario(results, name));
  const comparison = compareBaseline(
    scenarios,
    readBaseline(readFileSync(`test/conformance/${baseline}`, 'utf8')),
  );
  process.stdout.write(reportOf(title, scenarios.length, comparison));
  return comparison.unexpected.length === 0 && comparison.stale.length === 0;
}

/** A folder is named after its scenario and the moment it ran. */
function readScenario(results: string, folder: string): Scenario {
  const name = /^server-(.+)-\d{4}-\d\d-\d\dT[0-9-]+Z$/.exec(folder)?.[1];
  if (name === undefined) throw new Error(`no scenario is called ${folder}`);
  return {
    name,
    checks: checks.parse(JSON.parse(readFileSync(join(results, folder, 'checks.json'), 'utf8'))),
  };
}

function reportOf(title: string, scenarios: number, found: Comparison): string {
  const { passed, expected, unexpected, stale } = found;
  const lines = [
    `${title}: ${scenarios} scenarios, ${passed} checks passed, ${expected.length} fail as the baseline says`,
    ...unexpected.map((entry) => `  fails, and the baseline does not say so: ${entry}`),
    ...stale.map((entry) => `  does not fail, though the baseline says so: ${entry}`),
  ];
  return `${lines.join('\n')}\n`;
}

async function finished(program: string, words: readonly string[], timeoutMs: number) {
  const child = spawn(program, words, { stdio: ['ignore', 'pipe', 'pipe'], timeout: timeoutMs });
  const exited = new Promise<number | null>((done, fail) => {
    child.once('error', fail);
    child.once('close', (code) => done(code));
  });
  const [code, said, complained] = await Promise.all([exited, text(child.stdout), text(child.stderr)]);
  return { code, output: said + complained };
}

process.exitCode = (await main()) ? 0 : 1;
