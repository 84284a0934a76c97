import { sql } from 'kysely';
import type { StoreHealth, WrittenTo } from '../../../ports/store-health.ts';
import type { Queries } from '../engine/tables.ts';
import { DATABASE_IDENTITY } from '../operate/health.ts';

/** `other`: not a standby of our database. `away`: it, or our database, does not answer. */
export type ReplicaState = 'current' | 'behind' | 'away' | 'other';

export interface FollowPorts {
  readonly primary: Pick<StoreHealth, 'written'>;
  readonly replica: Queries;
  readonly stopwatch: () => number;
  readonly onState?: ((state: ReplicaState) => void) | undefined;
}

export interface Follower {
  /** Whether everything that was committed `AGE_MAX_MS` ago can be read there. Never waits; begins a look when the last one is old. */
  isCurrent(): boolean;
  /** For how long it may lack what was committed; Infinity before it had anything. */
  ageMs(): number;
  look(): Promise<ReplicaState>;
  /** A read has failed: it is not current until the next look. */
  failed(): void;
}

/** Older data is not shown: an operator who withdraws a receipt expects to see it gone. */
const AGE_MAX_MS = 5_000;
const LOOK_EVERY_MS = 1_000;

/**
 * Compares positions in the write-ahead log and no clocks: a standby of a database in which nothing happens is current, and
 * `pg_last_xact_replay_timestamp` would say that it is hours behind.
 */
export function createFollower({ primary, replica, stopwatch, onState }: FollowPorts): Follower {
  /** What was written at this moment, until the replica has it. */
  let mark: (WrittenTo & { readonly at: number }) | null = null;
  let currentAt = Number.NEGATIVE_INFINITY;
  let lookedAt = Number.NEGATIVE_INFINITY;
  let looking: Promise<ReplicaState> | null = null;
  let told: ReplicaState | null = null;

  const ageMs = () => stopwatch() - currentAt;
  const compare = async (): Promise<ReplicaState> => {
    try {
      const at = stopwatch();
      mark ??= await primary.written().then((written) => (written === null ? null : { ...written, at }));
      if (mark === null) return 'other';
      const seen = await lookAt(replica, mark.position);
      if (seen.database !== mark.database || !seen.isStandby) return 'other';
      if (seen.has) {
        currentAt = mark.at;
        mark = null;
      }
      return ageMs() > AGE_MAX_MS ? 'behind' : 'current';
    } catch {
      // A later look must not be satisfied by what was written long ago.
      mark = null;
      return 'away';
    }
  };
  const look = async () => {
    lookedAt = stopwatch();
    const state = await compare();
    if (state === 'other' || state === 'away') currentAt = Number.NEGATIVE_INFINITY;
    if (state !== told) onState?.(state);
    told = state;
    return state;
  };
  const lookOnce = () => {
    looking ??= look().finally(() => {
      looking = null;
    });
    return looking;
  };
  return {
    isCurrent() {
      if (stopwatch() - lookedAt >= LOOK_EVERY_MS) void lookOnce();
      return ageMs() <= AGE_MAX_MS;
    },
    ageMs,
    look: lookOnce,
    failed() {
      currentAt = Number.NEGATIVE_INFINITY;
    },
  };
}

function lookAt(replica: Queries, position: string) {
  const has = sql<boolean>`coalesce(pg_last_wal_replay_lsn() >= ${position}::pg_lsn, false)`;
  return replica
    .selectNoFrom([
      DATABASE_IDENTITY.as('database'),
      sql<boolean>`pg_is_in_recovery()`.as('isStandby'),
      has.as('has'),
    ])
    .executeTakeFirstOrThrow();
}
