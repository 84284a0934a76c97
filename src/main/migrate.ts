import { join } from 'node:path';
import type { Connected } from '../adapters/store/store.ts';
import { findCommand } from '../cli/command-table.ts';
import { EXIT } from '../cli/exit-code.ts';
import { readArguments } from '../cli/read-arguments.ts';
import { openStore } from './build/open-store.ts';
import { type Config, readConfig } from './config/config.ts';

/** Where it is run; tests bring their own. */
export interface Ground {
  readonly environment?: NodeJS.ProcessEnv;
  readonly print: (text: string) => void;
  readonly complain: (line: string) => void;
}

const TERMINAL: Ground = {
  print: (text) => process.stdout.write(`${text}\n`),
  complain: (line) => process.stderr.write(`assay: ${line}\n`),
};

/** Opens the store, which brings its schema up to this release, and says what that changed. Answers the exit code. */
export async function migrate(argv: readonly string[], ground: Ground = TERMINAL): Promise<number> {
  const spec = findCommand('migrate');
  if (spec === undefined) throw new Error('the table has no migrate');
  const reading = readArguments(spec, argv);
  if (reading.kind === 'wrong') {
    ground.complain(`${reading.line}; assay migrate --help says more`);
    return EXIT.usage;
  }
  const settings = readConfig(ground.environment);
  if (settings.kind === 'invalid') return fail(ground, `wrong setting: ${settings.problem}`);
  try {
    const { config } = settings;
    // There is no such table yet; or nothing can be asked, and then opening the store says why.
    const before = await appliedSteps(config).catch(() => []);
    await (await openStore(config)).close();
    const after = await appliedSteps(config);
    const applied = after.slice(before.length);
    ground.print(
      reading.given.has('--json')
        ? JSON.stringify({ version: after.length, applied })
        : words(applied, after.length),
    );
    return EXIT.done;
  } catch (fault) {
    return fail(ground, fault instanceof Error ? fault.message : 'the database cannot be opened');
  }
}

function words(applied: readonly string[], version: number): string {
  if (applied.length === 0) return `The schema is current: version ${version}.`;
  return `Applied ${applied.join(', ')}. The schema is now at version ${version}.`;
}

function fail({ complain }: Ground, reason: string): 1 {
  complain(reason);
  return 1;
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
    const { connectPostgres } = await import('../adapters/store/postgres/open.ts');
    return connectPostgres({ url: databaseUrl, poolSize: 1 });
  }
  const { connectSqlite } = await import('../adapters/store/sqlite/open.ts');
  return connectSqlite(join(dataDir, 'assay.db'));
}
