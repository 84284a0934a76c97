import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { packedLines, writePacked } from '../../../adapters/archive/packed-file.ts';
import { fileLogMark } from '../../../adapters/log/log-mark.ts';
import { type BackupLine, backupLine, copyIn, copyOut } from '../../../adapters/store/backup.ts';
import { HISTORY } from '../../../adapters/store/migrations/history.ts';
import { schemaVersion } from '../../../adapters/store/migrations/schema-version.ts';
import { type Connected, storeOn } from '../../../adapters/store/store.ts';
import { moveDurably } from '../../../adapters/system/durable-file.ts';
import type { Outcome } from '../../../cli/exit-code.ts';
import type { Arguments } from '../../../cli/read-arguments.ts';
import { beginNewEpoch, restoreTiles } from '../../../flows/log/begin-epoch.ts';
import { NO_KEYS } from '../../../flows/log/log-keys.ts';
import { secretOf } from '../../build/keep-secret.ts';
import { openStore } from '../../build/open-store.ts';
import { fingerprintOf } from '../../build/same-secret.ts';
import { SYSTEM } from '../../build/system.ts';
import { type Config, readConfig } from '../../config/config.ts';
import type { Output } from '../output.ts';
import { stopSignal } from '../stop-signal.ts';
import { fillBackupFolder, readBackupOptions } from './backup-folder.ts';

/** Enough for a million rows on a slow disk. */
const STATEMENT_MS = 600_000;

/** assay backup */
export async function runBackup(
  given: Arguments,
  output: Output,
  environment?: NodeJS.ProcessEnv,
): Promise<Outcome> {
  const [path = ''] = given.words;
  const options = readBackupOptions(given);
  if ('invalid' in options) return options;
  const reading = readConfig(environment);
  if (reading.kind === 'invalid') return output.fail(`invalid setting: ${reading.problem}`);
  const write = (file: string) => writeBackup(file, reading.config, output);
  if (options.keep === null) return write(path);
  if (!existsSync(path)) return output.fail(`${path} does not exist`);
  const { keep, everyHours } = options;
  return fillBackupFolder({ folder: path, keep, everyHours, write, now: SYSTEM.now, stop: stopSignal() });
}

async function writeBackup(file: string, config: Config, output: Output): Promise<Outcome> {
  if (existsSync(file)) return output.fail(`${file} already exists`);
  if (config.databaseUrl === null && !existsSync(join(config.dataDir, 'assay.db'))) {
    return output.fail(`there is no store in ${config.dataDir}`);
  }
  // An older schema stays as it is: its release may have to start again, and to restore this backup.
  const schema = await schemaIn(config).catch(() => null);
  if (schema === null || schema > HISTORY.length) await (await openStore(config)).close();
  // Named after this process: a concurrent backup has its own draft.
  const draft = `${file}.${process.pid}.part`;
  const connected = await connect(config);
  try {
    const rows = await writeFile(draft, connected);
    await moveDurably(draft, file);
    output.note(`${rows} rows in ${file}; keep the secret with it`);
    return 0;
  } catch (fault) {
    rmSync(draft, { force: true });
    throw fault;
  } finally {
    await connected.database.destroy();
  }
}

async function schemaIn(config: Config): Promise<number> {
  const { database } = await connect(config);
  try {
    return await schemaVersion(database);
  } finally {
    await database.destroy();
  }
}

/** assay restore */
export async function runRestore(
  { words: [file = ''] }: Arguments,
  output: Output,
  environment?: NodeJS.ProcessEnv,
): Promise<Outcome> {
  const reading = readConfig(environment);
  if (reading.kind === 'invalid') return output.fail(`invalid setting: ${reading.problem}`);
  const { config } = reading;
  if (!existsSync(file)) return output.fail(`${file} does not exist`);
  const connected = await connect(config);
  try {
    const damaged: string[] = [];
    const rows = await copyIn(connected, linesOf(file), async (inside) => {
      damaged.push(...(await restoreLog(inside, config)));
    });
    output.note(`${rows} rows restored`);
    const epoch = await storeOn(connected).transparencyLog.current();
    if (epoch !== null) output.note(`the transparency log goes on as ${epoch.origin}: tell its witnesses`);
    if (!(await hasItsSecret(config, connected))) {
      output.note('the secret differs from that of the backup: restore it before the service starts');
    }
    const [origin] = damaged;
    if (origin === undefined) return 0;
    return output.fail(
      `the entries of the log ${origin} do not give its signed root; the rows are restored, and nobody can prove what is in it`,
    );
  } finally {
    await connected.database.destroy();
  }
}

async function connect({ dataDir, databaseUrl }: Config): Promise<Connected> {
  if (databaseUrl !== null) {
    const { connectPostgres } = await import('../../../adapters/store/postgres/open.ts');
    return connectPostgres({ url: databaseUrl, poolSize: 1, statementTimeoutMs: STATEMENT_MS });
  }
  const { connectSqlite } = await import('../../../adapters/store/sqlite/open.ts');
  return connectSqlite(join(dataDir, 'assay.db'));
}

/**
 * What was published after the backup was made is lost, so the log must not go on as if nothing had happened. The service that
 * starts next signs the new epoch. With the rows: a restore that is killed must not leave a log that the next service continues, nor
 * one without its tiles.
 */
async function restoreLog(inside: Connected, { dataDir }: Config): Promise<readonly string[]> {
  const { transparencyLog } = storeOn(inside);
  const damaged = await restoreTiles(transparencyLog);
  await beginNewEpoch(transparencyLog, NO_KEYS, fileLogMark(dataDir));
  return damaged;
}

/** Does not create a secret: this command leaves no other files behind. */
async function hasItsSecret(config: Config, { database }: Connected): Promise<boolean> {
  const kept = await database.selectFrom('secret_fingerprint').select('fingerprint').executeTakeFirst();
  if (kept === undefined) return true;
  if (config.secret === null && !existsSync(join(config.dataDir, 'secret'))) return false;
  return kept.fingerprint === fingerprintOf(secretOf(config));
}

/** One JSON object a line. */
function writeFile(file: string, connected: Connected): Promise<number> {
  return writePacked(file, (append) => copyOut(connected, (line) => append(`${JSON.stringify(line)}\n`)));
}

async function* linesOf(file: string): AsyncGenerator<BackupLine> {
  try {
    for await (const line of packedLines(file)) yield backupLine.parse(JSON.parse(line));
  } catch (cause) {
    throw new Error(`${file} ${whatIsWrong(cause)}`, { cause });
  }
}

/** The words of the decompressor and of the parser say nothing about a backup. */
function whatIsWrong(fault: unknown): string {
  const code = fault instanceof Error && 'code' in fault ? fault.code : null;
  switch (code) {
    case 'Z_BUF_ERROR':
      return 'is cut off: use another backup';
    case 'EISDIR':
      return 'is a folder';
    case 'EACCES':
      return 'may not be read';
    default:
      return 'is no backup of assay, or is damaged';
  }
}
