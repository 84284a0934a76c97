import { setTimeout as wait } from 'node:timers/promises';
import type { ReadReplica } from '../../adapters/store/replica/read-replica.ts';
import type { Check, DoctorParts } from './doctor-parts.ts';
import { failure, off, ok, type Verdict, warning } from './finding.ts';

/** A standby that is written to all the time has everything after a moment. */
const LOOKS = 10;
const LOOK_EVERY_MS = 200;

export const REPLICA_CHECK: Check = { name: 'read replica', look: lookAtReplica };

async function lookAtReplica({ config, store }: DoctorParts): Promise<Verdict> {
  const { databaseReadUrl } = config;
  if (databaseReadUrl === null) return off('pages are read from the store: set DATABASE_READ_URL');
  const opened = await store().catch(() => null);
  if (opened === null) return warning('not known: the store cannot be read', 'see store');
  const { openReadReplica } = await import('../../adapters/store/replica/read-replica.ts');
  const replica = openReadReplica({
    url: databaseReadUrl,
    poolSize: 1,
    primary: opened.store.health,
    stopwatch: () => performance.now(),
  });
  try {
    return await stateOf(replica);
  } finally {
    await replica.close();
  }
}

async function stateOf(replica: ReadReplica): Promise<Verdict> {
  for (let looks = 1; ; looks += 1) {
    const state = await replica.look();
    if (state === 'current') return ok('has what was committed a moment ago');
    if (state === 'away') return failure('it, or the database, does not answer', START);
    if (state === 'other')
      return failure('it is not a standby of DATABASE_URL', 'set DATABASE_READ_URL to one');
    if (looks === LOOKS) return warning('it is behind, and pages are read from DATABASE_URL', START);
    await wait(LOOK_EVERY_MS);
  }
}

const START = 'start the standby, or see docs/production.md';
