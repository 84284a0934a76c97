import { inBatches } from '../../../core/concurrency/in-batches.ts';
import type { KeptSnapshot, SnapshotPart, SnapshotStore } from '../../../ports/snapshot/snapshots.ts';
import type { Dialect } from '../engine/dialect.ts';
import { insertRows } from '../engine/insert-rows.ts';
import type { SnapshotRow } from '../engine/snapshot-tables.ts';
import type { Queries } from '../engine/tables.ts';
import type { Writes } from '../engine/writes.ts';

/** Bounds a statement, and how long other writers wait: with a million endpoints a part has 60 kB. */
const PARTS_A_STATEMENT = 16;
const HEAD = 256;
const DELTA = 257;
const KEPT = 2;

export function sqlSnapshots(database: Queries, writes: Writes, dialect: Dialect): SnapshotStore {
  return {
    async latest() {
      const row = await newestFirst(database).limit(1).executeTakeFirst();
      return row === undefined ? null : snapshotOf(row);
    },
    async find(sha256) {
      const row = await newestFirst(database).where('sha256', '=', sha256).executeTakeFirst();
      return row === undefined ? null : snapshotOf(row);
    },
    async part(sha256, part) {
      const row = await database
        .selectFrom('snapshot_parts')
        .innerJoin('snapshots', 'snapshots.sha256', 'snapshot_parts.sha256')
        .select('bytes')
        .where('snapshot_parts.sha256', '=', sha256)
        .where('part', '=', numberOf(part))
        .executeTakeFirst();
      return row === undefined ? null : Buffer.from(row.bytes);
    },
    async add(sha256, parts) {
      for (const batch of inBatches(parts, PARTS_A_STATEMENT)) {
        const rows = batch.map(({ part, bytes }) => ({ sha256, part: numberOf(part), bytes }));
        await writes.one((queries) => insertRows(queries, dialect, PARTS, rows));
      }
    },
    publish: (snapshot, after) =>
      writes.unit(async (queries) => {
        await dialect.waitForTurn(queries, TURN);
        const kept = await newestFirst(queries).execute();
        if ((kept[0]?.sha256 ?? null) !== after) return false;
        return show(queries, snapshot, kept.slice(0, KEPT - 1));
      }),
    replaceAll: (snapshot) =>
      writes.unit(async (queries) => {
        await dialect.waitForTurn(queries, TURN);
        return show(queries, snapshot, []);
      }),
  };
}

const PARTS = {
  table: 'snapshot_parts',
  columns: ['sha256', 'part', 'bytes'],
  onConflict: 'do nothing',
} as const;

const TURN = 'publish a snapshot';

function newestFirst(queries: Queries) {
  return queries.selectFrom('snapshots').selectAll().orderBy('crawled_at', 'desc').orderBy('sha256');
}

/** Inserts it, unless parts are missing, and removes everything but it and the others that stay. */
async function show(
  queries: Queries,
  snapshot: KeptSnapshot,
  others: readonly Pick<SnapshotRow, 'sha256'>[],
): Promise<boolean> {
  const { sha256, deltaFrom } = snapshot;
  const { parts } = await queries
    .selectFrom('snapshot_parts')
    .select(({ fn }) => fn.countAll<number | string>().as('parts'))
    .where('sha256', '=', sha256)
    .executeTakeFirstOrThrow();
  const wanted = deltaFrom === null ? DELTA : DELTA + 1;
  if (Number(parts) < wanted) return false;
  const staying = [sha256, ...others.map((other) => other.sha256)];
  // A row of the same file may name a delta from a file that goes.
  await queries
    .deleteFrom('snapshots')
    .where(({ eb, or }) => or([eb('sha256', 'not in', staying), eb('sha256', '=', sha256)]))
    .execute();
  // The file that is published last is the latest, also after one whose run was dated by a wrong clock.
  await queries
    .updateTable('snapshots')
    .set({ crawled_at: snapshot.crawledAt.getTime() - 1 })
    .where('crawled_at', '>=', snapshot.crawledAt.getTime())
    .execute();
  await queries.insertInto('snapshots').values(rowOf(snapshot)).execute();
  await queries.deleteFrom('snapshot_parts').where('sha256', 'not in', staying).execute();
  if (deltaFrom === null) await deltaOf(queries, sha256).execute();
  return true;
}

function deltaOf(queries: Queries, sha256: string) {
  return queries.deleteFrom('snapshot_parts').where('sha256', '=', sha256).where('part', '=', DELTA);
}

function numberOf(part: SnapshotPart): number {
  if (part === 'head') return HEAD;
  return part === 'delta' ? DELTA : part;
}

function rowOf(snapshot: KeptSnapshot): SnapshotRow {
  const { sha256, runId, crawledAt, expiresAt, size, manifest, deltaFrom } = snapshot;
  return {
    sha256,
    run_id: runId,
    crawled_at: crawledAt.getTime(),
    expires_at: expiresAt.getTime(),
    size,
    manifest,
    delta_from: deltaFrom,
  };
}

function snapshotOf(row: SnapshotRow): KeptSnapshot {
  return {
    sha256: row.sha256,
    runId: row.run_id,
    crawledAt: new Date(row.crawled_at),
    expiresAt: new Date(row.expires_at),
    size: row.size,
    manifest: row.manifest,
    deltaFrom: row.delta_from,
  };
}
