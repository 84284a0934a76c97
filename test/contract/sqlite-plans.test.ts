import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Kysely, SqliteDialect } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { groupCommit } from '../../src/adapters/store/group-commit.ts';
import { migrate } from '../../src/adapters/store/migrations/migrate.ts';
import { loadSqlite, type SqliteFile } from '../../src/adapters/store/sqlite-module.ts';
import { cachedStatements } from '../../src/adapters/store/sqlite-statements.ts';
import { type Connected, type Store, storeOn } from '../../src/adapters/store/store.ts';
import type { Tables } from '../../src/adapters/store/tables.ts';
import { microUsd } from '../../src/core/money/micro-usd.ts';
import { EVERY_SKIP, type SkipFacet, type SkipFilter } from '../../src/core/receipt/skip-filter.ts';
import { aCall } from '../support/catalog.ts';
import { aCrawlReceipt, aRun, crawlRow } from '../support/crawl-rows.ts';
import { done, list, receiptOf, urlsOf } from '../support/crawl-work.ts';
import { ANSWER, aClaim, FIRST, NAMED, prepared } from '../support/payments.ts';
import { afterNoon, aReceipt, NOON, receiptId } from '../support/store-receipts.ts';

const POSITION = { checkedAt: NOON, id: receiptId(1) };
const PROBE = { urlKey: 'key', method: 'GET' } as const;

const SKIP_FILTERS: readonly (readonly [SkipFilter, SkipFacet | null])[] = [
  [EVERY_SKIP, null],
  [{ ...EVERY_SKIP, search: 'x' }, null],
  [{ ...EVERY_SKIP, reason: 'no_paywall', list: 'list', network: 'network', host: 'host' }, 'reason'],
  [{ ...EVERY_SKIP, reason: 'no_paywall', list: 'list', network: 'network', host: 'host' }, 'list'],
  [{ ...EVERY_SKIP, reason: 'no_paywall', list: 'list', network: 'network', host: 'host' }, 'network'],
  [{ ...EVERY_SKIP, reason: 'no_paywall', list: 'list', network: 'network', host: 'host' }, 'host'],
  [{ ...EVERY_SKIP, sort: 'price_gap', list: 'list' }, 'list'],
];

/** Every method of the store, at least once, and twice where it has two ways to go. */
const USES: Readonly<Record<string, (store: Store) => Promise<unknown>>> = {
  counters: async ({ counters }) => {
    const counter = { key: 'key', window: '2026-11-15', limit: 1 };
    await counters.reserve([counter]);
    await counters.giveBack(counter);
    await counters.prune(NOON, 9);
  },
  probes: async ({ probes }) => {
    await probes.keep(PROBE, { observation: { kind: 'timed_out' }, probedAt: NOON, spelling: 'x' });
    await probes.find(PROBE, NOON);
    await probes.prune(NOON, 9);
  },
  receipts: async ({ receipts }) => {
    await receipts.add(aReceipt(), 'key');
    await receipts.byId('id');
    for (const ref of [null, 'ref']) await receipts.page({ type: 'live', ref }, null, 9);
    for (const ref of [null, 'ref']) await receipts.page({ type: 'live', ref }, POSITION, 9);
    await receipts.latestOf('key', 'live', 9);
  },
  runs: async ({ runs }) => {
    for (const run of ['run', 'other']) await runs.begin(run, NOON);
    for (const run of ['run', 'other']) await runs.add(run, [crawlRow(1), crawlRow(2)]);
    for (const after of [null, aCrawlReceipt()]) await runs.rows('run', after, 9);
    await runs.publish(aRun('run'), { all: [aCrawlReceipt()], skip: [aCrawlReceipt()] });
    await runs.latest();
    for (const page of [1, 2]) await runs.page('run', 'all', page);
    for (const page of [1, 2]) await runs.page('run', 'skip', page);
    await runs.byId('id');
    await runs.byIds(['id']);
    for (const [filter, lead] of SKIP_FILTERS) {
      await runs.countSkips('run', { filter, lead });
      for (const after of [null, { gap: 0, url: 'url', id: 'id' }])
        await runs.skips('run', { filter, lead }, { after, limit: 9 });
    }
    await runs.inLatestRun('key');
    await runs.latestOf('key', 9);
    await runs.discard('other', 9);
  },
  payments: async ({ payments }) => {
    for (const claimedAt of [NOON, afterNoon(9_000)]) await payments.claim(aClaim({ claimedAt }));
    await payments.claim(aClaim({ ...NAMED, claimedAt: afterNoon(9_000) }));
    for (const names of [{}, NAMED]) await payments.look(aClaim(names), NOON);
    await payments.prepare(FIRST, prepared(2), 'payment', NOON);
    await payments.leaveOpen(FIRST, NOON);
    await payments.open(afterNoon(9), 9);
    await payments.settle(FIRST, ANSWER, '0xtx', NOON);
    await payments.reject({ ...FIRST, key: 'another' }, NOON);
    await payments.release(FIRST);
    await payments.prune(afterNoon(9), 9);
  },
  quotes: async ({ quotes }) => {
    const quote = { key: 'key', amount: microUsd(1n) };
    await quotes.remember(quote, NOON);
    await quotes.isOpen(quote, NOON);
    await quotes.prune(NOON, 9);
  },
  paidCalls: async ({ paidCalls }) => {
    const [amount, perDay, total] = [microUsd(1n), microUsd(9n), microUsd(9n)];
    const call = { id: 'a', serviceId: 'service', calledAt: NOON, amount, payTo: '0x' };
    await paidCalls.begin(call, { perDay, total });
    await paidCalls.finish('a', aCall(), { bodySha256: null, body: null });
    await paidCalls.unfinished(NOON, 9);
    await paidCalls.spent(NOON);
    await paidCalls.callsOf(['service', 'other'], 9);
    await paidCalls.keepCheck('service', {
      checkedAt: NOON,
      reachable: true,
      x402Challenge: true,
      quotedPrice: null,
      priceMatchesListing: null,
    });
    await paidCalls.checksOf(['service', 'other']);
  },
  jobs: async ({ jobs }) => {
    const claim = { name: 'job', holder: 'a', now: NOON, leaseMs: 0 };
    await jobs.claim(claim);
    await jobs.read('job');
    await jobs.save(claim, '{}');
    await jobs.finish(claim, '{}');
  },
  attribution: async ({ attribution }) => {
    const lookup = { subject: { kind: 'task', name: 'task' }, client: null, ref: null, payer: null } as const;
    for (let flush = 0; flush < 2; flush += 1) {
      attribution.note(lookup, NOON);
      await attribution.flush();
    }
    await attribution.total(NOON);
    for (const by of ['client', 'ref', 'payer'] as const) await attribution.tally(by, NOON, 9);
    await attribution.subjects(NOON, 9);
    await attribution.prune(NOON, 9);
  },
  crawlWork: async ({ crawlWork: work, runs }) => {
    await runs.begin('work', NOON);
    for (const name of ['one', 'two']) await list(work, 'work', urlsOf('a', 3, { list: name }));
    await work.seal('work');
    const hold = { runId: 'work', host: 'a.example', owner: 'me' };
    await work.take('work', 'me', 9, 9);
    for (let time = 0; time < 2; time += 1) {
      const receipts = [1, 2].map((n) => receiptOf(`https://a.example/${n}`, 900 + n));
      await done(work, hold, receipts, 9);
    }
    await work.renew(hold, 9);
    await work.left('work', 'a.example', null, 9);
    await work.release(hold);
    await work.progress('work');
    await work.listSize('work', 'one');
    for (const after of [null, 'key']) await work.listed('work', 'one', after, 9);
    for (const limit of [1, 2, 3, 9]) await work.forget('work', limit);
  },
  health: async ({ health }) => {
    await Promise.all([health.write(), health.schema(), health.payments(9), health.crawlLeft('work')]);
  },
};

/** A scan of what the statement brings along or has chosen itself is bounded by it. */
const OWN_ROWS =
  /^SCAN (?:CONSTANT ROW|\d+-ROW VALUES CLAUSE|wanted|one|ended|old|last|free|matched|\(subquery-\d+\))$/;
/**
 * Sorted after reading: the runs of one URL, one a week; the two rows that a claim can find; and whatever an operator's
 * report groups and then orders, by one of three columns or by what was looked for.
 */
const SORTS: Readonly<Record<string, number>> = { runs: 1, payments: 1, attribution: 8 };

/** Rows of a whole run of the crawl: its progress, and what forgetting reads up to its limit and then deletes, of three tables. */
const WHOLE_RUN = /^SEARCH crawl_(?:hosts|targets|listed) USING .*\(run_id=\?\)$/;
const WHOLE_RUNS: Readonly<Record<string, number>> = { crawlWork: 1 + 3 + 3 };

describe('no query reads more of a table than it needs', () => {
  let folder: string;
  let file: SqliteFile;
  let connected: Connected;
  const prepares: string[] = [];
  const executed: string[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'assay-plans-'));
    const { DatabaseSync } = await loadSqlite();
    file = new DatabaseSync(join(folder, 'assay.db'));
    const statements = cachedStatements({
      exec: (sql) => file.exec(sql),
      close: () => file.close(),
      prepare(sql) {
        prepares.push(sql);
        return file.prepare(sql);
      },
    });
    const database = new Kysely<Tables>({
      dialect: new SqliteDialect({ database: statements }),
      log({ query }) {
        executed.push(query.sql);
      },
    });
    const writes = groupCommit(database, (statement) => statements.prepare(statement).run([]));
    connected = { engine: 'sqlite', database, writes, waiting: writes.waiting };
    await migrate(connected);
  });
  afterAll(async () => {
    await connected.database.destroy();
    await rm(folder, { recursive: true });
  });

  it('has all stores in its list', () => {
    const { close: _, waiting: _count, ...stores } = storeOn(connected);
    expect(Object.keys(USES)).toEqual(Object.keys(stores));
  });

  it.each(Object.keys(USES))('in %s', async (name) => {
    prepares.length = 0;
    await USES[name]?.(storeOn(connected));
    const queries = prepares.filter((sql) => /^(?:select|insert|update|delete|with)\b/.test(sql));
    expect(queries.length).toBeGreaterThanOrEqual(3);
    const steps = queries.flatMap((sql) => planOf(sql).map((step) => ({ step, sql })));
    expect(steps.filter(({ step }) => step.startsWith('SCAN') && !OWN_ROWS.test(step))).toEqual([]);
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
      const asked = () => executed.filter((sql) => sql.includes('crawl_receipts'));
      const ofSkips = () => asked().flatMap((sql) => planOf(sql).filter((step) => step.startsWith('SEARCH')));
      await runs.countSkips('run', { filter, lead });
      for (const step of ofSkips()) expect(step).toContain(`${index} (run_id=?`);
      expect(ofSkips().length).toBeGreaterThanOrEqual(2);
      executed.length = 0;
      for (const after of [null, { gap: 0, url: 'url', id: 'id' }])
        await runs.skips('run', { filter, lead }, { after, limit: 9 });
      for (const step of ofSkips()) expect(step).toContain(index.replace('COVERING ', ''));
    },
  );

  it('and a scan would be seen', () => {
    expect(planOf('select key from payments where holder = ?')).toEqual(['SCAN payments']);
  });

  function planOf(sql: string): string[] {
    const values = (sql.match(/\?/g) ?? []).map(() => null);
    const steps = file.prepare(`explain query plan ${sql}`).all(...values);
    return steps.map((step) => String(Object(step).detail));
  }
});
