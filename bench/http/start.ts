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
const LISTEN = ".listen(process.env.PORT, '127.0.0.1')";
/** Answers with what it fetched from the seller: the least that a service like this one does for an answer. */
const BARE_SERVICE = `
  require('node:http').createServer(async (_, response) => {
    const answer = await fetch(process.env.SELLER);
    response.end(await answer.text());
  })${LISTEN};`;
/** Fetches nothing, and does not load what fetching takes. */
const BARE_SERVER = `require('node:http').createServer((_, response) => response.end('{}'))${LISTEN};`;

/** From the start of a process to what its user waits for, beside a bare script with one fetch. All in turn. */
export async function benchStart(): Promise<Report> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-bench-'));
  const seller = createServer((_, response) => {
    // Otherwise the bare script would stay for as long as it keeps the connection.
    response.writeHead(402, { connection: 'close' }).end('{}');
  }).listen(0, '127.0.0.1');
  await once(seller, 'listening');
  const at = seller.address();
  const sellerUrl = `http://127.0.0.1:${typeof at === 'object' && at !== null ? at.port : 0}/`;
  try {
    const used = join(folder, 'used');
    await firstAnswerMs([SERVE], used);
    const times: Record<'service' | 'server' | 'fresh' | 'used' | 'fetch' | 'check', number[]> = {
      service: [],
      server: [],
      fresh: [],
      used: [],
      fetch: [],
      check: [],
    };
    for (let round = 0; round < ROUNDS; round += 1) {
      times.service.push(await firstAnswerMs(['-e', BARE_SERVICE], folder, sellerUrl));
      times.server.push(await firstAnswerMs(['-e', BARE_SERVER], folder));
      times.fresh.push(await firstAnswerMs([SERVE], join(folder, `fresh-${round}`)));
      times.used.push(await firstAnswerMs([SERVE], used));
      times.fetch.push(await runMs(['-e', `fetch('${sellerUrl}').then((r) => r.text())`]));
      times.check.push(await runMs([ASSAY, 'check', '--local', 'http://10.0.0.1/']));
    }
    return {
      about:
        'From the start of the process; bare is a script that does the same with one fetch, in the same run: a node:http server that fetches for its first answer, or the fetch alone. The check is of an address that is refused without a request. The last row is what a server costs that fetches nothing; it has no bound.',
      findings: [
        finding('the first lookup, a fresh folder', times.fresh, times.service, BOUND),
        finding('the first lookup, a used folder', times.used, times.service, BOUND),
        finding('assay check --local, to its end', times.check, times.fetch, BOUND),
        finding('the first lookup, a used folder; bare fetches nothing', times.used, times.server),
      ],
    };
  } finally {
    seller.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function finding(what: string, ours: readonly number[], bare: readonly number[], bound?: number): Finding {
  const ratio = median(ours.map((ms, round) => ms / (bare[round] ?? Number.NaN)));
  const show = (times: readonly number[]) => `${median([...times]).toFixed(0)} ms`;
  return {
    what,
    measured: show(ours),
    bare: show(bare),
    ratio,
    ...(bound === undefined ? {} : { bound: `<= ${bound}`, kept: ratio <= bound }),
  };
}

async function firstAnswerMs(program: readonly string[], folder: string, seller = ''): Promise<number> {
  const port = await freePort();
  const start = performance.now();
  const child = started([...startFlags(), ...program], {
    PORT: String(port),
    DATA_DIR: folder,
    SELLER: seller,
  });
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
