import type { Client } from 'pg';
import type { Migration } from '../../src/adapters/store/migrations/step.ts';
import type { Connected } from '../../src/adapters/store/store.ts';
import { weekName, weeksLater } from '../../src/core/receipt/iso-week.ts';
import type { Finding } from '../report/findings.ts';

const WAL_RECEIPTS = 2_000;

async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1_000;
}

async function bytes(client: Client, query: string): Promise<number> {
  const { rows } = await client.query<{ bytes: string }>(query);
  return Number(rows[0]?.bytes);
}

/** Of the tables and their indexes, and what goes through the write-ahead log. */
export async function sizes(
  client: Client,
  count: number,
  add: (n: number) => Promise<unknown>,
): Promise<Finding[]> {
  const heap = await bytes(
    client,
    `select sum(pg_table_size(relid)) as bytes from pg_partition_tree('live_receipts')`,
  );
  const all = await bytes(
    client,
    `select sum(pg_total_relation_size(relid)) as bytes from pg_partition_tree('live_receipts')`,
  );
  const at = () => bytes(client, `select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') as bytes`);
  const walOf = async (receipts: number) => {
    const before = await at();
    for (let n = 0; n < receipts; n += 1) await add(n);
    return ((await at()) - before) / receipts;
  };
  await client.query('checkpoint');
  const [first, next] = [await walOf(WAL_RECEIPTS), await walOf(WAL_RECEIPTS)];
  return [
    {
      what: 'bytes of a receipt, indexes included',
      measured: `${(all / count).toFixed(0)} B`,
      bare: `${(heap / count).toFixed(0)} B without`,
    },
    {
      what: `write-ahead log of a receipt and its entry, the first ${WAL_RECEIPTS} after a checkpoint; bare is the next ${WAL_RECEIPTS}`,
      measured: `${first.toFixed(0)} B`,
      bare: `${next.toFixed(0)} B`,
    },
  ];
}

/** A week that is dropped, beside one whose rows are deleted. */
export async function endOfWeeks(client: Client, from: Date, perWeek: number): Promise<Finding> {
  const deleted = await secondsOf(() => client.query(`delete from live_receipts_${weekName(from)}`));
  const dropped = await secondsOf(() =>
    client.query(`drop table live_receipts_${weekName(weeksLater(from, 1))}`),
  );
  return {
    what: `a week of ${perWeek} receipts is dropped; bare is deleting them`,
    measured: `${(dropped * 1_000).toFixed(0)} ms`,
    bare: `${(deleted * 1_000).toFixed(0)} ms`,
    ratio: dropped / deleted,
    bound: '<= 0.1',
    kept: dropped / deleted <= 0.1,
  };
}

/** The step that makes one table the first partition: how long others wait, beside how long its rows are read. */
export async function stepOf(
  { writes }: Pick<Connected, 'writes'>,
  step: Migration,
  count: number,
): Promise<Finding> {
  const first = await secondsOf(async () => {
    for (const work of step.onPostgresFirst ?? []) await writes.unit(work);
  });
  const taken = await secondsOf(() => writes.unit((queries) => step.up(queries, 'postgres')));
  return {
    what: `the table of ${count} receipts becomes a partition; bare is the look before it, beside which others write`,
    measured: `${(taken * 1_000).toFixed(0)} ms`,
    bare: `${(first * 1_000).toFixed(0)} ms`,
  };
}
