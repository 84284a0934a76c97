import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileLogMark } from '../../src/adapters/log/log-mark.ts';
import { openSqlite } from '../../src/adapters/store/sqlite/open.ts';
import type { Store } from '../../src/adapters/store/store.ts';
import type { LiveReceipt } from '../../src/core/receipt/live-receipt.ts';
import { statementOfCrawl } from '../../src/core/statement/stated-crawl.ts';
import { createLogKeeper, type LogKeeper } from '../../src/flows/log/keep-log.ts';
import { createRunLog } from '../../src/flows/log/log-run.ts';
import { createPromiseReceipt } from '../../src/flows/log/promise-receipt.ts';
import { logKeysOf } from '../../src/main/build/log-keys.ts';
import { inParallel } from '../../tools/in-parallel.ts';
import { median } from '../../tools/measure.ts';
import { aRun, crawlId, statedRow } from '../../tools/samples/crawl-rows.ts';
import { sampleReceipt } from '../../tools/store-rows.ts';
import type { Finding, Report } from '../report/findings.ts';

/** What the transparency log costs: a run of a million receipts, and a check. On SQLite. */
const RUN = 1_000_000;
const STEP = 1_000;
const CHECKS = 3_000;
const ROUNDS = 5;
const AT_ONCE = 32;
const BOUNDS = { runSeconds: 60, runMegabytes: 150, checkMicros: 300 } as const;

const keys = logKeysOf({ key: null, oldKey: null }, 'the-secret-of-the-benchmark');

function keeperOf({ transparencyLog: log }: Store, folder: string): LogKeeper {
  const stopwatch = () => performance.now();
  const ports = { ...keys, log, mark: fileLogMark(folder), stopwatch, publish: null };
  return createLogKeeper({ ...ports, origin: 'assay.example/log', isOriginSet: false });
}

/** Statements as the crawl stores them, each with an id of its own. */
function* statementsOf(count: number): Generator<readonly string[]> {
  const [model, modelId] = [statementOfCrawl(statedRow(1).receipt), crawlId(1)];
  if (model === null || !model.includes(modelId)) throw new Error('the sample has a statement');
  for (let from = 0; from < count; from += STEP)
    yield Array.from({ length: STEP }, (_, at) => model.replace(modelId, crawlId(from + at)));
}

async function hashRun(store: Store, folder: string): Promise<Finding[]> {
  const keeper = keeperOf(store, folder);
  const tree = await createRunLog({ ...keys, log: store.transparencyLog, keeper }).begin('run-1');
  if (tree === null) throw new Error('the log should be open');
  const before = process.memoryUsage().rss;
  const [cpu, from] = [process.cpuUsage(), performance.now()];
  for (const statements of statementsOf(RUN)) await tree.add(statements);
  const logged = await tree.finish(aRun('run-1'));
  const seconds = (performance.now() - from) / 1_000;
  if (logged?.head.size !== RUN) throw new Error('the tree should have every receipt');
  const { user, system } = process.cpuUsage(cpu);
  const megabytes = (process.resourceUsage().maxRSS * 1_024 - before) / 1e6;
  return [
    {
      what: 'a run is hashed, and its tiles are stored',
      measured: `${seconds.toFixed(1)} s, ${((user + system) / 1e6).toFixed(1)} s of processor`,
      bound: `<= ${BOUNDS.runSeconds} s`,
      kept: seconds <= BOUNDS.runSeconds,
    },
    {
      what: 'memory that it adds',
      measured: `${megabytes.toFixed(0)} MB`,
      bound: `<= ${BOUNDS.runMegabytes} MB`,
      kept: megabytes <= BOUNDS.runMegabytes,
    },
  ];
}

/** Microseconds of processor for each, the median of several rounds. */
async function microsOf(work: (n: number) => Promise<unknown> | unknown): Promise<number> {
  const rounds: number[] = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const cpu = process.cpuUsage();
    await inParallel(AT_ONCE, Array(CHECKS).keys(), (n) => work(round * CHECKS + n + 1));
    const { user, system } = process.cpuUsage(cpu);
    // In the first round the code is compiled.
    if (round > 0) rounds.push((user + system) / CHECKS);
  }
  return median(rounds);
}

/** As an older release stored it: without statement, and so without an entry. */
function withoutEntry(n: number): LiveReceipt {
  return { ...sampleReceipt(50_000_000 + n), seen: null, salt: null };
}

async function costOfCheck(store: Store, folder: string): Promise<Finding[]> {
  const keeper = keeperOf(store, folder);
  await keeper.open();
  const promise = createPromiseReceipt(keeper, () => new Date());
  const bare = await microsOf((n) => store.receipts.add(withoutEntry(n), `older-${n}`));
  const stored = await microsOf((n) => store.receipts.add(sampleReceipt(n), `bench-${n}`));
  const promised = await microsOf((n) => promise(sampleReceipt(n)));
  const waiting = (await store.transparencyLog.backlog()).entries;
  const cpu = process.cpuUsage();
  await keeper.round();
  const { user, system } = process.cpuUsage(cpu);
  const placed = (user + system) / waiting;
  const all = Math.max(0, stored - bare) + promised + placed;
  const micros = (value: number) => `${value.toFixed(0)} µs`;
  return [
    {
      what: 'a receipt is stored with its entry; bare is one without',
      measured: micros(stored),
      bare: micros(bare),
    },
    { what: 'its promise is hashed and signed', measured: micros(promised) },
    { what: 'its entry gets its place, 512 in a round', measured: micros(placed) },
    {
      what: 'all that the log adds to a check',
      measured: `${micros(all)} of processor`,
      bound: `<= ${BOUNDS.checkMicros} µs`,
      kept: all <= BOUNDS.checkMicros,
    },
  ];
}

export async function benchLog(): Promise<Report> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-bench-'));
  try {
    const store = await openSqlite({ file: join(folder, 'assay.db') });
    const findings = [...(await hashRun(store, folder)), ...(await costOfCheck(store, folder))];
    await store.close();
    const about =
      `The log on SQLite: a run of ${RUN} receipts from its statements to its stored tree, and processor time of a check, ` +
      `${CHECKS} receipts by ${AT_ONCE} callers, the median of ${ROUNDS} rounds.`;
    return { about, findings };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
