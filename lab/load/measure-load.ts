import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { openPostgres } from '../../src/adapters/store/postgres/open.ts';
import { openSqlite } from '../../src/adapters/store/sqlite/open.ts';
import { fillStore } from '../../tools/http-rows.ts';
import { projectFile } from '../../tools/project-file.ts';
import { startWorld, type World } from '../world/world.ts';
import type { Evidence } from './check.ts';
import { type Clients, startClients } from './clients.ts';
import type { PhaseReport } from './generator.ts';
import type { LoadOptions } from './options.ts';
import { growthIn, type Sample, watchProcesses } from './resources.ts';

/** What a run found, before anybody judges it. */
export interface LoadResult {
  readonly capacityPerSecond: number | null;
  readonly perSecond: number;
  readonly evidence: Evidence;
  /** Processor time of every process in the steady phase, in cores. */
  readonly cores: Readonly<Record<string, number>>;
  readonly warmUpSeconds: number;
}

/** Until the code is compiled and the heap has its size, times and memory say little. */
const WARM_UP = { share: 0.3, leastMs: 3_000, mostMs: 360_000 };
const CAPACITY_MS = 10_000;
const CONNECTIONS = 16;
/** Limits of one address and one target are not what is measured; those of a caller are. */
const SETTINGS = {
  // Replicas behind one proxy have one address, and one ETag for the same page.
  BASE_URL: 'http://assay.example',
  PROBES_PER_HOST_MINUTE: '1000000',
  PAID_CHECKS_PER_HOUR: '1000000',
  PRICED_PROBES_PER_HOUR: '1000000',
};
/** They answer at once, and a check of them is charged. */
const SELLERS = [
  'honest',
  'honest-v1',
  'honest-v2',
  'raised-price',
  'swapped-payee',
  'wrong-network',
  'other-token',
  'no-paywall',
  'malformed',
  'currency',
  'factors',
  'junk',
];
/**
 * Of each replica, before its memory is looked at: until the first whole collection, after some 90,000 answers, it only grows,
 * and its caches fill.
 */
const GROWTH_ANSWERS_MIN = 100_000;
const CATALOG = projectFile('catalog/services.json');

/** `stop` ends it early: everything that was started is stopped, and the promise rejects. */
export async function measureLoad(
  options: LoadOptions,
  say: (line: string) => void,
  stop: AbortSignal,
): Promise<LoadResult> {
  const falls: string[] = [];
  say(`starting ${options.replicas} replicas on ${options.store}`);
  const world = await startWorld({
    store: options.store,
    replicas: options.replicas,
    settings: SETTINGS,
    direct: true,
    // A short round is for tests, which run beside others.
    yields: options.minutes >= 1,
    durable: true,
    onFall: (what) => falls.push(what),
  });
  try {
    await fill(world);
    const clients = await startClients({
      ports: world.replicas.map(({ address }) => Number(new URL(address).port)),
      buyerKeys: world.surroundings.buyerKeys.slice(0, -1),
      payTo: world.surroundings.payTo,
      tasks: await tasksOf(world),
      sellers: SELLERS.map((name) => urlOf(world, name)),
      etag: await etagOf(world),
      seed: options.seed,
    });
    stop.addEventListener('abort', () => clients.stop());
    try {
      stop.throwIfAborted();
      return await phases(options, world, clients, falls, say);
    } finally {
      clients.stop();
    }
  } finally {
    await world.stop();
  }
}

async function phases(
  options: LoadOptions,
  world: World,
  clients: Clients,
  falls: readonly string[],
  say: (line: string) => void,
): Promise<LoadResult> {
  const ms = options.minutes * 60_000;
  const warmUpMs = Math.min(WARM_UP.mostMs, Math.max(WARM_UP.leastMs, ms * WARM_UP.share));
  const earlier: PhaseReport[] = [];
  const capacityPerSecond = options.rate === null ? await capacityOf(clients, earlier, say) : null;
  const perSecond = options.rate ?? (capacityPerSecond ?? 0) * options.share;
  say(`warming up at ${perSecond.toFixed(0)} requests a second for ${(warmUpMs / 1_000).toFixed(0)} s`);
  earlier.push(await clients.open({ ms: warmUpMs, perSecond }));
  say(`measuring for ${(ms / 1_000).toFixed(0)} s`);
  const watch = watchProcesses();
  const before = watch.now();
  const steady = await clients.open({ ms, perSecond });
  const after = watch.now();
  const samples = watch.take();
  watch.stop();
  say('looking at what is left behind');
  const final = await clients.finish();
  const ledger = await settledLedger(world);
  const evidence: Evidence = {
    steady,
    statuses: addStatuses([...earlier, steady]),
    clients: final,
    transfers: await transfersTo(world),
    ...ledger,
    seen: await world.surroundings.seen(),
    probesPerUrl: 1,
    growth: growthIn(samples),
    judgesGrowth: answersIn(earlier) / options.replicas >= GROWTH_ANSWERS_MIN,
    falls,
    faults: (await Promise.all(world.replicas.map((replica) => replica.faults()))).flat(),
  };
  return {
    capacityPerSecond,
    perSecond,
    evidence,
    cores: coresBetween(before, after),
    warmUpSeconds: warmUpMs / 1_000,
  };
}

/** The same mix, as fast as it goes: the first time the code is compiled, the second time counts. */
async function capacityOf(
  clients: Clients,
  earlier: PhaseReport[],
  say: (line: string) => void,
): Promise<number> {
  say('measuring the capacity with the same mix in a closed loop');
  for (let round = 0; round < 2; round += 1)
    earlier.push(await clients.closed({ ms: CAPACITY_MS, connections: CONNECTIONS }));
  const last = earlier.at(-1);
  return last === undefined ? 0 : last.all.count / last.seconds;
}

function coresBetween(before: Sample, after: Sample): Record<string, number> {
  const seconds = (after.atMs - before.atMs) / 1_000;
  return Object.fromEntries(
    Object.entries(after.processes).map(([name, { cpuSeconds }]) => [
      name,
      (cpuSeconds - (before.processes[name]?.cpuSeconds ?? 0)) / seconds,
    ]),
  );
}

function answersIn(phases: readonly PhaseReport[]): number {
  return phases.reduce((sum, { all }) => sum + all.count, 0);
}

function addStatuses(phases: readonly PhaseReport[]): Record<string, number> {
  const sum: Record<string, number> = {};
  for (const { statuses } of phases)
    for (const [status, count] of Object.entries(statuses)) sum[status] = (sum[status] ?? 0) + count;
  return sum;
}

/** Receipts, paid calls and a published run, so that there is something to read. */
async function fill({ database }: World): Promise<void> {
  const { DATABASE_URL: url, DATA_DIR: folder } = database.settings;
  const store =
    url === undefined ? await openSqlite({ file: `${folder}/assay.db` }) : await openPostgres({ url });
  const services = z.array(z.object({ id: z.string() })).parse(JSON.parse(readFileSync(CATALOG, 'utf8')));
  await fillStore(
    store,
    services.map(({ id }) => id),
  );
  await store.close();
}

async function tasksOf({ replicas }: World): Promise<readonly string[]> {
  const answer = await fetch(`${replicas[0]?.address}/v1/tasks`);
  return Object.keys(z.record(z.string(), z.array(z.string())).parse(await answer.json()));
}

async function etagOf({ replicas }: World): Promise<string> {
  const answer = await fetch(`${replicas[0]?.address}/v1/skips.json`);
  await answer.arrayBuffer();
  const etag = answer.headers.get('etag');
  if (etag === null) throw new Error(`the skips answered ${answer.status} without an ETag`);
  return etag;
}

function urlOf({ surroundings }: World, name: string): string {
  const seller = surroundings.sellers.find((one) => one.name === name);
  if (seller === undefined) throw new Error(`there is no seller ${name}`);
  return seller.url;
}

const LEDGER_MS = 60_000;

/** Waits for settlements that the housekeeping still has to look up. */
async function settledLedger({ database }: World) {
  const giveUpAt = Date.now() + LEDGER_MS;
  for (;;) {
    const [open] = await database.rows('select count(*) as n from payments where open_since is not null');
    const [settled] = await database.rows("select count(*) as n from payments where state = 'settled'");
    const openPayments = Number(open?.['n']);
    if (openPayments === 0 || Date.now() > giveUpAt)
      return { openPayments, settledPayments: Number(settled?.['n']) };
    await wait(500);
  }
}

const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
const USDC = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';

/** Every transfer to the wallet of the service, as the chain has it. */
async function transfersTo({ surroundings: { rpcUrl, payTo } }: World) {
  const payee = `0x${payTo.slice(2).toLowerCase().padStart(64, '0')}`;
  const filter = { address: USDC, topics: [TRANSFER, null, payee], fromBlock: '0x0', toBlock: 'latest' };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_getLogs', params: [filter] });
  const answer = await fetch(rpcUrl, { method: 'POST', body });
  const { result } = z.object({ result: z.array(z.object({ data: z.string() })) }).parse(await answer.json());
  return result.map(({ data }) => ({ units: BigInt(data) }));
}
