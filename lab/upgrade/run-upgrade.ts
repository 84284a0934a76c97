import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Client } from 'pg';
import { projectFile } from '../../tools/project-file.ts';
import { createChance } from '../chaos/chance.ts';
import { checkLog } from '../chaos/check/check-log.ts';
import { checkPayments } from '../chaos/check/check-payments.ts';
import { checkService } from '../chaos/check/check-service.ts';
import { type Violation, violation } from '../chaos/check/violation.ts';
import { createClients } from '../chaos/clients.ts';
import { BOUNDS, type Evidence } from '../chaos/evidence.ts';
import * as look from '../chaos/gather.ts';
import { newJournal } from '../chaos/journal.ts';
import { readLog } from '../chaos/read-log.ts';
import { CALLERS_PER_LANE, runTraffic } from '../chaos/traffic.ts';
import { createBuyer } from '../world/buyers.ts';
import { openLine } from '../world/callers.ts';
import { type Database, openDatabase } from '../world/database.ts';
import { createReplica, type Replica } from '../world/replicas.ts';
import { startSurroundings } from '../world/surroundings.ts';
import { createWorker } from '../world/workers.ts';
import type { World } from '../world/world.ts';
import { checkQuotas } from './check-quotas.ts';
import { startProxy } from './proxy.ts';
import { crawlRows, quotaRows } from './read-rows.ts';
import { assay, goBack } from './way-back.ts';

export interface UpgradeOptions {
  /** Where the old release is, built. */
  readonly oldRoot: string;
  readonly lanes: number;
  /** How long traffic goes on after each step. */
  readonly calmMs: number;
  /** How long a transaction such as that of a backup is open when the first new process starts. */
  readonly heldMs: number;
  readonly say: (line: string) => void;
}

export interface Phase {
  readonly name: string;
  readonly startedAt: number;
  readonly endedAt: number;
}

export interface UpgradeResult {
  readonly phases: readonly Phase[];
  readonly evidence: Evidence;
  readonly answers: ReadonlyMap<string, number>;
  readonly violations: readonly Violation[];
  readonly before: { readonly receipts: number; readonly paid: number };
}

const DRAIN_SECONDS = 3;

/** Two replicas of the old release become two of this one under traffic; then the way back. */
export async function runUpgrade(options: UpgradeOptions): Promise<UpgradeResult> {
  const database = await openDatabase('postgres');
  const stops: (() => Promise<void>)[] = [database.stop];
  try {
    return await upgrade(options, database, (stop) => stops.unshift(stop));
  } finally {
    for (const stop of stops) await stop();
  }
}

async function upgrade(
  { oldRoot, lanes, calmMs, heldMs, say }: UpgradeOptions,
  database: Database,
  atEnd: (stop: () => Promise<void>) => void,
): Promise<UpgradeResult> {
  const journal = newJournal();
  const onFall = (what: string) => journal.falls.push(what);
  const now = () => Date.now();
  const surroundings = await startSurroundings({ onFall });
  atEnd(surroundings.stop);
  const proxy = await startProxy();
  atEnd(proxy.stop);
  const settings = {
    PAID_CHECKS_PER_HOUR: '100000',
    PRICED_PROBES_PER_HOUR: '100000',
    BASE_URL: proxy.address,
    DRAIN_SECONDS: String(DRAIN_SECONDS),
  };
  const parts = { database, surroundings, settings, onFall };
  const make = async (n: number, root: string) => {
    const replica = await createReplica({ ...parts, name: `replica-${n}`, root });
    atEnd(replica.stop);
    return replica;
  };
  const newRoot = projectFile('.');
  const [old1, old2] = [await make(1, oldRoot), await make(2, oldRoot)];
  const [new1, new2] = [await make(3, newRoot), await make(4, newRoot)];
  const line = openLine();
  atEnd(line.close);
  const buyers = surroundings.buyerKeys.slice(0, -1).map(createBuyer);
  const worldOf = (...replicas: Replica[]): World => ({
    ...{ database, surroundings, replicas, buyers },
    stop: async () => {},
  });
  const clients = createClients({ replicas: [proxy], line, journal, now });
  const gathering = (...replicas: Replica[]) => ({ world: worldOf(...replicas), clients, journal, now });

  await old1.start();
  await old2.start();
  const crawler = createWorker('crawler', { database, surroundings, onFall, root: oldRoot });
  await crawler.start();
  while ((await look.readRuns(gathering())).length === 0) await wait(200);
  await crawler.kill();
  const crawled = await crawlRows(database);

  const phases: Phase[] = [];
  const phase = async (name: string, work: () => Promise<void>) => {
    const startedAt = now();
    await work();
    phases.push({ name, startedAt, endedAt: now() });
    say(`${name}: ${now() - startedAt} ms`);
  };
  const over = { traffic: false };
  proxy.use([old1, old2]);
  await proxy.untilServing(old2);
  const isOver = () => over.traffic;
  const { sellers } = surroundings;
  const traffic = runTraffic({ clients, journal, buyers, sellers, chance: createChance(1), isOver }, lanes);
  const found: Violation[] = [];
  const file = join(database.settings['DATA_DIR'] ?? '', 'before-upgrade.gz');
  const had: Parameters<typeof goBack>[2] = { receipts: [], paid: [] };
  const during: { receipts: Evidence['receipts']; replays: Evidence['replays'] } = {
    receipts: [],
    replays: [],
  };
  const replaceOne = (old: Replica, others: readonly Replica[]) => async () => {
    // The proxy learns it from /readyz.
    await old.stop();
    proxy.use(others);
  };
  try {
    await phase('both old', () => wait(calmMs));
    await phase('backup by the old release', async () => {
      const paid = journal.purchases.flatMap(({ path, way, caller, payments }) =>
        payments
          .filter(({ said }) => way === 'http' && said.some((one) => one?.isPaid === true))
          .map((payment) => ({ path, caller, payment })),
      );
      Object.assign(had, { receipts: await look.readReceipts(gathering(old1)), paid });
      const { code, text } = await assay(oldRoot, ['backup', file], database.settings);
      if (code !== 0) found.push(violation('the old release makes no backup', { code, text }));
    });
    await phase(`first new one starts and migrates, a transaction is open for ${heldMs} ms`, async () => {
      const held = holdTables(database, heldMs);
      await new1.start();
      await held;
    });
    proxy.use([old1, old2, new1]);
    await phase('old and new together', async () => {
      await proxy.untilServing(new1);
      await wait(calmMs);
      const all = gathering(old1, new1);
      Object.assign(during, {
        receipts: await look.readReceipts(all),
        replays: await look.replayAll(all, new Map()),
      });
    });
    await phase('first old one drains and stops', replaceOne(old1, [old2, new1]));
    await phase('second new one starts', async () => {
      await new2.start();
      proxy.use([old2, new1, new2]);
      await proxy.untilServing(new2);
      await wait(calmMs);
    });
    await phase('second old one drains and stops', replaceOne(old2, [new1, new2]));
    await phase('both new', () => wait(calmMs));
  } finally {
    over.traffic = true;
    await traffic;
  }
  const quiet = gathering(new1, new2);
  await look.untilReconciled(quiet);
  const quotas = checkQuotas(journal.freeUses, await quotaRows(database), lanes * CALLERS_PER_LANE);
  const lateAnswers = await look.askLate(quiet);
  const replays = [...during.replays, ...(await look.replayAll(quiet, lateAnswers))];
  const evidence: Evidence = {
    ...{ journal, lateAnswers, replays, payTo: surroundings.payTo, bounds: BOUNDS },
    receipts: [...during.receipts, ...(await look.readReceipts(quiet))],
    transfers: await look.readTransfers(quiet),
    ledger: await look.readLedger(quiet),
    seen: (await surroundings.seen()).requests,
    runs: await look.readRuns(quiet),
    listed: sellers.length,
    ...{ taken: [], held: null, runner: null },
    log: await readLog(quiet),
  };
  found.push(...quotas, ...checkPayments(evidence), ...checkService(evidence), ...checkLog(evidence));
  const crawledNow = await crawlRows(database);
  if (crawledNow !== crawled) found.push(violation('rows of the crawl changed', { crawled, crawledNow }));

  await new1.stop();
  await new2.stop();
  await phase('the way back: restore, old release', async () => {
    const refused = await assay(oldRoot, ['migrate'], database.settings);
    if (refused.code !== 1 || !refused.text.includes('schema version'))
      found.push(violation('the old release does not refuse the newer schema', refused));
    await database.rows('create database way_back');
    const url = new URL(database.settings['DATABASE_URL'] ?? '');
    url.pathname = '/way_back';
    const empty = { ...database, settings: { ...database.settings, DATABASE_URL: url.href } };
    const again = { ...parts, database: empty, name: 'replica-5', root: oldRoot };
    found.push(...(await goBack(file, again, had, line)));
  });
  const before = { receipts: had.receipts.length, paid: had.paid.length };
  return { phases, evidence, answers: proxy.counts, violations: found, before };
}

/** A transaction that reads receipts and stays open, as that of a backup does. */
async function holdTables(database: Database, milliseconds: number): Promise<void> {
  const client = new Client({ connectionString: database.settings['DATABASE_URL'] });
  await client.connect();
  try {
    await client.query('begin isolation level repeatable read');
    await client.query('select count(*) from live_receipts');
    await wait(milliseconds);
    await client.query('commit');
  } finally {
    await client.end();
  }
}
