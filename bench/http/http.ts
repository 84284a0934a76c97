import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openPostgres } from '../../src/adapters/store/postgres/open.ts';
import { openSqlite } from '../../src/adapters/store/sqlite/open.ts';
import type { Store } from '../../src/adapters/store/store.ts';
import { cpuMicros, runLoad } from '../../tools/http-load.ts';
import { fillStore, RECEIPT_ID } from '../../tools/http-rows.ts';
import { median } from '../../tools/measure.ts';
import { projectFile } from '../../tools/project-file.ts';
import { startFlags } from '../../tools/start-flags.ts';
import { startServer } from '../../tools/store-server.ts';
import type { Finding, Report } from '../report/findings.ts';
import { requestTo, type Server, startProgram, stopProgram } from '../report/program.ts';

/**
 * The installed program beside a bare node:http server that sends the same bytes, both in this run. The ratio is of
 * processor time per request, which a noisy machine disturbs least; requests per second stand beside it.
 */
const CATALOG = projectFile('catalog/services.json');
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

const LOOKUP: Route = { name: 'lookup', path: '/v1/lookup?task=exchange-rate', bound: 0.4 };
const ROUTES: readonly Route[] = [
  LOOKUP,
  { name: 'receipt by id', path: `/v1/receipts/${RECEIPT_ID}`, bound: 0.6 },
  { name: 'skips.json', path: '/v1/skips.json', bound: 0.6 },
  { name: 'tasks', path: '/v1/tasks', bound: 0.6 },
];

async function startBare(program: Server, routes: readonly Route[]): Promise<Server> {
  const answers: Record<string, unknown> = {};
  for (const { path } of routes) {
    const response = await fetch(`http://127.0.0.1:${program.port}${path}`);
    if (response.status !== 200) throw new Error(`${path} answered ${response.status}`);
    const { date, connection, 'keep-alive': _, ...headers } = Object.fromEntries(response.headers);
    answers[path.split('?', 1).join('')] = { status: 200, headers, body: await response.text() };
  }
  const child = fork(BARE, { execArgv: [...startFlags()] });
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

async function compare(store: string, program: Server, routes: readonly Route[]): Promise<Finding[]> {
  const bare = await startBare(program, routes);
  const findings: Finding[] = [];
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
    const show = (rounds: readonly Round[]) =>
      `${median(rounds.map(({ cpuPerAnswer }) => cpuPerAnswer)).toFixed(0)} µs, ${median(rounds.map(({ perSecond }) => perSecond)).toFixed(0)}/s`;
    findings.push({
      what: `${name}, ${store}`,
      measured: show(ours),
      bare: show(limits),
      ratio,
      bound: `>= ${bound}`,
      kept: ratio >= bound,
    });
  }
  bare.child.kill();
  return findings;
}

async function measure(
  name: string,
  open: () => Promise<Store>,
  settings: Record<string, string>,
  routes: readonly Route[],
): Promise<Finding[]> {
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
    await stopProgram(program);
  }
}

const STARTS = 5;
const START_MAX_SECONDS = 1.2;

/** From the command to the first answer, on a store that is there already. */
async function startFinding(folder: string): Promise<Finding> {
  const seconds: number[] = [];
  for (let n = 0; n < STARTS; n += 1) {
    const from = performance.now();
    const program = await startProgram({ DATA_DIR: folder });
    const answer = await fetch(`http://127.0.0.1:${program.port}${LOOKUP.path}`);
    await answer.arrayBuffer();
    seconds.push((performance.now() - from) / 1_000);
    await stopProgram(program);
  }
  const measured = median(seconds);
  return {
    what: 'start of the program to its first answer',
    measured: `${measured.toFixed(2)} s`,
    bound: `<= ${START_MAX_SECONDS} s`,
    kept: measured <= START_MAX_SECONDS,
  };
}

export async function benchHttp(): Promise<Report> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-bench-'));
  try {
    const file = join(folder, 'assay.db');
    const wanted = process.env['BENCH_ROUTE'];
    const routes = wanted === undefined ? ROUTES : ROUTES.filter(({ name }) => name === wanted);
    const findings = await measure('SQLite', () => openSqlite({ file }), { DATA_DIR: folder }, routes);
    const { url, stop } = await startServer({ durable: true });
    const settings = { DATA_DIR: folder, DATABASE_URL: url };
    const bounded = [{ ...LOOKUP, bound: 0.3 }];
    findings.push(
      ...(await measure('PostgreSQL', () => openPostgres({ url }), settings, bounded).finally(stop)),
    );
    findings.push(await startFinding(folder));
    const about =
      `Processor time per request and requests a second, ${CONNECTIONS} connections; bare is a node:http server that sends the ` +
      `same bytes, and the ratio is bare by measured. Every lookup is by a new caller with its durable quota. Medians of ${ROUNDS}.`;
    return { about, findings };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
