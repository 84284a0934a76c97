import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { openSqlite } from '../../src/adapters/store/sqlite/open.ts';
import type { Store } from '../../src/adapters/store/store.ts';
import { buildTaskIndex } from '../../src/core/catalog/task-index.ts';
import { publicWeb } from '../../src/core/url/gate.ts';
import { publicAddresses } from '../../src/core/url/public-address.ts';
import { publishRun } from '../../src/flows/crawl/publish-run.ts';
import { hostRoutes } from '../../src/http/routes/hosts/host-routes.ts';
import type { CrawlRow } from '../../src/ports/crawl-runs.ts';
import { median } from '../../tools/measure.ts';
import { crawlRow } from '../../tools/samples/crawl-rows.ts';
import type { Finding, Report } from '../report/findings.ts';
import { cpuMsSince, exchangeOf, watchTurns } from './views.ts';

/**
 * A host and a payee in a run of 100,000 receipts beside one of 1,000, in the same run. Cold: nothing was rendered before. What
 * has as many endpoints among many as among few may take no longer; the largest host is counted up to a limit.
 */
const SMALL = 1_000;
const LARGE = Number(process.env['BENCH_RECEIPTS'] ?? 100_000);
const RATIO_MAX = 2;
/** A ratio of less than this says more about the machine. */
const NOISE_MS = 5;
/** The longest that anybody else may wait behind one of these. */
const TURN_MS_MAX = 100;
const ROUNDS = 9;
const NOW = new Date('2026-11-15T12:00:00.000Z');
/** Half of all endpoints are at one host and pay one payee; the others are ten to a host. */
const BIG = payee(0xb1);

function payee(n: number): string {
  return `0x${n.toString(16).padStart(40, '0')}`;
}

function receipt(n: number): CrawlRow {
  const shop = Math.floor(n / 20);
  const host = n % 2 === 0 ? 'big.example' : `s${shop}.example`;
  const payTo = n % 2 === 0 ? BIG : payee(0x1000 + shop);
  // Every tenth endpoint is listed with the big payee and pays its own.
  const listedPayTo = n % 10 === 1 ? BIG : payTo;
  const url = `https://${host}/v1/${n}/current?city=berlin`;
  return crawlRow(n, {
    url,
    payTo,
    listedPayTo,
    verdict: 'pay',
    code: 'price_ok',
    reason: 'matches listing',
  });
}

async function openSide(folder: string, count: number): Promise<Store> {
  const store = await openSqlite({ file: join(folder, `${count}.db`) });
  await store.runs.begin('run', NOW);
  for (let at = 0; at < count; at += 1_000) {
    await store.runs.add(
      'run',
      Array.from({ length: 1_000 }, (_, n) => receipt(at + n)),
    );
  }
  await publishRun(
    { id: 'run', crawledAt: NOW, sources: new Map() },
    { publishAnyway: true },
    {
      runs: store.runs,
      runLog: null,
    },
  );
  return store;
}

interface View {
  readonly path: '/hosts/:id' | '/v1/hosts/:id' | '/v1/payees/:id';
  readonly id: string;
  /** It has as many endpoints among many as among few. */
  readonly even: boolean;
}

const VIEWS: readonly View[] = [
  { path: '/v1/hosts/:id', id: 's7.example', even: true },
  { path: '/hosts/:id', id: 's7.example', even: true },
  { path: '/v1/payees/:id', id: payee(0x1007), even: true },
  { path: '/v1/hosts/:id', id: 'nowhere.example', even: true },
  { path: '/v1/payees/:id', id: payee(9), even: true },
  { path: '/v1/hosts/:id', id: 'big.example', even: false },
  { path: '/v1/payees/:id', id: BIG, even: false },
];

const POLICY = publicWeb({ addresses: publicAddresses([]), ownHosts: new Set() });

async function coldMs({ runs, sellers, paidCalls, corrections }: Store, { path, id }: View): Promise<number> {
  const rounds: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const latest = await runs.latest();
    const routes = hostRoutes({
      runs,
      now: () => NOW,
      catalog: { index: buildTaskIndex([]), facts: paidCalls },
      notes: { sellers, policy: POLICY },
      corrections,
      latestRun: async () => latest,
    });
    const before = process.cpuUsage();
    await routes[path]?.GET?.(exchangeOf(path, ''), id);
    rounds.push(cpuMsSince(before));
    await nextTurn();
  }
  return median(rounds);
}

async function compare(small: Store, large: Store, view: View): Promise<Finding> {
  const few = await coldMs(small, view);
  const longest = watchTurns();
  const many = await coldMs(large, view);
  const waited = longest();
  const ratio = many / few;
  return {
    what: `${view.path.replace(':id', '')}${view.id}`,
    measured: `${many.toFixed(1)} ms, longest turn ${waited.toFixed(0)} ms`,
    bare: `${few.toFixed(1)} ms`,
    ratio,
    bound: `${view.even ? `<= ${RATIO_MAX} or ${NOISE_MS} ms, ` : ''}turns <= ${TURN_MS_MAX} ms`,
    kept: waited <= TURN_MS_MAX && (!view.even || ratio <= RATIO_MAX || many <= NOISE_MS),
  };
}

export async function benchHostsScale(): Promise<Report> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-bench-'));
  try {
    const [small, large] = [await openSide(folder, SMALL), await openSide(folder, LARGE)];
    const findings: Finding[] = [];
    for (const view of VIEWS) findings.push(await compare(small, large, view));
    await Promise.all([small.close(), large.close()]);
    const about =
      `A host and a payee in a run of ${LARGE} receipts; bare is the same in one of ${SMALL}. Processor time until the body is ` +
      'there, nothing rendered before.';
    return { about, findings };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
