import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { openPostgres } from '../../src/adapters/store/postgres/open.ts';
import {
  type Connection,
  childrenNamed,
  cpuMicros,
  cpuMicrosOfFamily,
  openConnection,
  runLoad,
} from '../../tools/http-load.ts';
import { fillStore } from '../../tools/http-rows.ts';
import { median } from '../../tools/measure.ts';
import { projectFile } from '../../tools/project-file.ts';
import { startServer } from '../../tools/store-server.ts';
import type { Finding, Report } from '../report/findings.ts';
import { freshCaller, requestTo, type Server, startProgram, stopProgram } from '../report/program.ts';

/**
 * One and two processes of the service on one PostgreSQL, under the same generator: what a request costs must not depend on
 * how many share the store. And the quota of one caller over both.
 */
const CATALOG = projectFile('catalog/services.json');
const PATH = '/v1/lookup?task=exchange-rate';
const ROUND_MS = Number(process.env['BENCH_ROUND_MS'] ?? 2_000);
const WARM_UP_MS = 4_000;
const ROUNDS = 9;
/** As fast as it goes, and at paces that leave the cores of this machine idle for a part of the time. */
const PACES: readonly Pace[] = [
  { connections: 32, pauseMs: 0 },
  { connections: 16, pauseMs: 12 },
  { connections: 16, pauseMs: 24 },
];
const GROWTH_MAX = 1.1;
const QUOTA_ROUNDS = Number(process.env['BENCH_QUOTA_ROUNDS'] ?? 200);
const QUOTA_CALLS = 100;
const FREE = 5;

interface Pace {
  /** To each process. */
  readonly connections: number;
  readonly pauseMs: number;
}

interface Side {
  readonly servers: readonly Server[];
  readonly pace: Pace;
  readonly postgresPid: number;
}

interface Round {
  /** Processor time in microseconds for each answer. */
  readonly replicas: number;
  readonly postgres: number;
  readonly generator: number;
  readonly perSecond: number;
}

async function round({ servers, pace, postgresPid }: Side, ms: number): Promise<Round> {
  const cpu = () => ({
    replicas: servers.reduce((sum, { child }) => sum + cpuMicros(child.pid ?? 0), 0),
    postgres: cpuMicrosOfFamily(postgresPid),
    generator: cpuMicros(process.pid),
  });
  const before = cpu();
  const request = () => requestTo(PATH);
  const loads = servers.map(({ port }) => runLoad({ port, ...pace, ms, request }));
  const measured = await Promise.all(loads);
  const after = cpu();
  const answers = measured.reduce((sum, one) => sum + one.answers, 0);
  const wrong = measured.flatMap(({ statuses }) => [...statuses]).filter(([status]) => status !== 200);
  if (wrong.length > 0) throw new Error(`lookups answered ${JSON.stringify(wrong)}`);
  return {
    replicas: (after.replicas - before.replicas) / answers,
    postgres: (after.postgres - before.postgres) / answers,
    generator: (after.generator - before.generator) / answers,
    perSecond: answers / (ms / 1_000),
  };
}

/**
 * What a request costs depends on how busy its process is, so each of two gets as many connections as the one had, and on how
 * busy the machine is: the stranger, on a database of its own, shows what a second process costs that shares nothing.
 */
async function compareThroughput(
  servers: readonly [Server, Server],
  stranger: Server,
  postgresPid: number,
): Promise<Finding[]> {
  const [first] = servers;
  // Each alone: the second one would otherwise be compiled less than the first.
  const [fastest] = PACES;
  if (fastest === undefined) throw new Error('no pace to measure at');
  for (const server of [...servers, stranger])
    await round({ servers: [server], pace: fastest, postgresPid }, WARM_UP_MS);
  const rounds: { pace: Pace; one: Round; two: Round; apart: Round }[] = [];
  for (let n = 0; n < ROUNDS; n += 1)
    for (const pace of PACES)
      rounds.push({
        pace,
        one: await round({ servers: [first], pace, postgresPid }, ROUND_MS),
        two: await round({ servers, pace, postgresPid }, ROUND_MS),
        apart: await round({ servers: [first, stranger], pace, postgresPid }, ROUND_MS),
      });
  return PACES.flatMap((pace) => {
    const own = rounds.filter((one) => one.pace === pace);
    const two = own.map((each) => each.two);
    const how = `${pace.connections} connections to each${pace.pauseMs === 0 ? '' : `, which ask again after some ${pace.pauseMs} ms`}`;
    return [
      beside(
        `two replicas beside one, ${how}`,
        two,
        own.map(({ one }) => one),
      ),
      beside(
        `two replicas beside two that share nothing but the machine, ${how}`,
        two,
        own.map(({ apart }) => apart),
      ),
    ];
  });
}

function beside(what: string, two: readonly Round[], bare: readonly Round[]): Finding {
  const ratio = median(two.map(({ replicas }, n) => replicas / (bare[n]?.replicas ?? Number.NaN)));
  const bound = `< ${GROWTH_MAX}`;
  return {
    what: `lookup, ${what}`,
    measured: shown(two),
    bare: shown(bare),
    ratio,
    bound,
    kept: ratio < GROWTH_MAX,
  };
}

function shown(rounds: readonly Round[]): string {
  const of = (pick: (round: Round) => number) => median(rounds.map(pick)).toFixed(0);
  return [
    `${of(({ replicas }) => replicas)} µs`,
    `PostgreSQL ${of(({ postgres }) => postgres)} µs`,
    `generator ${of(({ generator }) => generator)} µs`,
    `${of(({ perSecond }) => perSecond)}/s`,
  ].join(', ');
}

/** Every call of a round on a connection of its own, half of them to each replica, all at one moment. */
async function quotaRounds(servers: readonly Server[]): Promise<Finding> {
  const connections: Connection[] = [];
  for (let n = 0; n < QUOTA_CALLS; n += 1)
    connections.push(await openConnection(servers[n % servers.length]?.port ?? 0));
  let exact = 0;
  const wrong: string[] = [];
  for (let n = 0; n < QUOTA_ROUNDS; n += 1) {
    const request = requestTo(PATH, freshCaller());
    const statuses = await Promise.all(connections.map(({ ask }) => ask(request)));
    const free = statuses.filter((status) => status === 200).length;
    const refused = statuses.filter((status) => status === 402).length;
    if (free === FREE && refused === QUOTA_CALLS - FREE) exact += 1;
    else wrong.push(`${free} x 200, ${refused} x 402`);
  }
  for (const { close } of connections) close();
  if (wrong.length > 0) console.error(wrong.join('; '));
  return {
    what: `rounds of ${QUOTA_CALLS} lookups of a fresh caller over both: exactly ${FREE} x 200, the others 402`,
    measured: `${exact} of ${QUOTA_ROUNDS}`,
    bound: 'all of them',
    kept: exact === QUOTA_ROUNDS,
  };
}

async function anotherDatabase(url: string): Promise<string> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query('create database stranger');
  await client.end();
  return url.replace(/[^/]*$/, 'stranger');
}

async function fill(url: string): Promise<void> {
  const store = await openPostgres({ url });
  // Our own file, read by the program itself at start-up.
  const services = JSON.parse(readFileSync(CATALOG, 'utf8')) as { id: string }[];
  await fillStore(
    store,
    services.map(({ id }) => id),
  );
  await store.close();
}

export async function benchReplicas(): Promise<Report> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-bench-'));
  const { url, stop } = await startServer({ durable: true });
  const servers: Server[] = [];
  try {
    const other = await anotherDatabase(url);
    for (const each of [url, other]) await fill(each);
    const start = async (at: string) => {
      const server = await startProgram({ DATA_DIR: folder, DATABASE_URL: at });
      servers.push(server);
      return server;
    };
    const replicas = [await start(url), await start(url)] as const;
    const stranger = await start(other);
    const [postgresPid = 0] = childrenNamed('postgres');
    const findings = [
      ...(await compareThroughput(replicas, stranger, postgresPid)),
      await quotaRounds(replicas),
    ];
    const about =
      `Processor time of a lookup with durable quota, medians of ${ROUNDS} rounds that take turns; bare is what stands behind 'beside'. ` +
      'Replicas, PostgreSQL and the generator share the cores of this machine, so that the rate can rise only as far as one ' +
      'replica leaves a core idle; processor time per request is what says whether replicas add up.';
    return { about, findings };
  } finally {
    for (const server of servers) await stopProgram(server);
    await stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
