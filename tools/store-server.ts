import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, cpSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Client } from 'pg';
import { freePort } from './free-port.ts';
import { postgresPrograms } from './postgres-programs.ts';

export interface Server {
  readonly url: string;
  /** Kills the server and starts it again on what it left behind; null when the server is not ours. */
  readonly crash: (() => Promise<void>) | null;
  /** Ends the server, at once or after it has closed its files, and starts it again; null when it is not ours. */
  readonly power: Power | null;
  stop(): Promise<void>;
}

export interface Power {
  /** As an operator does, without waiting for its clients, unless it is killed. */
  off(how?: 'SIGKILL' | 'SIGINT'): Promise<void>;
  on(): Promise<void>;
}

const START_MS = 30_000;
/** The server refuses to run as root, which is what a container often is; then it runs as nobody. */
const NOBODY = 65_534;
export const asNobody: { readonly uid?: number; readonly gid?: number } =
  process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};

/** A real PostgreSQL server for tests: the one of TEST_DATABASE_URL, else our own in a temporary folder. */
export async function startServer({ durable = false } = {}): Promise<Server> {
  const given = process.env['TEST_DATABASE_URL'];
  if (given !== undefined) return { url: given, crash: null, power: null, stop: async () => {} };
  const folder = mkdtempSync(join(reachableFolder(), 'assay-postgres-'));
  try {
    return await startIn(folder, durable);
  } catch (cause) {
    rmSync(folder, { recursive: true, force: true });
    const reason = cause instanceof Error ? cause.message.split('\n', 1).join('') : String(cause);
    throw new Error(`the PostgreSQL server for tests cannot start: ${reason}`, { cause });
  }
}

async function startIn(folder: string, durable: boolean): Promise<Server> {
  const programs = placePrograms(folder);
  const data = join(folder, 'data');
  await finished(
    spawn(
      join(programs, 'initdb'),
      ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C'],
      {
        ...asNobody,
        cwd: folder,
      },
    ),
  );
  const port = await freePort();
  // Clients are killed in the tests and never the machine: unless asked, waiting for the disk would prove nothing.
  const launch = () => launchServer({ programs, data, port, settings: [`fsync=${durable ? 'on' : 'off'}`] });
  const url = `postgres://postgres@127.0.0.1:${port}/postgres`;
  const running = { server: launch() };
  await answering(url, running.server);
  const power: Power = {
    off: (how = 'SIGINT') => end(running.server, how),
    async on() {
      running.server = await launchedAgain(url, launch);
    },
  };
  return {
    url,
    power,
    async crash() {
      await power.off('SIGKILL');
      await power.on();
    },
    async stop() {
      await end(running.server, 'SIGINT');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A server on these files, reachable over loopback alone. */
export function launchServer({ programs, data, port, settings }: Launch): ChildProcess {
  const all = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', ...settings];
  const flags = ['-D', data, '-p', String(port), ...all.flatMap((one) => ['-c', one])];
  return spawn(join(programs, 'postgres'), flags, { ...asNobody, cwd: dirname(data), stdio: 'ignore' });
}

interface Launch {
  /** The folder with the programs of PostgreSQL. */
  readonly programs: string;
  readonly data: string;
  readonly port: number;
  readonly settings: readonly string[];
}

export async function end(server: ChildProcess, signal: 'SIGKILL' | 'SIGINT'): Promise<void> {
  server.kill(signal);
  if (server.exitCode === null && server.signalCode === null) await once(server, 'exit');
}

/** The processes of a killed server outlive it for a moment, and until they are gone no other may start. */
async function launchedAgain(url: string, launch: () => ChildProcess): Promise<ChildProcess> {
  const giveUpAt = Date.now() + START_MS;
  for (;;) {
    const server = launch();
    try {
      await answering(url, server);
      return server;
    } catch (fault) {
      if (Date.now() > giveUpAt) throw fault;
      await wait(50);
    }
  }
}

/** The programs of PostgreSQL, copied to where the other user may run them when there is one. */
function placePrograms(folder: string): string {
  const programs = postgresPrograms();
  if (asNobody.uid === undefined) return programs;
  cpSync(dirname(programs), join(folder, 'native'), { recursive: true, verbatimSymlinks: true });
  chmodSync(folder, 0o755);
  chownSync(folder, NOBODY, NOBODY);
  return join(folder, 'native', 'bin');
}

/** A temporary folder that everybody may enter: a private one would shut the other user out. */
export function reachableFolder(): string {
  const found = [tmpdir(), '/tmp', '/var/tmp', '/dev/shm'].find((folder) => {
    const parents = folder.split('/').map((_, index, parts) => parts.slice(0, index + 1).join('/') || '/');
    return parents.every((parent) => (statSync(parent, { throwIfNoEntry: false })?.mode ?? 0) & 0o001);
  });
  return found ?? tmpdir();
}

async function finished(child: ChildProcess): Promise<void> {
  let said = '';
  child.stderr?.on('data', (chunk) => {
    said += String(chunk);
  });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(said.trim() === '' ? `initdb ended with ${code}` : said.trim());
}

export async function answering(url: string, server: ChildProcess): Promise<void> {
  const giveUpAt = Date.now() + START_MS;
  for (;;) {
    const client = new Client({ connectionString: url });
    try {
      await client.connect();
      return await client.end();
    } catch (fault) {
      if (server.exitCode !== null || Date.now() > giveUpAt) throw fault;
      await wait(50);
    }
  }
}
