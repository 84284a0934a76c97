import { Client } from 'pg';
import { afterAll, beforeAll, expect } from 'vitest';
import { openPostgres } from '../../../src/adapters/store/postgres/open.ts';
import { pageReads } from '../../../src/adapters/store/replica/page-reads.ts';
import { openReadReplica, type ReadReplica } from '../../../src/adapters/store/replica/read-replica.ts';
import { type Standby, startStandby } from '../../../tools/standby-server.ts';
import { type Server, startServer } from '../../../tools/store-server.ts';
import { type NewPlace, openHandles, type Place } from './stores.ts';

/** Of another operator's server we cannot make a standby. */
export const CAN_REPLICATE = process.env['TEST_DATABASE_URL'] === undefined;

/** A database with today's tables, on the primary and on its standby. */
export interface ReplicatedDatabase {
  readonly primary: string;
  readonly replica: string;
}

export interface Replicated {
  readonly server: Server;
  readonly standby: Standby;
  readonly admin: Client;
  newDatabase(): Promise<ReplicatedDatabase>;
  database(name: string): ReplicatedDatabase;
  /** Whether a commit waits until the standby shows it, so that a test can read there what it has just written. */
  wait(isWaiting: boolean): Promise<void>;
  /** A place whose pages are read from the standby. */
  readonly newPlace: NewPlace;
}

/** A PostgreSQL server and a streaming standby of it, for the tests of one file. */
export function useReplicated(): Replicated {
  const running: { server: Server; standby: Standby; admin: Client }[] = [];
  const its = () => {
    const [one] = running;
    if (one === undefined) throw new Error('the servers are not started yet');
    return one;
  };
  beforeAll(async () => {
    const server = await startServer();
    const admin = new Client({ connectionString: server.url });
    await admin.connect();
    await admin.query('create database migrated');
    await (await openPostgres({ url: databaseOn(server.url, 'migrated') })).close();
    running.push({ server, admin, standby: await startStandby(server.url) });
    await admin.query("alter system set synchronous_standby_names = 'standby'");
    await wait(true);
  }, 120_000);
  afterAll(async () => {
    await its().admin.end();
    await its().standby.stop();
    await its().server.stop();
  });

  const wait = async (isWaiting: boolean) => {
    const { admin } = its();
    await admin.query(`alter system set synchronous_commit = '${isWaiting ? 'remote_apply' : 'local'}'`);
    await admin.query('select pg_reload_conf()');
  };
  const database = (name: string) => ({
    primary: databaseOn(its().server.url, name),
    replica: databaseOn(its().standby.url, name),
  });
  const count = { databases: 0 };
  const newDatabase = async () => {
    count.databases += 1;
    const name = `pages_${count.databases}`;
    await its().admin.query(`create database ${name} template migrated`);
    return database(name);
  };
  return {
    get server() {
      return its().server;
    },
    get standby() {
      return its().standby;
    },
    get admin() {
      return its().admin;
    },
    wait,
    database,
    newDatabase,
    newPlace: async () => placeIn(await newDatabase()),
  };
}

function databaseOn(url: string, name: string): string {
  return Object.assign(new URL(url), { pathname: `/${name}` }).href;
}

async function placeIn({ primary, replica: url }: ReplicatedDatabase): Promise<Place> {
  const replicas: ReadReplica[] = [];
  const handles = openHandles(async () => {
    const store = await openPostgres({ url: primary });
    const { health } = store;
    const replica = openReadReplica({
      url,
      poolSize: 2,
      primary: health,
      stopwatch: () => performance.now(),
    });
    replicas.push(replica);
    await expect.poll(() => replica.look()).toBe('current');
    return { ...store, runs: { ...store.runs, ...pageReads(store, replica).runs } };
  });
  const client = new Client({ connectionString: primary });
  await client.connect();
  const place: Place = {
    settings: { url: primary },
    open: handles.open,
    connect: () => Promise.reject(new Error('not used here')),
    ask: async (sql) => (await client.query(sql)).rows,
    afterCrash: async () => place,
    async remove() {
      for (const replica of replicas) await replica.close();
      await handles.close();
      await client.end();
    },
  };
  return place;
}
