import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openPostgres } from '../../src/adapters/store/postgres/open.ts';
import { openSqlite } from '../../src/adapters/store/sqlite/open.ts';
import type { Store } from '../../src/adapters/store/store.ts';
import { cpuMicros, openConnection } from '../../tools/http-load.ts';
import { median } from '../../tools/measure.ts';
import { projectFile } from '../../tools/project-file.ts';
import { startFlags } from '../../tools/start-flags.ts';
import { sampleReceipt } from '../../tools/store-rows.ts';
import { startServer } from '../../tools/store-server.ts';
import type { Finding, Report } from '../report/findings.ts';
import { freshCaller, requestTo } from '../report/program.ts';

/** Whole free checks over HTTP: cold, each of a URL of its own, and reused, all of one URL. */
const CHECKS = Number(process.env['BENCH_CHECKS'] ?? 700);
/** Until the code is compiled, the rounds say more about the compiler. */
const WARM_UP = { alone: 1_000, together: 3_000 } as const;
const AT_ONCE = 32;

export const CHECK_SERVICE = projectFile('bench/check/check-service.mjs');
export const CHECK_SELLER = fileURLToPath(new URL('./check-seller.js', import.meta.url));

const BOUNDS = { coldCpuMs: 1.5, reusedCpuMs: 0.7, perSecond: 600 } as const;

export interface Program {
  readonly child: ChildProcess;
  readonly port: number;
}

export async function start(program: string, env: Readonly<Record<string, string>> = {}): Promise<Program> {
  const child = fork(program, {
    execArgv: [...startFlags()],
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const [port] = await once(child, 'message');
  return { child, port: Number(port) };
}

const urls = { next: 0 };

export function coldUrl(): string {
  urls.next += 1;
  return `http://shop-${urls.next}.example.net/data`;
}

export function checkOf(url: string): string {
  return requestTo(`/v1/products/endpoint-spot-check?url=${encodeURIComponent(url)}`, freshCaller());
}

interface Measured {
  readonly medianMs: number;
  readonly p99Ms: number;
  readonly cpuMs: number;
  readonly perSecond: number;
}

/** Runs requests on some connections, each of which sends its next one when it has its answer. */
async function measure(
  { child, port }: Program,
  { count, connections, request, status }: Asked,
): Promise<Measured> {
  const open = await Promise.all(Array.from({ length: connections }, () => openConnection(port)));
  const times: number[] = [];
  const state = { left: count };
  const cpu = cpuMicros(child.pid ?? 0);
  const from = performance.now();
  await Promise.all(
    open.map(async (connection) => {
      while (state.left > 0) {
        state.left -= 1;
        const begun = performance.now();
        const answered = await connection.ask(request());
        if (answered !== status) throw new Error(`answered ${answered} instead of ${status}`);
        times.push(performance.now() - begun);
      }
    }),
  );
  const seconds = (performance.now() - from) / 1_000;
  for (const connection of open) connection.close();
  const sorted = times.toSorted((one, other) => one - other);
  return {
    medianMs: median(times),
    p99Ms: sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN,
    cpuMs: (cpuMicros(child.pid ?? 0) - cpu) / 1_000 / count,
    perSecond: count / seconds,
  };
}

interface Asked {
  readonly count: number;
  readonly connections: number;
  readonly status: number;
  request(): string;
}

/** What a check cannot do without: a use that is counted and a receipt that is stored, one after the other. */
async function twoCommits(store: Store): Promise<number> {
  const times: number[] = [];
  for (let n = 0; n < 200; n += 1) {
    const from = performance.now();
    await store.counters.reserve([{ key: `bench-${n}`, window: '2026-11-17', limit: 5 }]);
    await store.receipts.add(sampleReceipt(n), `bench-${n}`);
    times.push(performance.now() - from);
  }
  return median(times);
}

async function measureStore(
  name: string,
  seller: Program,
  open: () => Promise<Store>,
  settings: Readonly<Record<string, string>>,
): Promise<Finding[]> {
  const store = await open();
  const commitsMs = await twoCommits(store);
  await store.close();
  const service = await start(CHECK_SERVICE, {
    ...settings,
    BENCH_SELLER_PORT: String(seller.port),
    TRUSTED_PROXIES: '127.0.0.1',
    SECRET: 'the-secret-of-the-benchmark',
    LOG_LEVEL: 'info',
  });
  const cold = { status: 200, request: () => checkOf(coldUrl()) };
  const known = coldUrl();
  const reused = { status: 200, request: () => checkOf(known) };
  const bare = { status: 402, request: () => requestTo('/data') };
  try {
    for (const warm of [cold, reused]) {
      await measure(service, { ...warm, count: WARM_UP.together, connections: AT_ONCE });
      await measure(service, { ...warm, count: WARM_UP.alone, connections: 1 });
    }
    const alone = await measure(seller, { ...bare, count: CHECKS, connections: 1 });
    const rows = [
      { what: 'cold', bound: BOUNDS.coldCpuMs, asked: cold },
      { what: 'reused', bound: BOUNDS.reusedCpuMs, asked: reused },
    ];
    const findings: Finding[] = [];
    for (const { what, bound, asked } of rows) {
      const one = await measure(service, { ...asked, count: CHECKS, connections: 1 });
      const many = await measure(service, { ...asked, count: 4 * CHECKS, connections: AT_ONCE });
      findings.push(
        {
          what: `${what}, one at a time, ${name}`,
          measured: `${one.medianMs.toFixed(1)} ms (p99 ${one.p99Ms.toFixed(1)}), ${one.cpuMs.toFixed(2)} ms of processor`,
          bare: `${alone.medianMs.toFixed(1)} ms for the request, ${commitsMs.toFixed(1)} ms for two commits`,
          ratio: (alone.medianMs + commitsMs) / one.medianMs,
          bound: `<= ${bound} ms of processor`,
          kept: one.cpuMs <= bound,
        },
        {
          what: `${what}, ${AT_ONCE} at a time, ${name}`,
          measured: `${many.perSecond.toFixed(0)}/s (p99 ${many.p99Ms.toFixed(0)} ms), ${many.cpuMs.toFixed(2)} ms of processor`,
          bound: `>= ${BOUNDS.perSecond}/s`,
          kept: many.perSecond >= BOUNDS.perSecond,
        },
      );
    }
    return findings;
  } finally {
    service.child.kill();
  }
}

export async function benchCheck(): Promise<Report> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-bench-'));
  const seller = await start(CHECK_SELLER);
  try {
    const file = join(folder, 'assay.db');
    const findings = await measureStore('SQLite', seller, () => openSqlite({ file }), { DATA_DIR: folder });
    const { url, stop } = await startServer({ durable: true });
    const settings = { DATA_DIR: folder, DATABASE_URL: url };
    findings.push(
      ...(await measureStore('PostgreSQL', seller, () => openPostgres({ url }), settings).finally(stop)),
    );
    const about =
      `Whole free checks over HTTP, every one by a new caller, ${CHECKS} one at a time and ${4 * CHECKS} by ${AT_ONCE} connections. Bare is a ` +
      'request to the same seller and what two commits of the store take; the ratio is their sum by the time of a check.';
    return { about, findings };
  } finally {
    seller.child.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}
