import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Client } from 'pg';
import { createChance } from '../chaos/chance.ts';
import { checkLog } from '../chaos/check/check-log.ts';
import { checkPayments } from '../chaos/check/check-payments.ts';
import { checkService } from '../chaos/check/check-service.ts';
import { type Violation, violation } from '../chaos/check/violation.ts';
import { BOUNDS, type Evidence } from '../chaos/evidence.ts';
import * as look from '../chaos/gather.ts';
import { readLog } from '../chaos/read-log.ts';
import { CALLERS_PER_LANE, runTraffic } from '../chaos/traffic.ts';
import { type Database, openDatabase } from '../world/database.ts';
import type { Replica } from '../world/replicas.ts';
import { createWorker } from '../world/workers.ts';
import { checkQuotas } from './check-quotas.ts';
import { crawlRows, quotaRows } from './read-rows.ts';
import { type Phase, type Setup, setUp } from './set-up.ts';
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

export interface UpgradeResult {
  readonly phases: readonly Phase[];
  readonly evidence: Evidence;
  readonly answers: ReadonlyMap<string, number>;
  readonly violations: readonly Violation[];
  readonly before: { readonly receipts: number; readonly paid: number };
}

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
  options: UpgradeOptions,
  database: Database,
  atEnd: (stop: () => Promise<void>) => void,
): Promise<UpgradeResult> {
  const { oldRoot, lanes } = options;
  const setup = await setUp(options, database, atEnd);
  const { journal, proxy, parts, line, new1, new2, phases, phase } = setup;
  const crawled = await crawlByOldRelease(setup, oldRoot);
  const { had, during, violations } = await replaceReplicas(setup, options);
  const quiet = setup.gathering(new1, new2);
  await look.untilReconciled(quiet);
  const quotas = checkQuotas(journal.freeUses, await quotaRows(database), lanes * CALLERS_PER_LANE);
  const evidence = await gatherEvidence(setup, quiet, during);
  const found = [...violations, ...quotas];
  found.push(...checkPayments(evidence), ...checkService(evidence), ...checkLog(evidence));
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
    found.push(...(await goBack(backupIn(database), again, had, line)));
  });
  const before = { receipts: had.receipts.length, paid: had.paid.length };
  return { phases, evidence, answers: proxy.counts, violations: found, before };
}

function backupIn({ settings }: Database): string {
  return join(settings['DATA_DIR'] ?? '', 'before-upgrade.gz');
}

/** Answers the rows of a published run, which the upgrade must not change. */
async function crawlByOldRelease(setup: Setup, oldRoot: string) {
  const { database, surroundings, onFall, old1, old2, gathering } = setup;
  await old1.start();
  await old2.start();
  const crawler = createWorker('crawler', { database, surroundings, onFall, root: oldRoot });
  await crawler.start();
  while ((await look.readRuns(gathering())).length === 0) await wait(200);
  await crawler.kill();
  return crawlRows(database);
}

/** Under traffic: a backup, then one replica after the other becomes one of this release. */
async function replaceReplicas(setup: Setup, options: UpgradeOptions) {
  const { database, surroundings, journal, proxy, buyers, clients, gathering, phase } = setup;
  const { old1, old2, new1, new2 } = setup;
  const { lanes, calmMs, heldMs } = options;
  proxy.use([old1, old2]);
  await proxy.untilServing(old2);
  const over = { traffic: false };
  const isOver = () => over.traffic;
  const { sellers } = surroundings;
  const traffic = runTraffic({ clients, journal, buyers, sellers, chance: createChance(1), isOver }, lanes);
  const replaceOne = (old: Replica, others: readonly Replica[]) => async () => {
    // The proxy learns it from /readyz.
    await old.stop();
    proxy.use(others);
  };
  try {
    await phase('both old', () => wait(calmMs));
    const { had, violations } = await phase('backup by the old release', () => backUp(setup, options));
    await phase(`first new one starts and migrates, a transaction is open for ${heldMs} ms`, async () => {
      const held = holdTables(database, heldMs);
      await new1.start();
      await held;
    });
    proxy.use([old1, old2, new1]);
    const during = await phase('old and new together', async () => {
      await proxy.untilServing(new1);
      await wait(calmMs);
      const all = gathering(old1, new1);
      return { receipts: await look.readReceipts(all), replays: await look.replayAll(all, new Map()) };
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
    return { had, during, violations };
  } finally {
    over.traffic = true;
    await traffic;
  }
}

/** A backup by the old release, and what a store that is restored from it must have. */
async function backUp({ database, journal, gathering, old1 }: Setup, { oldRoot }: UpgradeOptions) {
  const paid = journal.purchases.flatMap(({ path, way, caller, payments }) =>
    payments
      .filter(({ said }) => way === 'http' && said.some((one) => one?.isPaid === true))
      .map((payment) => ({ path, caller, payment })),
  );
  const had = { receipts: await look.readReceipts(gathering(old1)), paid };
  const { code, text } = await assay(oldRoot, ['backup', backupIn(database)], database.settings);
  const violations = code === 0 ? [] : [violation('the old release makes no backup', { code, text })];
  return { had, violations };
}

async function gatherEvidence(
  { journal, surroundings }: Setup,
  quiet: look.GatherParts,
  during: Pick<Evidence, 'receipts' | 'replays'>,
): Promise<Evidence> {
  const lateAnswers = await look.askLate(quiet);
  const replays = [...during.replays, ...(await look.replayAll(quiet, lateAnswers))];
  return {
    ...{ journal, lateAnswers, replays, payTo: surroundings.payTo, bounds: BOUNDS },
    receipts: [...during.receipts, ...(await look.readReceipts(quiet))],
    transfers: await look.readTransfers(quiet),
    ledger: await look.readLedger(quiet),
    seen: (await surroundings.seen()).requests,
    runs: await look.readRuns(quiet),
    listed: surroundings.sellers.length,
    ...{ taken: [], held: null, runner: null },
    log: await readLog(quiet),
  };
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
