import { CLOCKS_APART_MS } from '../../../core/is-dated-ahead.ts';
import type { ProbeCache, ProbeKey, StoredProbe } from '../../../ports/probe-cache.ts';
import type { Dialect } from '../engine/dialect.ts';
import { forgetOldest, isBefore } from '../engine/forget-oldest.ts';
import type { Queries, Tables } from '../engine/tables.ts';
import type { Writes } from '../engine/writes.ts';
import { decodeObservation, encodeObservation } from './observation-codec.ts';

export function sqlProbes(
  database: Queries,
  writes: Writes,
  dialect: Dialect,
  statements: ProbeStatements,
): ProbeCache {
  return {
    find: (key, since) => statements.find(database, key, since),
    keep: (key, probe) => writes.one((queries) => statements.keep(queries, key, probe)),
    prune: (before, limit) =>
      writes.one((queries) =>
        forgetOldest(queries, dialect, {
          table: 'probe_cache',
          key: ['url_key', 'method'],
          where: isBefore('probed_at', before),
          orderBy: ['probed_at'],
          limit,
        }),
      ),
  };
}

export interface ProbeStatements {
  find(queries: Queries, key: ProbeKey, since: Date): Promise<StoredProbe | null>;
  /** The time of the stored probe, if it is newer than this. */
  newer(queries: Queries, key: ProbeKey, than: Date): Promise<Date | null>;
  /** Keeps the newer of what is there and this one; what a wrong clock has dated ahead is not newer (gap L76). */
  keep(queries: Queries, key: ProbeKey, probe: StoredProbe): Promise<void>;
}

type ProbeRow = Pick<Tables['probe_cache'], 'probed_at' | 'spelling' | 'observation'>;

export function probeStatements(dialect: Dialect): ProbeStatements {
  const find = dialect.statement<ProbeRow>(
    'find_probe',
    `select probed_at, spelling, observation from probe_cache
      where url_key = ? and method = ? and probed_at >= ?`,
  );
  const newer = dialect.statement<Pick<ProbeRow, 'probed_at'>>(
    'newer_probe',
    'select probed_at from probe_cache where url_key = ? and method = ? and probed_at > ?',
  );
  const keep = dialect.statement('keep_probe', KEEP_PROBE);
  return {
    async find(queries, { urlKey, method }, since) {
      const { rows } = await queries.executeQuery(find([urlKey, method, since.getTime()]));
      return rows[0] === undefined ? null : storedProbe(rows[0]);
    },
    async newer(queries, { urlKey, method }, than) {
      const { rows } = await queries.executeQuery(newer([urlKey, method, than.getTime()]));
      return rows[0] === undefined ? null : new Date(rows[0].probed_at);
    },
    async keep(queries, key, probe) {
      await queries.executeQuery(keep(probeRow(key, probe)));
    },
  };
}

export const KEEP_PROBE = `insert into probe_cache (url_key, method, probed_at, spelling, observation) values (?, ?, ?, ?, ?)
  on conflict (url_key, method) do update
  set probed_at = excluded.probed_at, spelling = excluded.spelling, observation = excluded.observation
  where probe_cache.probed_at < excluded.probed_at or probe_cache.probed_at > excluded.probed_at + ${CLOCKS_APART_MS}`;

/** Its values. */
export function probeRow({ urlKey, method }: ProbeKey, probe: StoredProbe): readonly unknown[] {
  return [urlKey, method, probe.probedAt.getTime(), probe.spelling, encodeObservation(probe)];
}

/** While two releases share a store, one may keep what the other cannot read; that is a miss, not a fault. */
function storedProbe({ probed_at, spelling, observation: text }: ProbeRow): StoredProbe | null {
  const observed = decodeObservation(text);
  return observed === null ? null : { probedAt: new Date(probed_at), spelling, ...observed };
}
