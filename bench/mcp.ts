import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { cpuMicros, runLoad } from './load.ts';
import { median, printTable } from './measure.ts';

/**
 * `tools/call lookup` of the installed program, with its quota and its store, beside a stock SDK 1.x stateless server that
 * sends the same answer without either. Both in this run, in turn.
 */
const PROGRAM = fileURLToPath(new URL('../../dist/main/serve.js', import.meta.url));
const STOCK = fileURLToPath(new URL('./stock-mcp-server.js', import.meta.url));
const ROUND_MS = Number(process.env['BENCH_ROUND_MS'] ?? 1_500);
const WARM_UP_MS = 3_000;
const ROUNDS = 7;
const CONNECTIONS = 32;
const BOUND = 3;

interface Server {
  readonly child: ChildProcess;
  readonly port: number;
}

const CALL = {
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'lookup', arguments: { task: 'weather' } },
};
const BODY = JSON.stringify(CALL);
const HEAD = [
  'POST /mcp HTTP/1.1',
  'host: 127.0.0.1',
  'content-type: application/json',
  'accept: application/json, text/event-stream',
  'mcp-protocol-version: 2025-11-25',
  `content-length: ${BODY.length}`,
].join('\r\n');

/** Callers that never come back: every one has its free lookups. */
const callers = { next: 0 };
function request(): string {
  callers.next += 1;
  const n = callers.next;
  const address = `100.${64 + ((n >> 16) & 63)}.${(n >> 8) & 255}.${n & 255}`;
  return `${HEAD}\r\nx-forwarded-for: ${address}\r\n\r\n${BODY}`;
}

async function startProgram(dataDir: string): Promise<Server> {
  const child = spawn(process.execPath, [PROGRAM], {
    env: { PATH: process.env['PATH'], PORT: '0', TRUSTED_PROXIES: '127.0.0.1', DATA_DIR: dataDir },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const [line] = await once(createInterface({ input: child.stderr }), 'line');
  return { child, port: Number(/:(\d+)$/.exec(String(line))?.[1]) };
}

async function startStock({ port }: Server): Promise<Server> {
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`http://127.0.0.1:${port}/mcp`, { method: 'POST', headers, body: BODY });
  const { result } = (await answer.json()) as { result: { content: [{ text: string }] } };
  const child = fork(STOCK);
  child.send(result.content[0].text);
  const [its] = await once(child, 'message');
  return { child, port: Number(its) };
}

async function round({ child, port }: Server, ms: number) {
  const before = cpuMicros(child.pid ?? 0);
  const { answers, statuses } = await runLoad({ port, connections: CONNECTIONS, ms, request });
  if (statuses.size !== 1 || !statuses.has(200)) throw new Error(JSON.stringify([...statuses]));
  return { cpu: (cpuMicros(child.pid ?? 0) - before) / answers, perSecond: answers / (ms / 1_000) };
}

const folder = mkdtempSync(join(tmpdir(), 'assay-bench-'));
const program = await startProgram(folder);
const stock = await startStock(program);
try {
  for (const server of [program, stock]) await round(server, WARM_UP_MS);
  const ours: Awaited<ReturnType<typeof round>>[] = [];
  const theirs: typeof ours = [];
  for (let n = 0; n < ROUNDS; n += 1) {
    ours.push(await round(program, ROUND_MS));
    theirs.push(await round(stock, ROUND_MS));
  }
  const ratio = median(ours.map(({ perSecond }, n) => perSecond / (theirs[n]?.perSecond ?? Number.NaN)));
  const show = (rounds: typeof ours) => [
    median(rounds.map(({ cpu }) => cpu)).toFixed(0),
    median(rounds.map(({ perSecond }) => perSecond)).toFixed(0),
  ];
  printTable(
    ['tools/call lookup', 'µs', 'per second', 'ratio', 'bound'],
    [
      ['assay, SQLite', ...show(ours), ratio.toFixed(2), `>= ${BOUND}`],
      ['stock SDK 1.x', ...show(theirs), '', ''],
    ],
  );
  if (ratio < BOUND) process.exitCode = 1;
} finally {
  program.child.kill();
  stock.child.kill();
  rmSync(folder, { recursive: true, force: true });
}
