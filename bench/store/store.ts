import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { migrate } from '../../src/adapters/store/migrations/migrate.ts';
import { connectPostgres } from '../../src/adapters/store/postgres/open.ts';
import { connectSqlite } from '../../src/adapters/store/sqlite/open.ts';
import { type Connected, type Store, storeOn } from '../../src/adapters/store/store.ts';
import { inParallel } from '../../tools/in-parallel.ts';
import { median } from '../../tools/measure.ts';
import { loadReceipts, sampleReceipt } from '../../tools/store-rows.ts';
import { startServer } from '../../tools/store-server.ts';
import type { Finding, Report } from '../report/findings.ts';

/** The hot operations of both stores among a million receipts; `bare` is a point read in plain SQL on the same handle. */
const RECEIPTS = Number(process.env['BENCH_RECEIPTS'] ?? 1_000_000);
const PARALLEL = 32;
const CALLS = 3_000;
const ROUNDS = 5;

type Operation = (store: Store, call: number) => Promise<unknown>;

const operations: [string, Operation][] = [
  ['quota update, two counters', (store, call) => store.counters.reserve(pairOf(call))],
  ['receipt insert', (store, call) => store.receipts.add(sampleReceipt(RECEIPTS + nextId(call)), 'bench')],
  ['receipt by id', (store, call) => store.receipts.byId(sampleReceipt((call * 7_919) % RECEIPTS).id)],
  [
    'newest-first page of 20',
    (store, call) => store.receipts.page({ type: 'live', ref: null }, positionOf(call), 20),
  ],
];

const ids = { next: 0 };
function nextId(_call: number): number {
  ids.next += 1;
  return ids.next;
}

function pairOf(call: number) {
  const window = '2026-11-15';
  return [
    { key: `caller-${call % 500}`, window, limit: 1_000_000 },
    { key: `address-${call % 50}`, window, limit: 1_000_000 },
  ];
}

function positionOf(call: number) {
  const { checkedAt, id } = sampleReceipt((call * 104_729) % RECEIPTS);
  return { checkedAt, id };
}

/** Microseconds per call with so many under way, the median of several rounds. */
async function microsPerCall(run: (call: number) => Promise<unknown>): Promise<number> {
  const rounds: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const start = process.hrtime.bigint();
    await inParallel(PARALLEL, Array(CALLS).keys(), (n) => run(round * CALLS + n + 1));
    rounds.push(Number(process.hrtime.bigint() - start) / 1_000 / CALLS);
  }
  return median(rounds);
}

async function measure(name: string, connected: Connected): Promise<Finding[]> {
  await migrate(connected);
  await loadReceipts(connected, RECEIPTS);
  const store = storeOn(connected);
  const bare = await microsPerCall((call) =>
    sql`select body from live_receipts where id = ${sampleReceipt((call * 7_919) % RECEIPTS).id}`.execute(
      connected.database,
    ),
  );
  const findings: Finding[] = [];
  for (const [operation, run] of operations) {
    const micros = await microsPerCall((call) => run(store, call));
    findings.push({
      what: `${name}: ${operation}`,
      measured: `${micros.toFixed(0)} µs`,
      bare: `${bare.toFixed(0)} µs`,
      ratio: micros / bare,
    });
  }
  await store.close();
  return findings;
}

export async function benchStore(): Promise<Report> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-bench-'));
  try {
    const sqlite = await measure('SQLite', await connectSqlite(join(folder, 'assay.db')));
    const { url, stop } = await startServer({ durable: true });
    const postgres = await measure(
      'PostgreSQL',
      connectPostgres({ url, statementTimeoutMs: 600_000 }),
    ).finally(stop);
    const about =
      `Wall time per call among ${RECEIPTS} receipts, ${PARALLEL} calls under way, client and server on the same cores; ` +
      'bare is a point read in plain SQL on the same handle.';
    return { about, findings: [...sqlite, ...postgres] };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
