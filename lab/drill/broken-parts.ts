import { setTimeout as wait } from 'node:timers/promises';
import { Client } from 'pg';
import type { FrontProxy } from '../world/proxy.ts';
import type { Witness } from '../world/witness.ts';
import type { Worker } from '../world/workers.ts';
import type { World } from '../world/world.ts';

/** Each part of the deployment, its alarm, and the step as the section of the alarm says it under "Do". */
export const DRILLED = {
  'one replica': { alarm: 'AssayDown', step: 'start it' },
  'all replicas': { alarm: 'AssayAllDown', step: 'start them' },
  proxy: { alarm: 'AssayNoTraffic', step: 'restart the proxy' },
  PostgreSQL: { alarm: 'AssayStoreFailing', step: 'start PostgreSQL' },
  facilitator: { alarm: 'AssayFacilitatorFailing', step: 'set another `FACILITATOR_URL`' },
  witness: { alarm: 'AssayWitnessSilent', step: 'ask who runs it to start it' },
  crawler: { alarm: 'AssayCrawlOld', step: '`assay crawl --resume`, or `assay crawl`' },
  'verify runner': { alarm: 'AssayPaidCallsOld', step: 'start it' },
  'sequencing of the log': {
    alarm: 'AssayLogWaiting',
    step: 'end a session that holds the lock of `log_heads`',
  },
} as const;

type PartName = keyof typeof DRILLED;

/** How a part is broken, and how the step of the runbook is done. */
interface Breakable {
  break(): Promise<void>;
  mend(): Promise<void>;
}

export interface BrokenPart extends Breakable {
  readonly part: string;
  readonly alarm: string;
  readonly step: string;
}

export interface DrillWorld {
  readonly world: World;
  readonly proxy: FrontProxy;
  readonly witness: Witness;
  readonly crawler: Worker;
  readonly verifier: Worker;
}

export function brokenParts(parts: DrillWorld): readonly BrokenPart[] {
  return Object.entries(breakables(parts)).map(([part, breakable]) => {
    const drilled = Object.entries(DRILLED).find(([name]) => name === part);
    if (drilled === undefined) throw new Error(`nobody knows what to do about ${part}`);
    return { part, ...drilled[1], ...breakable };
  });
}

/** In the order in which they are broken. */
function breakables({
  world,
  proxy,
  witness,
  crawler,
  verifier,
}: DrillWorld): Readonly<Record<PartName, Breakable>> {
  const { replicas, database, surroundings } = world;
  const [first] = replicas;
  if (first === undefined || database.power === null) throw new Error('a drill needs replicas and a server');
  const { power } = database;
  const { facilitator } = surroundings;
  return {
    'one replica': { break: first.kill, mend: first.start },
    'all replicas': {
      break: async () => void (await Promise.all(replicas.map((replica) => replica.kill()))),
      mend: async () => void (await Promise.all(replicas.map((replica) => replica.start()))),
    },
    proxy: { break: proxy.kill, mend: proxy.start },
    PostgreSQL: { break: () => power.off('SIGKILL'), mend: power.on },
    // Another one behind the same address.
    facilitator: { break: facilitator.kill, mend: facilitator.start },
    witness: { break: witness.kill, mend: witness.start },
    crawler: { break: crawler.kill, mend: crawler.start },
    'verify runner': { break: verifier.kill, mend: verifier.start },
    'sequencing of the log': lockedLog(database.settings['DATABASE_URL'] ?? ''),
  };
}

/** Somebody's session that was left open, with the lock that sequencing needs. */
function lockedLog(url: string): Breakable {
  const state: { session: Client | null } = { session: null };
  return {
    async break() {
      const session = new Client({ connectionString: url, application_name: 'left-open' });
      // It is ended by force.
      session.on('error', () => {});
      await session.connect();
      await session.query('begin');
      await session.query('select * from log_heads for update');
      state.session = session;
    },
    async mend() {
      const admin = new Client({ connectionString: url });
      await admin.connect();
      await admin.query(`select pg_terminate_backend(pid) from pg_locks
        where relation = 'log_heads'::regclass and pid in
          (select pid from pg_stat_activity where application_name = 'left-open')`);
      await admin.end();
      await wait(0);
      await state.session?.end().catch(() => {});
    },
  };
}
