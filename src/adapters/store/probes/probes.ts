import type { ProbeCache, ProbeKey, StoredProbe } from '../../../ports/probe-cache.ts';
import { forgetOldest, isBefore } from '../engine/forget-oldest.ts';
import { runPrepared } from '../engine/prepared.ts';
import type { Engine, Queries } from '../engine/tables.ts';
import type { Writes } from '../engine/writes.ts';
import { decodeObservation, encodeObservation } from './observation-codec.ts';

export function sqlProbes(database: Queries, writes: Writes, engine: Engine): ProbeCache {
  return {
    async find({ urlKey, method }, since) {
      const query = database
        .selectFrom('probe_cache')
        .select(['probed_at', 'spelling', 'observation'])
        .where('url_key', '=', urlKey)
        .where('method', '=', method)
        .where('probed_at', '>=', since.getTime());
      const [row] = (await runPrepared(database, 'find_probe', query)).rows;
      // While two releases share a store, one may keep what the other cannot read; that is a miss, not a fault.
      const observation = row === undefined ? null : decodeObservation(row.observation);
      return row === undefined || observation === null
        ? null
        : { observation, probedAt: new Date(row.probed_at), spelling: row.spelling };
    },
    keep: (key, probe) => writes.one((queries) => keepProbe(queries, key, probe)),
    prune: (before, limit) =>
      writes.one((queries) =>
        forgetOldest(queries, engine, {
          table: 'probe_cache',
          key: ['url_key', 'method'],
          where: isBefore('probed_at', before),
          orderBy: ['probed_at'],
          limit,
        }),
      ),
  };
}

/** Keeps the newer of what is there and this one. */
export async function keepProbe(
  queries: Queries,
  { urlKey, method }: ProbeKey,
  { observation, probedAt, spelling }: StoredProbe,
): Promise<void> {
  const row = { probed_at: probedAt.getTime(), spelling, observation: encodeObservation(observation) };
  const query = queries
    .insertInto('probe_cache')
    .values({ url_key: urlKey, method, ...row })
    .onConflict((conflict) =>
      conflict
        .columns(['url_key', 'method'])
        .doUpdateSet(row)
        .where('probe_cache.probed_at', '<', row.probed_at),
    );
  await runPrepared(queries, 'keep_probe', query);
}
