import type { ReadTile } from '../../core/log/prove.ts';
import type { LogReader } from '../../ports/log/transparency-log.ts';

/** The tiles of a stored tree, for proofs. */
export function tileReader(log: Pick<LogReader, 'tile'>, tree: string): ReadTile {
  return async (tile) => {
    const bytes = await log.tile(tree, tile);
    if (bytes === null) throw new Error(`tile ${tile.level}/${tile.index} of the log is missing`);
    return bytes;
  };
}
