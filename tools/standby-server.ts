import {
  chmodSync,
  chownSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { Client } from 'pg';
import { freePort } from './free-port.ts';
import { answering, asNobody, end, launchServer, reachableFolder } from './store-server.ts';

export interface Standby {
  readonly url: string;
  /** Receives what the primary writes and does not show it yet. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  /** Ends being a standby. */
  promote(): Promise<void>;
  kill(): Promise<void>;
  stop(): Promise<void>;
}

/** A streaming standby of a server that `startServer` started: a base backup of its files, which then follows it. */
export async function startStandby(primaryUrl: string): Promise<Standby> {
  const folder = mkdtempSync(join(reachableFolder(), 'assay-standby-'));
  giveToServer(folder);
  // Unlike its data, it is entered by others: the programs start in it.
  chmodSync(folder, 0o755);
  const data = join(folder, 'data');
  const programs = await baseBackup(primaryUrl, data);
  const port = await freePort();
  const { hostname, port: primaryPort } = new URL(primaryUrl);
  const settings = [
    'fsync=off',
    `primary_conninfo=host=${hostname} port=${primaryPort} user=postgres application_name=standby`,
  ];
  const server = launchServer({ programs, data, port, settings });
  const url = new URL(primaryUrl);
  url.port = String(port);
  await answering(url.href, server);
  const say = (sql: string) => once(url.href, sql);
  return {
    url: url.href,
    pause: () => say('select pg_wal_replay_pause()'),
    resume: () => say('select pg_wal_replay_resume()'),
    promote: () => say('select pg_promote(true, 30)'),
    kill: () => end(server, 'SIGKILL'),
    async stop() {
      await end(server, 'SIGINT');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Not the write-ahead log, which the standby asks for, nor what belongs to a running process. */
const LEFT_OUT: ReadonlySet<string> = new Set(['pg_wal', 'postmaster.pid', 'postmaster.opts']);

/** Copies the files of a running server, as pg_basebackup does. Returns the folder of its programs. */
async function baseBackup(primaryUrl: string, data: string): Promise<string> {
  const client = new Client({ connectionString: primaryUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ from: string; programs: string }>(`select
      current_setting('data_directory') as from, setting as programs from pg_config where name = 'BINDIR'`);
    const { from = '', programs = '' } = rows[0] ?? {};
    await client.query("select pg_backup_start('standby', true)");
    cpSync(from, data, { recursive: true, filter: (path) => !LEFT_OUT.has(basename(path)) });
    mkdirSync(join(data, 'pg_wal', 'archive_status'), { recursive: true });
    const stopped = await client.query<{ label: string }>('select labelfile as label from pg_backup_stop()');
    writeFileSync(join(data, 'backup_label'), stopped.rows[0]?.label ?? '');
    writeFileSync(join(data, 'standby.signal'), '');
    giveToServer(data);
    return programs;
  } finally {
    await client.end();
  }
}

/** The server may run as another user, and insists on files of its own that nobody else can read. */
function giveToServer(folder: string): void {
  chmodSync(folder, 0o700);
  const { uid, gid } = asNobody;
  if (uid === undefined || gid === undefined) return;
  for (const name of ['', ...readdirSync(folder, { recursive: true })]) {
    chownSync(join(folder, String(name)), uid, gid);
  }
}

async function once(url: string, sql: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
