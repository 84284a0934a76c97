import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { openPostgres } from '../src/adapters/store/open-postgres.ts';
import { openSqlite } from '../src/adapters/store/open-sqlite.ts';
import type { Store } from '../src/adapters/store/store.ts';
import { startServer } from '../test/support/store-server.ts';
import { fillStore, RECEIPT_ID } from './http-rows.ts';
import { cpuMicros, runLoad } from './load.ts';
import { median, printTable } from './measure.ts';

/**
 * The installed program beside a bare node:http server that sends the same bytes, both in this run. The ratio is of
 * processor time per request, which a noisy machine disturbs least; requests per second stand beside it.
 */
const PROGRAM = fileURLToPath(new URL('../../dist/main/serve.js', import.meta.url));
const CATALOG = new URL('../../catalog/services.json', import.meta.url);
const BARE = fileURLToPath(new URL('./bare-server.js', import.meta.url));
const ROUND_MS = Number(process.env['BENCH_ROUND_MS'] ?? 1_500);
const WARM_UP_MS = 3_000;
const ROUNDS = 7;
const CONNECTIONS = 32;

interface Route {
  readonly name: string;
  readonly path: string;
  readonly bound: number;
}

const LOOKUP: Route = { name: 'lookup', path: '/v1/lookup?task=exchange-rate', bound: 0.65 };
const ROUTES: readonly Route[] = [
  LOOKUP,
  { name: 'receipt by id', path: `/v1/receipts/${RECEIPT_ID}`, bound: 0.6 },
  { name: 'skips.json', path: '/v1/skips.json', bound: 0.8 },
  { name: 'tasks', path: '/v1/tasks', bound: 0.8 },
];

interface Server {
  readonly child: ChildProcess;
  readonly port: number;
}

/** Callers that never come back: every one has its free lookups. */
const callers = { next: 0 };
function requestTo(path: string): string {
  callers.next += 1;
  const n = callers.next;
  const address = `100.${64 + ((n >> 16) & 63)}.${(n >> 8) & 255}.${n & 255}`;
  return `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nx-forwarded-for: ${address}\r\n\r\n`;
}

async function startProgram(settings: Record<string, string>): Promise<Server> {
  const child = spawn(process.execPath, [PROGRAM], {
    env: {
      PATH: process.env['PATH'],
      PORT: '0',
      TRUSTED_PROXIES: '127.0.0.1',
      SECRET: 'the-secret-of-the-benchmark',
      PAY_TO: '0x1111111111111111111111111111111111111111',
      ...settings,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const [line] = await once(createInterface({ input: child.stderr }), 'line');
  return { child, port: Number(/:(\d+)$/.exec(String(line))?.[1]) };
}

async function startBare(program: Server, routes: readonly Route[]): Promise<Server> {
  const answers: Record<string, unknown> = {};
  for (const { path } of routes) {
    const response = await fetch(`http://127.0.0.1:${program.port}${path}`);
    if (response.status !== 200) throw new Error(`${path} answered ${response.status}`);
    const { date, connection, 'keep-alive': _, ...headers } = Object.fromEntries(response.headers);
    answers[path.split('?', 1).join('')] = { status: 200, headers, body: await response.text() };
  }
  const child = fork(BARE);
  child.send(answers);
  const [port] = await once(child, 'message');
  return { child, port: Number(port) };
}

interface Round {
  readonly cpuPerAnswer: number;
  readonly perSecond: number;
}

async function round({ child, port }: Server, path: string, ms = ROUND_MS): Promise<Round> {
  const pid = child.pid ?? 0;
  const before = cpuMicros(pid);
  const request = () => requestTo(path);
  const { answers, statuses } = await runLoad({ port, connections: CONNECTIONS, ms, request });
  if (statuses.size !== 1 || !statuses.has(200)) throw new Error(`${path}: ${JSON.stringify([...statuses])}`);
  return { cpuPerAnswer: (cpuMicros(pid) - before) / answers, perSecond: answers / (ms / 1_000) };
}

async function compare(store: string, program: Server, routes: readonly Route[]): Promise<string[][]> {
  const bare = await startBare(program, routes);
  const rows: string[][] = [];
  for (const { name, path, bound } of routes) {
    // Until the code is compiled, the rounds say more about the compiler.
    for (const server of [program, bare]) await round(server, path, WARM_UP_MS);
    const ours: Round[] = [];
    const limits: Round[] = [];
    for (let n = 0; n < ROUNDS; n += 1) {
      ours.push(await round(program, path));
      limits.push(await round(bare, path));
    }
    const ratio = median(ours.map(({ cpuPerAnswer }, n) => (limits[n]?.cpuPerAnswer ?? 0) / cpuPerAnswer));
    const cpu = (rounds: Round[]) => median(rounds.map(({ cpuPerAnswer }) => cpuPerAnswer)).toFixed(0);
    const rate = (rounds: Round[]) => median(rounds.map(({ perSecond }) => perSecond)).toFixed(0);
    rows.push([
      store,
      name,
      cpu(ours),
      cpu(limits),
      ratio.toFixed(2),
      `>= ${bound}`,
      rate(ours),
      rate(limits),
    ]);
    if (ratio < bound) process.exitCode = 1;
  }
  bare.child.kill();
  return rows;
}

async function measure(
  name: string,
  open: () => Promise<Store>,
  settings: Record<string, string>,
  routes: readonly Route[],
): Promise<string[][]> {
  const store = await open();
  // Our own file, read by the program itself at start-up.
  const services = JSON.parse(readFileSync(CATALOG, 'utf8')) as { id: string }[];
  await fillStore(
    store,
    services.map(({ id }) => id),
  );
  await store.close();
  const program = await startProgram(settings);
  try {
    return await compare(name, program, routes);
  } finally {
    program.child.kill();
  }
}

const folder = mkdtempSync(join(tmpdir(), 'assay-bench-'));
try {
  const file = join(folder, 'assay.db');
  const wanted = process.env['BENCH_ROUTE'];
  const routes = wanted === undefined ? ROUTES : ROUTES.filter(({ name }) => name === wanted);
  const rows = await measure('SQLite', () => openSqlite({ file }), { DATA_DIR: folder }, routes);
  const { url, stop } = await startServer({ durable: true });
  const postgres = measure(
    'PostgreSQL',
    () => openPostgres({ url }),
    { DATA_DIR: folder, DATABASE_URL: url },
    [{ ...LOOKUP, bound: 0.3 }],
  ).finally(stop);
  rows.push(...(await postgres));
  printTable(['store', 'route', 'µs', 'bare µs', 'ratio', 'bound', 'per second', 'bare per second'], rows);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
