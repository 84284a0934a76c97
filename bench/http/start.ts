import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { freePort } from '../../tools/free-port.ts';
import { median } from '../../tools/measure.ts';
import { projectFile } from '../../tools/project-file.ts';
import { startFlags } from '../../tools/start-flags.ts';
import type { Finding, Report } from '../report/findings.ts';
import { freshCaller } from '../report/program.ts';

const ROUNDS = 9;
const BOUND = 3;
const SERVE = projectFile('dist/bundle/node/serve.js');
const ASSAY = projectFile('dist/bundle/node/assay.js');
const LOOKUP = '/v1/lookup?task=web-search';
const BARE_SERVER = `
  require('node:http').createServer((_, response) => response.end('{}')).listen(process.env.PORT, '127.0.0.1');`;

/** From the start of a process to what its user waits for, beside a bare script that does the same. All in turn. */
export async function benchStart(): Promise<Report> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-bench-'));
  const seller = createServer((_, response) => {
    // Otherwise the bare script would stay for as long as it keeps the connection.
    response.writeHead(402, { connection: 'close' }).end('{}');
  }).listen(0, '127.0.0.1');
  await once(seller, 'listening');
  const at = seller.address();
  const port = typeof at === 'object' && at !== null ? at.port : 0;
  try {
    const used = join(folder, 'used');
    await firstAnswerMs([SERVE], used);
    const times: Record<'server' | 'fresh' | 'used' | 'fetch' | 'check', number[]> = {
      server: [],
      fresh: [],
      used: [],
      fetch: [],
      check: [],
    };
    for (let round = 0; round < ROUNDS; round += 1) {
      times.server.push(await firstAnswerMs(['-e', BARE_SERVER], folder));
      times.fresh.push(await firstAnswerMs([SERVE], join(folder, `fresh-${round}`)));
      times.used.push(await firstAnswerMs([SERVE], used));
      times.fetch.push(await runMs(['-e', `fetch('http://127.0.0.1:${port}/').then((r) => r.text())`]));
      times.check.push(await runMs([ASSAY, 'check', '--local', 'http://10.0.0.1/']));
    }
    return {
      about:
        'From the start of the process; bare is a node:http server, or one fetch, in the same run. The check is of an address that is refused without a request.',
      findings: [
        finding('the first lookup, a fresh folder', times.fresh, times.server),
        finding('the first lookup, a used folder', times.used, times.server),
        finding('assay check --local, to its end', times.check, times.fetch),
      ],
    };
  } finally {
    seller.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function finding(what: string, ours: readonly number[], bare: readonly number[]): Finding {
  const ratio = median(ours.map((ms, round) => ms / (bare[round] ?? Number.NaN)));
  const show = (times: readonly number[]) => `${median([...times]).toFixed(0)} ms`;
  return {
    what,
    measured: show(ours),
    bare: show(bare),
    ratio,
    bound: `<= ${BOUND}`,
    kept: ratio <= BOUND,
  };
}

async function firstAnswerMs(program: readonly string[], folder: string): Promise<number> {
  const port = await freePort();
  const start = performance.now();
  const child = started([...startFlags(), ...program], { PORT: String(port), DATA_DIR: folder });
  while ((await statusOf(port)) !== 200) await wait(2);
  const ms = performance.now() - start;
  const exited = once(child, 'exit');
  child.kill();
  await exited;
  return ms;
}

/** Null while nobody listens. */
function statusOf(port: number): Promise<number | null> {
  return new Promise((resolve) => {
    // A used folder has counted the calls of the others.
    const headers = { 'x-forwarded-for': freshCaller() };
    get({ host: '127.0.0.1', port, path: LOOKUP, headers, agent: false }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode ?? null));
    }).once('error', () => resolve(null));
  });
}

async function runMs(words: readonly string[]): Promise<number> {
  const start = performance.now();
  await once(started(words, {}), 'exit');
  return performance.now() - start;
}

function started(words: readonly string[], settings: Readonly<Record<string, string>>): ChildProcess {
  return spawn(process.execPath, [...words], {
    env: { PATH: process.env['PATH'], LOG_LEVEL: 'error', TRUSTED_PROXIES: '127.0.0.1', ...settings },
    stdio: 'ignore',
  });
}
