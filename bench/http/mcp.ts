import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cpuMicros, runLoad } from '../../tools/http-load.ts';
import { median } from '../../tools/measure.ts';
import type { Report } from '../report/findings.ts';
import { freshCaller, type Server, startProgram, stopProgram } from '../report/program.ts';

/**
 * `tools/call lookup` of the installed program, with its quota and its store, beside a stock SDK 1.x stateless server that
 * sends the same answer without either. Both in this run, in turn.
 */
const STOCK = fileURLToPath(new URL('./stock-mcp-server.js', import.meta.url));
const ROUND_MS = Number(process.env['BENCH_ROUND_MS'] ?? 1_500);
const WARM_UP_MS = 3_000;
const ROUNDS = 7;
const CONNECTIONS = 32;
const BOUND = 3;

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

const request = () => `${HEAD}\r\nx-forwarded-for: ${freshCaller()}\r\n\r\n${BODY}`;

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

export async function benchMcp(): Promise<Report> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-bench-'));
  const program = await startProgram({ DATA_DIR: folder });
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
    const show = (rounds: typeof ours) =>
      `${median(rounds.map(({ perSecond }) => perSecond)).toFixed(0)}/s, ${median(rounds.map(({ cpu }) => cpu)).toFixed(0)} µs`;
    const finding = {
      what: 'tools/call lookup, SQLite',
      measured: show(ours),
      bare: show(theirs),
      ratio,
      bound: `>= ${BOUND}`,
      kept: ratio >= BOUND,
    };
    const about =
      'With its quota and its store, beside a stateless server of the stock SDK 1.x that sends the same answer without either.';
    return { about, findings: [finding] };
  } finally {
    await stopProgram(program);
    stock.child.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}
