import type { PostgresPool, PostgresPoolClient } from 'kysely';
import { DatabaseError, type Pool } from 'pg';

/**
 * Closes every connection on which something failed that the server did not say itself, such as a query that took too
 * long: its transaction may still be open, and the next user would commit what is not its own.
 */
export function carefulPool(pool: Pool): PostgresPool {
  return {
    async connect() {
      const client = await pool.connect();
      const state = { broken: false };
      const query = async (sql: string, values: readonly unknown[]) => {
        if (state.broken) throw new Error('the connection to the database is lost');
        try {
          return await client.query(sql, [...values]);
        } catch (fault) {
          state.broken = !(fault instanceof DatabaseError);
          throw fault;
        }
      };
      return {
        // Kysely calls it in a second way for cursors only, and is given none.
        query: query as unknown as PostgresPoolClient['query'],
        release: () => client.release(state.broken),
      };
    },
    end: () => pool.end(),
  };
}
