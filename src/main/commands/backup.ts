import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream, createWriteStream, existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { type BackupLine, backupLine, copyIn, copyOut } from '../../adapters/store/backup.ts';
import type { Connected } from '../../adapters/store/store.ts';
import { keepSecret } from '../build/keep-secret.ts';
import { openStore } from '../build/open-store.ts';
import { type Config, readConfig } from '../config/config.ts';
import type { Voice } from './print-verified.ts';

const USAGE = 'usage: assay backup FILE, or assay restore FILE';

/** Long enough for a million rows on a slow disk. */
const STATEMENT_MS = 600_000;

export async function runBackup(
  argv: readonly string[],
  voice: Voice,
  environment?: NodeJS.ProcessEnv,
): Promise<number> {
  const asked = readAsked(argv, voice, environment);
  if (typeof asked === 'number') return asked;
  const { file, config } = asked;
  if (existsSync(file)) return voice.fail(`${file} is there already`);
  if (config.databaseUrl === null && !existsSync(join(config.dataDir, 'assay.db'))) {
    return voice.fail(`there is no store in ${config.dataDir}`);
  }
  // Applies what is missing of the schema, so that the backup has a version.
  await (await openStore(config)).close();
  // Of this run alone: another one at the same time must not lose its own.
  const draft = `${file}.${process.pid}.part`;
  const connected = await connect(config);
  try {
    const rows = await writeFile(draft, connected, fingerprint(knownSecret(config)));
    renameSync(draft, file);
    voice.say(`${rows} rows in ${file}; keep the secret beside it`);
    return 0;
  } catch (fault) {
    rmSync(draft, { force: true });
    throw fault;
  } finally {
    await connected.database.destroy();
  }
}

export async function runRestore(
  argv: readonly string[],
  voice: Voice,
  environment?: NodeJS.ProcessEnv,
): Promise<number> {
  const asked = readAsked(argv, voice, environment);
  if (typeof asked === 'number') return asked;
  const { file, config } = asked;
  if (!existsSync(file)) return voice.fail(`there is no ${file}`);
  const connected = await connect(config);
  try {
    const head: { secret?: string | null } = {};
    const rows = await copyIn(connected, linesOf(file, head));
    voice.say(`${rows} rows restored`);
    const secret = fingerprint(knownSecret(config));
    if ((head.secret ?? null) !== secret) {
      voice.say('the secret is not the one of the backup: put that in place before the service starts');
    }
    return 0;
  } finally {
    await connected.database.destroy();
  }
}

function readAsked(
  argv: readonly string[],
  voice: Voice,
  environment: NodeJS.ProcessEnv | undefined,
): number | { readonly file: string; readonly config: Config } {
  const [file, ...rest] = argv;
  if (file === undefined || file.startsWith('-') || rest.length > 0) return voice.fail(USAGE);
  const reading = readConfig(environment);
  if (reading.kind === 'invalid') return voice.fail(`wrong setting: ${reading.problem}`);
  return { file, config: reading.config };
}

async function connect({ dataDir, databaseUrl }: Config): Promise<Connected> {
  if (databaseUrl !== null) {
    const { connectPostgres } = await import('../../adapters/store/postgres/open.ts');
    return connectPostgres({ url: databaseUrl, poolSize: 1, statementTimeoutMs: STATEMENT_MS });
  }
  const { connectSqlite } = await import('../../adapters/store/sqlite/open.ts');
  return connectSqlite(join(dataDir, 'assay.db'));
}

/** Without making one: a command that only reads must leave no trace. */
function knownSecret({ secret, dataDir }: Config): string | null {
  if (secret !== null) return secret;
  return existsSync(join(dataDir, 'secret')) ? keepSecret(dataDir) : null;
}

const FINGERPRINT_CHARS = 16;

/** Tells whether two secrets are the same, and nothing else of them. */
function fingerprint(secret: string | null): string | null {
  if (secret === null) return null;
  return createHash('sha256').update(`assay backup ${secret}`).digest('hex').slice(0, FINGERPRINT_CHARS);
}

/** One JSON object a line; the head also says whose secret it was. */
async function writeFile(file: string, connected: Connected, secret: string | null): Promise<number> {
  const packed = createGzip();
  const written = pipeline(packed, createWriteStream(file, { flags: 'wx', mode: 0o600 }));
  // Heard below; until then it must not count as unheard.
  written.catch(() => {});
  try {
    const rows = await copyOut(connected, async (line) => {
      const text = JSON.stringify('assay_backup' in line ? { ...line, secret } : line);
      if (!packed.write(`${text}\n`)) await Promise.race([once(packed, 'drain'), written]);
    });
    packed.end();
    await written;
    return rows;
  } catch (fault) {
    packed.destroy();
    await written.catch(() => {});
    throw fault;
  }
}

async function* linesOf(file: string, head: { secret?: string | null }): AsyncGenerator<BackupLine> {
  for await (const line of textLines(file)) {
    const { secret, ...value }: Record<string, unknown> = JSON.parse(line);
    if (typeof secret === 'string') head.secret = secret;
    yield backupLine.parse(value);
  }
}

async function* textLines(file: string): AsyncGenerator<string> {
  const unpacked = createGunzip();
  createReadStream(file)
    .on('error', (fault) => unpacked.destroy(fault))
    .pipe(unpacked);
  let rest = '';
  for await (const chunk of unpacked.setEncoding('utf8')) {
    const lines = (rest + String(chunk)).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
}
