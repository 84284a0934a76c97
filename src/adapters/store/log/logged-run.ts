import { encodeBase64 } from '../../../core/log/base64.ts';
import { runTree } from '../../../core/log/run-tree.ts';
import { TILE_WIDTH } from '../../../core/log/tile.ts';
import type { LoggedRun } from '../../../ports/log/transparency-log.ts';
import type { Queries } from '../engine/tables.ts';
import type { EntryStatements } from './log-rows.ts';

/** The head of a run's tree and its entry in the log, inside of the transaction that publishes the run. */
export async function keepLoggedRun(
  queries: Queries,
  { insert }: EntryStatements,
  { head, entry }: LoggedRun,
): Promise<void> {
  const { tree, origin, key, size, root, checkpoint } = head;
  await queries
    .insertInto('log_heads')
    .values({
      tree,
      epoch: null,
      origin,
      key,
      size,
      root: encodeBase64(root),
      checkpoint,
      // The entry in the log is what witnesses see, so nobody is asked about this checkpoint.
      published_size: size,
      published: checkpoint,
      cosigned_size: null,
      cosigned: null,
    })
    .execute();
  await insert(queries, entry.id, entry.entry);
}

/** Deletes the tiles that a tree of this size does not have. */
export async function keepTilesBelow(queries: Queries, runId: string, size: number): Promise<void> {
  for (let level = 0, hashes = size; level < LEVELS; level += 1, hashes = Math.floor(hashes / TILE_WIDTH)) {
    await queries
      .deleteFrom('log_tiles')
      .where('tree', '=', runTree(runId))
      .where('level', '=', level)
      .where('n', '>=', Math.ceil(hashes / TILE_WIDTH))
      .execute();
  }
}

/** 256 to the fifth: far more rows than a run has. */
const LEVELS = 5;
