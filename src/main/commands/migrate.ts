import { join } from 'node:path';
import type { Connected, Store } from '../../adapters/store/store.ts';
import { EXIT, type Outcome } from '../../cli/exit-code.ts';
import type { Arguments } from '../../cli/read-arguments.ts';
import { keyChange } from '../../flows/log/log-keys.ts';
import { secretOf } from '../build/keep-secret.ts';
import { logKeysOf } from '../build/log-keys.ts';
import { openStore } from '../build/open-store.ts';
import { fingerprintOf } from '../build/same-secret.ts';
import { type Config, readConfig } from '../config/config.ts';
import { faultText, type Output } from './output.ts';

/** assay migrate: opens the store, which brings its schema up to this release, and prints what that changed. */
export async function migrate(
  given: Arguments,
  output: Output,
  environment?: NodeJS.ProcessEnv,
): Promise<Outcome> {
  const reading = readConfig(environment);
  if (reading.kind === 'invalid') return output.fail(`invalid setting: ${reading.problem}`);
  try {
    const { config } = reading;
    // The table does not exist yet, or the database cannot be reached; opening the store then says why.
    const before = await appliedSteps(config).catch(() => []);
    const store = await openStore(config);
    const isStopped = given.has('--new-secret') && (await replaceSecret(config, store));
    await store.close();
    if (isStopped) output.note(LOG_STOPS);
    const after = await appliedSteps(config);
    const applied = after.slice(before.length);
    if (given.has('--json')) output.json({ version: after.length, applied });
    else output.print([words(applied, after.length), ...secretWords(given, config)].join('\n'));
    return EXIT.done;
  } catch (fault) {
    return output.fail(faultText(fault));
  }
}

const LOG_STOPS =
  'The key of the transparency log came from the former secret: run assay log epoch before you start the service, or nothing more is logged.';

/** Whether the log has a key that this process cannot have any more. */
async function replaceSecret(config: Config, { secretMark, transparencyLog }: Store): Promise<boolean> {
  const secret = secretOf(config);
  await secretMark.replace(fingerprintOf(secret));
  const head = await transparencyLog.current();
  const { signersOf } = logKeysOf(config.transparency, secret);
  return head !== null && keyChange(head, signersOf(head)).kind === 'other_keys';
}

function secretWords(given: Arguments, config: Config): readonly string[] {
  if (!given.has('--new-secret')) return [];
  const fingerprint = fingerprintOf(secretOf(config));
  return [`The secret of this database is now the one of this process (fingerprint ${fingerprint}).`];
}

function words(applied: readonly string[], version: number): string {
  if (applied.length === 0) return `The schema is current: version ${version}.`;
  return `Applied ${applied.join(', ')}. The schema is now at version ${version}.`;
}

/** The names of the steps that the database has taken, in their order. */
async function appliedSteps(config: Config): Promise<readonly string[]> {
  const { database } = await connect(config);
  try {
    const rows = await database.selectFrom('schema_migrations').select('name').orderBy('version').execute();
    return rows.map(({ name }) => name);
  } finally {
    await database.destroy();
  }
}

async function connect({ dataDir, databaseUrl }: Config): Promise<Connected> {
  if (databaseUrl !== null) {
    const { connectPostgres } = await import('../../adapters/store/postgres/open.ts');
    return connectPostgres({ url: databaseUrl, poolSize: 1 });
  }
  const { connectSqlite } = await import('../../adapters/store/sqlite/open.ts');
  return connectSqlite(join(dataDir, 'assay.db'));
}
