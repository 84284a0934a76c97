import { createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { sql } from 'kysely';
import { Client } from 'pg';
import { HISTORY } from '../../src/adapters/store/migrations/history.ts';
import { migrate } from '../../src/adapters/store/migrations/migrate.ts';
import { connectPostgres } from '../../src/adapters/store/postgres/open.ts';
import { type Connected, type Store, storeOn } from '../../src/adapters/store/store.ts';
import { newestPosition } from '../../src/core/receipt/cursor.ts';
import { liveReceiptId } from '../../src/core/receipt/receipt-id.ts';
import { median } from '../../tools/measure.ts';
import { aReceipt } from '../../tools/samples/store-receipts.ts';
import { startServer } from '../../tools/store-server.ts';
import type { Finding, Report } from '../report/findings.ts';
import { loadRows, loadWeeks, URLS } from './receipt-weeks-load.ts';
import { endOfWeeks, sizes, stepOf } from './receipt-weeks-sizes.ts';

/**
 * Ten million live receipts in partitions of 26 weeks, beside 100,000 in one table, as the release before partitions has
 * them. Bodies are those of a real receipt.
 */
const MANY = Number(process.env['BENCH_RECEIPTS'] ?? 10_000_000);
const FEW = 100_000;
const WEEKS = 26;
const ROUNDS = 9;
const CALLS = 200;
const RATIO_MAX = 2;
const STATEMENT_MS = 900_000;
const BEFORE_WEEKS = HISTORY.findIndex(({ name }) => name === 'receipt-weeks');

interface Side {
  readonly connected: Connected;
  readonly store: Store;
  readonly client: Client;
  /** How many rows there are. */
  readonly count: number;
  /** Those of the last week start here. */
  readonly recent: number;
}

async function openSide(url: string, schema: string, steps: number): Promise<Omit<Side, 'count' | 'recent'>> {
  const own = new URL(url);
  own.searchParams.set('options', `-c search_path=${schema}`);
  const client = new Client({ connectionString: own.href });
  // When a measurement fails, the server stops before its clients.
  client.on('error', () => {});
  await client.connect();
  await client.query(`create schema ${schema}`);
  const connected = connectPostgres({ url: own.href, poolSize: 1, statementTimeoutMs: STATEMENT_MS });
  await migrate(connected, HISTORY.slice(0, steps));
  const store = storeOn(connected);
  await store.receipts.add(aReceipt(), 'key');
  await client.query('create table model as select id, body, listed from live_receipts');
  await client.query('delete from live_receipts; delete from log_entries');
  return { connected, store, client };
}

/** The process of the server that its one connection has now. */
async function serverOf({ connected }: Side): Promise<number> {
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(connected.database);
  return rows[0]?.pid ?? 0;
}

/** On a processor, in microseconds. */
function cpuMicrosOf(pid: number): number {
  const [nanos = ''] = readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ', 1);
  return Number(nanos) / 1_000;
}

function idOf(n: number): string {
  return `sc-${createHash('md5').update(String(n)).digest('hex').slice(0, 16)}`;
}

function urlKeyOf(n: number): string {
  const hex = (text: string) => createHash('md5').update(text).digest('hex');
  return hex(`u${n % URLS}`) + hex(`k${n % URLS}`);
}

interface Work {
  readonly what: string;
  readonly run: (side: Side, call: number) => Promise<unknown>;
}

const LIVE = { type: 'live', ref: null } as const;
const spread = (call: number, from: number, to: number) => from + ((call * 7_919) % (to - from));

function addReceipt({ store }: Pick<Side, 'store'>, n: number): Promise<void> {
  const id = liveReceiptId(randomBytes(8));
  return store.receipts.add(aReceipt({ id, checkedAt: new Date() }), urlKeyOf(n));
}

const WORKS: readonly Work[] = [
  {
    what: 'a receipt is added, with its entry in the log',
    run: addReceipt,
  },
  {
    what: 'by id, of the last week',
    run: ({ store, recent, count }, call) => found(store.receipts.byId(idOf(spread(call, recent, count)))),
  },
  {
    what: 'by id, of any week',
    run: ({ store, count }, call) => found(store.receipts.byId(idOf(spread(call, 0, count)))),
  },
  {
    what: 'by id, unknown',
    run: ({ store }, call) => store.receipts.byId(idOf(-1 - call)),
  },
  { what: 'a page of 20', run: ({ store }) => store.receipts.page(LIVE, newestPosition(new Date()), 20) },
  {
    what: 'a page of 20 of one ref',
    run: ({ store }, call) =>
      store.receipts.page(
        { type: 'live', ref: `agent-${(call % 100) * 10}` },
        newestPosition(new Date()),
        20,
      ),
  },
  {
    what: 'the last of a URL',
    run: ({ store }, call) =>
      store.receipts.latestOf(urlKeyOf(call * 31), { mode: 'live', limit: 1, now: new Date() }),
  },
];

async function found(reading: Promise<unknown>): Promise<void> {
  if ((await reading) === null) throw new Error('a receipt that was loaded is not there');
}

interface Times {
  readonly wallMicros: number;
  readonly serverMicros: number;
}

async function round(work: Work, side: Side, first: number): Promise<Times> {
  const pid = await serverOf(side);
  const cpu = cpuMicrosOf(pid);
  const start = performance.now();
  for (let call = 0; call < CALLS; call += 1) await work.run(side, first + call);
  const wallMicros = ((performance.now() - start) * 1_000) / CALLS;
  return { wallMicros, serverMicros: (cpuMicrosOf(pid) - cpu) / CALLS };
}

async function compare(work: Work, few: Side, many: Side): Promise<Finding> {
  const times: { few: Times[]; many: Times[] } = { few: [], many: [] };
  for (let at = 0; at < ROUNDS; at += 1) {
    times.few.push(await round(work, few, at * CALLS));
    times.many.push(await round(work, many, at * CALLS));
  }
  const of = (all: readonly Times[]): Times => ({
    wallMicros: median(all.map(({ wallMicros }) => wallMicros)),
    serverMicros: median(all.map(({ serverMicros }) => serverMicros)),
  });
  const [small, large] = [of(times.few), of(times.many)];
  const show = ({ wallMicros, serverMicros }: Times) =>
    `${wallMicros.toFixed(0)} µs, PostgreSQL ${serverMicros.toFixed(0)} µs`;
  const ratio = large.wallMicros / small.wallMicros;
  return {
    what: work.what,
    measured: show(large),
    bare: show(small),
    ratio,
    bound: `<= ${RATIO_MAX}`,
    kept: ratio <= RATIO_MAX,
  };
}

export async function benchReceiptsScale(): Promise<Report> {
  const server = await startServer();
  try {
    const admin = new Client({ connectionString: server.url });
    await admin.connect();
    for (const setting of [
      "max_wal_size = '16GB'",
      "shared_buffers = '2GB'",
      "maintenance_work_mem = '512MB'",
      'wal_level = minimal',
      'max_wal_senders = 0',
    ])
      await admin.query(`alter system set ${setting}`);
    await admin.end();
    await server.power?.off();
    await server.power?.on();
    return await measure(server.url);
  } finally {
    await server.stop();
  }
}

async function measure(url: string): Promise<Report> {
  const few = await openSide(url, 'few', BEFORE_WEEKS);
  const many = await openSide(url, 'many', HISTORY.length);
  const now = Date.now();
  await loadRows(few.client, 'live_receipts', {
    ...{ from: new Date(now - 26 * 604_800_000), to: new Date(now) },
    ...{ first: 0, count: FEW },
  });
  await few.client.query('analyze live_receipts');
  const { from } = await loadWeeks(many.client, {
    weeks: WEEKS,
    count: MANY,
    onWeek: (done) => console.log(`week ${done} of ${WEEKS} is loaded`),
  });
  await many.store.receiptWeeks.prepare(new Date());
  const perWeek = Math.floor(MANY / WEEKS);
  const sides = {
    few: { ...few, count: FEW, recent: Math.floor(FEW * (1 - 1 / WEEKS)) },
    many: { ...many, count: perWeek * WEEKS, recent: perWeek * (WEEKS - 1) },
  };
  const findings: Finding[] = [];
  findings.push(...(await sizes(many.client, perWeek * WEEKS, (n) => addReceipt(many, n))));
  for (const work of WORKS) {
    findings.push(await compare(work, sides.few, sides.many));
    console.log(JSON.stringify(findings.at(-1)));
  }
  findings.push(await endOfWeeks(many.client, from, perWeek));
  const step = HISTORY[BEFORE_WEEKS];
  if (step !== undefined) findings.push(await stepOf(few.connected, step, FEW));
  for (const side of [few, many]) {
    await side.client.end();
    await side.store.close();
  }
  const about =
    `${MANY} live receipts in ${WEEKS} weekly partitions of PostgreSQL; bare is the same call on ${FEW} in one table, as before ` +
    'partitions. One connection, one call after another, medians of rounds that take turns; the time until the answer, and the ' +
    'processor time of the server. Nobody waits for a disk (fsync is off), and rows that are not in memory are read from it.';
  return { about, findings };
}
