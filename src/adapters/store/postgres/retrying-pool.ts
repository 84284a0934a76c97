import type { PostgresPool, PostgresPoolClient } from 'kysely';
import type { Pool, PoolClient } from 'pg';
import { preparedName } from '../engine/prepared.ts';
import type { IsBack } from './recovery.ts';
import { isConnectionSpent } from './server-away.ts';

/** A server that goes away again and again is not followed for ever. */
const TRIES_MAX = 4;

/**
 * Closes every connection on which something failed that the server did not say itself, such as a query that took too
 * long: its transaction may still be open, and the next user would commit what is not its own. Connecting, reading and
 * beginning are tried again on another connection when the server was away: nothing can have been done twice.
 */
export function carefulPool(pool: Pool, isBack: IsBack): PostgresPool {
  const connect = (): Promise<PoolClient> => tryingAgain(() => pool.connect(), isBack);
  /** One for each connection, for as long as that is open: Kysely remembers whom it was lent, and would remember every loan. */
  const lendings = new WeakMap<PoolClient, Lending>();
  return {
    async connect() {
      const client = await connect();
      const known = lendings.get(client) ?? newLending(connect, isBack);
      lendings.set(client, known);
      known.begin(client);
      return known;
    },
    end: () => pool.end(),
  };
}

/** What Kysely is given in place of a connection. */
interface Lending extends PostgresPoolClient {
  begin(client: PoolClient): void;
}

function newLending(connect: () => Promise<PoolClient>, isBack: IsBack): Lending {
  const lease: Lease = { client: null, isSpent: false, isOpen: false };
  const once = async (sql: string, values: readonly unknown[]) => {
    if (lease.isSpent && !lease.isOpen) await exchange(lease, connect);
    if (lease.client === null || lease.isSpent) throw new Error('the connection to the database is lost');
    try {
      const answer = await lease.client.query({ name: preparedName(sql), text: sql, values: [...values] });
      lease.isOpen = OPENS.test(sql) || (lease.isOpen && !CLOSES.test(sql));
      return answer;
    } catch (fault) {
      lease.isSpent = isConnectionSpent(fault);
      throw fault;
    }
  };
  const query = (sql: string, values: readonly unknown[]) =>
    lease.isOpen || !CHANGES_NOTHING.test(sql)
      ? once(sql, values)
      : tryingAgain(() => once(sql, values), isBack);
  return {
    begin(client) {
      Object.assign(lease, { client, isSpent: false, isOpen: false });
    },
    // Kysely calls it in a second way for cursors only, and is given none.
    query: query as unknown as PostgresPoolClient['query'],
    release() {
      const { client, isSpent } = lease;
      lease.client = null;
      client?.release(isSpent);
    },
  };
}

interface Lease {
  /** Null while nothing is lent, and when the old one was given back and no other was to be had. */
  client: PoolClient | null;
  isSpent: boolean;
  /** Inside a transaction. */
  isOpen: boolean;
}

const OPENS = /^(?:begin|start transaction)\b/i;
const CLOSES = /^(?:commit|rollback)\b/i;
/** As long as no transaction is open. What changes rows in a `with` does not begin like this. */
const CHANGES_NOTHING = /^(?:begin|start transaction|select)\b/i;

async function exchange(lease: Lease, connect: () => Promise<PoolClient>): Promise<void> {
  const old = lease.client;
  lease.client = null;
  old?.release(true);
  lease.client = await connect();
  lease.isSpent = false;
}

async function tryingAgain<T>(attempt: () => Promise<T>, isBack: IsBack): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await attempt();
    } catch (fault) {
      if (tries === TRIES_MAX || !(await isBack(fault))) throw fault;
    }
  }
}
