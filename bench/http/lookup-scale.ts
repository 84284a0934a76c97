import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encodeCheck, encodePaidCall } from '../../src/adapters/store/catalog/service-facts-codec.ts';
import { migrate } from '../../src/adapters/store/migrations/migrate.ts';
import { connectSqlite } from '../../src/adapters/store/sqlite/open.ts';
import { type Connected, type Store, storeOn } from '../../src/adapters/store/store.ts';
import type { Service } from '../../src/core/catalog/read-catalog.ts';
import { buildTaskIndex } from '../../src/core/catalog/task-index.ts';
import { type Catalog, type LookUp, lookUpServices } from '../../src/flows/lookup/look-up-services.ts';
import { median } from '../../tools/measure.ts';
import { aCall, aService } from '../../tools/samples/catalog.ts';
import type { Finding, Report } from '../report/findings.ts';

/**
 * A lookup among 10,000 services with 20 receipts each beside one among 20, in the same run. Each finds 20 services or
 * one or none: what else is in the catalog must not matter.
 */
const SMALL = 20;
const LARGE = Number(process.env['BENCH_SERVICES'] ?? 10_000);
const SERVICES_PER_TASK = 20;
const RECEIPTS = 20;
const RATIO_MAX = 2;
const WARM_UPS = 3;
const ROUNDS = 15;
const CALLS = 40;
const NOW = new Date('2026-11-15T12:00:00.000Z');

interface Side {
  readonly store: Store;
  readonly catalog: Catalog;
  readonly tasks: number;
}

const groupOf = (task: number) => `group${String(task).padStart(5, '0')}`;

function services(count: number): Service[] {
  return Array.from({ length: count }, (_, n) => {
    const task = Math.floor(n / SERVICES_PER_TASK);
    return aService({
      id: `service-${n}`,
      name: `Service ${n}`,
      description: `Current readings of ${groupOf(task)} for a pair of coordinates, as instruments report them.`,
      endpoint: `https://api-${n}.example.com/v1/now`,
      price_usd: `0.0${1 + (n % 9)}`,
      tasks: [`readings-${task}`],
    });
  });
}

async function openSide(folder: string, count: number): Promise<Side> {
  const connected = await connectSqlite(join(folder, `${count}.db`));
  await migrate(connected);
  const known = services(count);
  await fill(
    connected,
    known.map(({ id }) => id),
  );
  const store = storeOn(connected);
  const catalog = { index: buildTaskIndex(known), facts: store.paidCalls };
  return { store, catalog, tasks: Math.ceil(count / SERVICES_PER_TASK) };
}

const ROWS_AT_ONCE = 500;

/** In the order of time, as a year of calls comes in: the receipts of one service lie far apart. */
async function fill({ writes }: Connected, ids: readonly string[]): Promise<void> {
  const rows = Array.from({ length: RECEIPTS * ids.length }, (_, index) => {
    const at = NOW.getTime() - (RECEIPTS * ids.length - index) * 1_000;
    const serviceId = ids[index % ids.length] ?? '';
    const call = aCall({ calledAt: new Date(at), quality: index % 5 === 0 ? 'fail' : 'pass' });
    return {
      id: `call-${index}`,
      service_id: serviceId,
      begun_at: at,
      amount: 10_000,
      pay_to: call.payTo ?? '',
      open_since: null,
      called_at: at,
      body: encodePaidCall(call),
      evidence: JSON.stringify({ bodySha256: null, body: 'x'.repeat(400) }),
    };
  });
  const check = encodeCheck({
    checkedAt: NOW,
    reachable: true,
    x402Challenge: true,
    quotedPrice: null,
    priceMatchesListing: null,
  });
  const checks = ids.map((id) => ({ service_id: id, checked_at: NOW.getTime(), body: check }));
  await writes.unit(async (queries) => {
    for (let at = 0; at < rows.length; at += ROWS_AT_ONCE)
      await queries
        .insertInto('paid_calls')
        .values(rows.slice(at, at + ROWS_AT_ONCE))
        .execute();
    for (let at = 0; at < checks.length; at += ROWS_AT_ONCE)
      await queries
        .insertInto('service_checks')
        .values(checks.slice(at, at + ROWS_AT_ONCE))
        .execute();
  });
}

interface Question {
  readonly what: string;
  /** How many services it finds. */
  readonly found: number;
  readonly ask: (task: number) => Partial<LookUp>;
  /** What it is measured against among few; itself when left out. */
  readonly beside?: Question;
}

const BY_TASK: Question = {
  what: 'task',
  found: SERVICES_PER_TASK,
  ask: (task) => ({ task: `readings-${task}` }),
};

const QUESTIONS: readonly Question[] = [
  BY_TASK,
  {
    what: 'task in other words',
    found: SERVICES_PER_TASK,
    ask: (task) => ({ task: `coordinates-${groupOf(task)}` }),
  },
  { what: 'service id', found: 1, ask: (task) => ({ endpoint: `service-${task * SERVICES_PER_TASK}` }) },
  {
    what: 'endpoint URL',
    found: 1,
    ask: (task) => ({ endpoint: `https://api-${task * SERVICES_PER_TASK}.example.com/v1/now` }),
  },
  // It reads no receipt at all, so among few it costs next to nothing.
  {
    what: 'task that nobody has, beside one by task',
    found: 0,
    ask: (task) => ({ task: `raedings-${task}` }),
    beside: BY_TASK,
  },
];

/**
 * Processor time, which a noisy machine disturbs least; with another task in every call, because a lookup that was just
 * made is cheap in any store.
 */
async function microsOf({ catalog, tasks }: Side, question: Question, round: number): Promise<number> {
  const { what, found, ask } = question;
  const queries = Array.from({ length: CALLS }, (_, call): LookUp => {
    const task = ((round * CALLS + call) * 7_919) % tasks;
    return { task: null, endpoint: null, maxPrice: null, n: 20, limit: 20, ...ask(task) };
  });
  const before = process.cpuUsage();
  for (const query of queries) {
    const { matched } = await lookUpServices(query, catalog, NOW);
    if (matched !== found) throw new Error(`${what}: found ${matched} and not ${found}`);
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / CALLS;
}

async function compare(small: Side, large: Side, question: Question): Promise<Finding> {
  const rounds: { few: number; many: number }[] = [];
  for (let round = 0; round < WARM_UPS + ROUNDS; round += 1) {
    rounds.push({
      few: await microsOf(small, question.beside ?? question, round),
      many: await microsOf(large, question, round),
    });
  }
  const measured = rounds.slice(WARM_UPS);
  const few = median(measured.map((one) => one.few));
  const many = median(measured.map((one) => one.many));
  const ratio = median(measured.map((one) => one.many / one.few));
  return {
    what: `lookup by ${question.what}`,
    measured: `${many.toFixed(0)} µs`,
    bare: `${few.toFixed(0)} µs`,
    ratio,
    bound: `<= ${RATIO_MAX}`,
    kept: ratio <= RATIO_MAX,
  };
}

export async function benchLookupScale(): Promise<Report> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-bench-'));
  try {
    const small = await openSide(folder, SMALL);
    const large = await openSide(folder, LARGE);
    const findings: Finding[] = [];
    for (const question of QUESTIONS) findings.push(await compare(small, large, question));
    await Promise.all([small.store.close(), large.store.close()]);
    const about = `A lookup among ${LARGE} services with ${RECEIPTS} receipts each; bare is the same among ${SMALL}. Processor time.`;
    return { about, findings };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
