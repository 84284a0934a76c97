import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Kysely, SqliteDialect } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Tables } from '../../../../src/adapters/store/engine/tables.ts';
import { migrate } from '../../../../src/adapters/store/migrations/migrate.ts';
import { groupCommit } from '../../../../src/adapters/store/sqlite/group-commit.ts';
import { loadSqlite, type SqliteFile } from '../../../../src/adapters/store/sqlite/module.ts';
import { cachedStatements } from '../../../../src/adapters/store/sqlite/statements.ts';
import { NO_WAL_FILE, walSync } from '../../../../src/adapters/store/sqlite/wal-sync.ts';
import { type Connected, storeOn } from '../../../../src/adapters/store/store.ts';
import { EVERY_SKIP } from '../../../../src/core/receipt/skip-filter.ts';
import { crawlId, unpublished } from '../../../../tools/samples/crawl-rows.ts';
import { publishAsCrawl, statedRows, testRunLog } from '../../../support/log/test-runs.ts';
import { STORE_USES } from '../../../support/storing/store-uses.ts';

/**
 * A scan of what the statement brings along or has chosen itself is bounded by it. There are two snapshots, in 258 parts each, a
 * few epochs, a run a week, and as many waiting entries as receipts in a second.
 */
const OWN_ROWS =
  /^SCAN (?:log_heads USING INDEX (?:log_heads_by_epoch|sqlite_autoindex_log_heads_1)|log_entries USING (?:COVERING )?INDEX log_entries_waiting|CONSTANT ROW|json_each VIRTUAL TABLE INDEX 1:|\d+-ROW VALUES CLAUSE|wanted|one|ended|old|last|free|matched|\(subquery-\d+\)|snapshots|snapshot_parts)$/;
/**
 * Sorted after reading: the runs of one URL, one a week; who is paid in a bounded number of rows at a host, and which hosts
 * pay in those of a payee, grouped and then ordered; the two rows that a claim can find; and whatever an operator's
 * report groups and then orders, by one of three columns or by what was looked for; the two snapshots; the reasons of
 * withdrawals, and corrections, which are few.
 */
const SORTS: Readonly<Record<string, number>> = {
  runs: 7,
  payments: 1,
  attribution: 8,
  snapshots: 2,
  withdrawals: 1,
  corrections: 1,
};

/** Rows of a whole run of the crawl: its progress, and what forgetting reads up to its limit and then deletes, of three tables. */
const WHOLE_RUN = /^SEARCH crawl_(?:hosts|targets|listed) USING .*\(run_id=\?\)$/;
const WHOLE_RUNS: Readonly<Record<string, number>> = { crawlWork: 1 + 3 + 3 };

/** What an operator looks through to withdraw a receipt: paid answers that have it, runs that have work, the last
 * re-tests; and what was withdrawn and corrected, which is little. */
const OPERATED: Readonly<Record<string, RegExp>> = {
  withdrawals: /^SCAN (?:payments|withdrawals|retests|crawl_work USING COVERING INDEX \S+)$/,
  corrections: /^SCAN corrections$/,
};

interface Executed {
  readonly sql: string;
  readonly values: readonly unknown[];
}

describe('no query reads more of a table than it needs', () => {
  let folder: string;
  let file: SqliteFile;
  let connected: Connected;
  const executed: Executed[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'assay-plans-'));
    const { DatabaseSync } = await loadSqlite();
    file = new DatabaseSync(join(folder, 'assay.db'));
    const statements = cachedStatements(file);
    const database = new Kysely<Tables>({
      dialect: new SqliteDialect({ database: statements }),
      log({ query }) {
        executed.push({ sql: query.sql, values: query.parameters });
      },
    });
    const writes = groupCommit(database, {
      control: (statement) => statements.prepare(statement).run([]),
      wal: walSync(NO_WAL_FILE),
    });
    connected = { engine: 'sqlite', database, writes, waiting: writes.waiting };
    await migrate(connected);
  });
  afterAll(async () => {
    await connected.database.destroy();
    await rm(folder, { recursive: true });
  });

  it('has all stores in its list', () => {
    const { close: _, waiting: _count, ...stores } = storeOn(connected);
    expect(Object.keys(STORE_USES)).toEqual(Object.keys(stores));
  });

  it.each(Object.keys(STORE_USES))('in %s', async (name) => {
    executed.length = 0;
    await STORE_USES[name]?.(storeOn(connected));
    const plans = new Map(executed.map((query) => [`${query.sql} ${planOf(query)}`, query]));
    expect(plans.size).toBeGreaterThanOrEqual(2);
    const steps = [...plans.values()].flatMap((query) =>
      planOf(query).map((step) => ({ step, sql: query.sql })),
    );
    const isBounded = (step: string) => OWN_ROWS.test(step) || (OPERATED[name]?.test(step) ?? false);
    expect(steps.filter(({ step }) => step.startsWith('SCAN') && !isBounded(step))).toEqual([]);
    expect(steps.filter(({ step }) => step.startsWith('USE TEMP B-TREE'))).toHaveLength(SORTS[name] ?? 0);
    expect(steps.filter(({ step }) => WHOLE_RUN.test(step))).toHaveLength(WHOLE_RUNS[name] ?? 0);
  });

  it.each([
    [EVERY_SKIP, null, 'COVERING INDEX crawl_receipts_by_verdict'],
    [{ ...EVERY_SKIP, search: 'x' }, null, 'COVERING INDEX crawl_receipts_by_verdict'],
    [{ ...EVERY_SKIP, reason: 'no_paywall' }, 'reason', 'COVERING INDEX crawl_skips_by_reason'],
    [{ ...EVERY_SKIP, list: 'list', search: 'x' }, 'list', 'COVERING INDEX crawl_skips_by_list'],
    [{ ...EVERY_SKIP, network: 'network' }, 'network', 'COVERING INDEX crawl_skips_by_network'],
    [{ ...EVERY_SKIP, host: 'host' }, 'host', 'COVERING INDEX crawl_skips_by_host'],
    [{ ...EVERY_SKIP, sort: 'price_gap' }, null, 'COVERING INDEX crawl_skips_by_gap'],
    [{ ...EVERY_SKIP, host: 'host', reason: 'no_paywall' }, 'reason', 'INDEX crawl_skips_by_reason'],
    [{ ...EVERY_SKIP, host: 'host', reason: 'no_paywall' }, 'host', 'INDEX crawl_skips_by_host'],
  ] as const)(
    'skips are counted and paged by the index that leads: %j by %s',
    async (filter, lead, index) => {
      executed.length = 0;
      const { runs } = storeOn(connected);
      const asked = () => executed.filter(({ sql }) => sql.includes('crawl_receipts'));
      const ofSkips = () =>
        asked().flatMap((query) => planOf(query).filter((step) => step.startsWith('SEARCH')));
      await runs.countSkips('run', { filter, lead });
      for (const step of ofSkips()) expect(step).toContain(`${index} (run_id=?`);
      expect(ofSkips().length).toBeGreaterThanOrEqual(2);
      executed.length = 0;
      for (const after of [null, { gap: 0, url: 'url', id: 'id' }])
        await runs.skips('run', { filter, lead }, { after, limit: 9 });
      for (const step of ofSkips()) expect(step).toContain(index.replace('COVERING ', ''));
    },
  );

  it.each(['host', 'payee', 'replaced_payee'] as const)(
    'the rows of a run by %s are counted in its index alone',
    async (by) => {
      executed.length = 0;
      const { runs } = storeOn(connected);
      const found = `USING INDEX crawl_receipts_by_${by} (run_id=? AND ${by}=?)`;
      const stepsOf = () =>
        executed
          .filter(({ sql }) => sql.includes('"crawl_receipts"'))
          .flatMap(planOf)
          .filter((step) => step.startsWith('SEARCH crawl_receipts'));
      await runs.partRows('run', { by, value: 'x' }, 9);
      expect(stepsOf()).toEqual([`SEARCH crawl_receipts ${found}`]);
      executed.length = 0;
      await runs.countPart('run', { by, value: 'x' }, 9);
      await runs.sharesOf('run', { by, value: 'x' }, { rows: 9, shares: 9 });
      const covered = `SEARCH crawl_receipts ${found.replace('INDEX', 'COVERING INDEX')}`;
      expect(stepsOf()).toEqual([covered, covered]);
    },
  );

  it('the runs that can be counted are found in the index of payees', async () => {
    executed.length = 0;
    await storeOn(connected).runs.countableRuns(9);
    const steps = executed.flatMap(planOf).filter((step) => step.startsWith('SEARCH crawl_receipts'));
    expect(steps).toHaveLength(1);
    expect(steps[0]).toContain('USING COVERING INDEX crawl_receipts_by_payee (run_id=? AND payee>?)');
  });

  it('and the tree of a run is read by the indexes of its rows', async () => {
    const store = storeOn(connected);
    await unpublished(store.runs, 'logged', statedRows(600, 100));
    await publishAsCrawl(store.runs, 'logged', testRunLog(store));
    executed.length = 0;
    const { transparencyLog: log } = store;
    for (const n of [100, 650]) await log.placeInRun(crawlId(n));
    for (const from of [0, 550]) expect(await log.runEntries('logged', from, 50)).toHaveLength(50);
    await log.runStatement('logged');
    const steps = new Set(executed.flatMap(planOf));
    expect([...steps].filter((step) => !step.startsWith('SEARCH'))).toEqual([]);
    for (const search of [
      'crawl_receipts_in_order (run_id=? AND (url,id)>(?,?) AND (url,id)<(?,?))',
      'crawl_receipts_in_order (run_id=? AND (url,id)>(?,?))',
      'withdrawals_by_run (run_id=? AND seq>? AND seq<?)',
    ]) {
      expect([...steps]).toContainEqual(expect.stringContaining(search));
    }
  });

  it('and a scan would be seen', () => {
    const query = { sql: 'select key from payments where holder = ?', values: ['holder'] };
    expect(planOf(query)).toEqual(['SCAN payments']);
  });

  /** With the values it ran with: by them SQLite decides whether an index of some rows will do. */
  function planOf({ sql, values }: Executed): string[] {
    const steps = file.prepare(`explain query plan ${sql}`).all(...values);
    return steps.map((step) => String(Object(step).detail));
  }
});
