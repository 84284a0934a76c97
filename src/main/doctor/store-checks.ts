import { faultLine } from '../../adapters/store/engine/fault-line.ts';
import { HISTORY } from '../../adapters/store/migrations/history.ts';
import { schemaVersion } from '../../adapters/store/migrations/schema-version.ts';
import { fingerprintOf } from '../build/same-secret.ts';
import { clockVerdict } from './clock-check.ts';
import { type Check, type DoctorParts, knownSecret, type OpenedStore } from './doctor-parts.ts';
import { failure, off, ok, type Verdict, warning } from './finding.ts';

const NO_STORE = warning('there is none yet', 'start the service once, or run assay migrate');
const NOT_KNOWN = warning('not known: the store cannot be read', 'see store');

/** Everything that is asked of the database. Nothing is migrated, and what is written leaves nothing behind. */
export const STORE_CHECKS: readonly Check[] = [
  { name: 'store', look: lookAtStore },
  { name: 'schema', look: (parts) => reading(parts, lookAtSchema) },
  { name: 'secret', look: (parts) => reading(parts, lookAtSecret) },
  { name: 'clock of the database', look: (parts) => reading(parts, lookAtClock) },
];

async function lookAtStore({ config, store }: DoctorParts): Promise<Verdict> {
  const isServer = config.databaseUrl !== null;
  const fix = isServer
    ? 'start the server, or change DATABASE_URL'
    : 'DATA_DIR must be a folder that this user may write';
  try {
    const opened = await store();
    if (opened === null) return NO_STORE;
    await opened.store.health.clock();
    // A database without our tables is no fault of the server.
    if ((await versionOf(opened)) === 0) return ok(`${nameOf(config)} answers, without tables yet`);
    await opened.store.health.write();
    return ok(`${nameOf(config)} takes writes`);
  } catch (fault) {
    return failure(`${nameOf(config)} does not take writes: ${faultLine(fault)}`, fix);
  }
}

function nameOf({ databaseUrl, dataDir }: DoctorParts['config']): string {
  return databaseUrl === null ? `the store in ${dataDir}` : 'PostgreSQL';
}

/** A fault of the store has its own line already. */
async function reading(
  parts: DoctorParts,
  look: (opened: OpenedStore, parts: DoctorParts) => Promise<Verdict>,
): Promise<Verdict> {
  const opened = await parts.store().catch(() => null);
  if (opened === null) return NOT_KNOWN;
  try {
    await opened.store.health.clock();
  } catch {
    return NOT_KNOWN;
  }
  return look(opened, parts);
}

async function lookAtSchema(opened: OpenedStore): Promise<Verdict> {
  const version = await versionOf(opened);
  const ours = HISTORY.length;
  if (version === ours) return ok(`version ${version}`);
  if (version > ours) {
    return warning(
      `version ${version} of a later release; this program knows ${ours}`,
      'upgrade this program',
    );
  }
  return failure(
    `version ${version}; this program needs ${ours}`,
    'take a backup, then run assay migrate or start the new service',
  );
}

/** 0 before the first migration. */
async function versionOf({ connected: { database } }: OpenedStore): Promise<number> {
  try {
    return await schemaVersion(database);
  } catch (fault) {
    if (fault instanceof Error && /no such table|does not exist/.test(fault.message)) return 0;
    throw fault;
  }
}

async function lookAtSecret(opened: OpenedStore, { config }: DoctorParts): Promise<Verdict> {
  if ((await versionOf(opened)) === 0) return off('no tables yet: run assay migrate');
  const kept = await opened.connected.database
    .selectFrom('secret_fingerprint')
    .select('fingerprint')
    .executeTakeFirst();
  const secret = knownSecret(config);
  if (secret === null) {
    return failure(
      `neither SECRET nor ${config.dataDir}/secret is there`,
      'restore the secret of this database',
    );
  }
  if (kept === undefined) return warning('the database has no fingerprint yet', 'start the service once');
  const own = fingerprintOf(secret);
  if (own === kept.fingerprint) return ok(`fingerprint ${own}, that of the database`);
  return failure(
    `fingerprint ${own}, but the database has ${kept.fingerprint}`,
    'use the same SECRET everywhere, or run assay migrate --new-secret to go on with this one',
  );
}

async function lookAtClock({ store }: OpenedStore, { now }: DoctorParts): Promise<Verdict> {
  const before = now().getTime();
  const theirs = (await store.health.clock()).getTime();
  return clockVerdict(theirs - (before + now().getTime()) / 2);
}
