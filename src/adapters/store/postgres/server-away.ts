import { DatabaseError } from 'pg';

/**
 * Whether the server is not there, or has let go of us, as a restart and a failover do. A wrong password, a database that
 * does not exist and an answer that takes too long are something else: waiting does not mend them.
 */
export function isServerAway(fault: unknown): boolean {
  if (fault instanceof DatabaseError) return AWAY.has(fault.code ?? '');
  if (!(fault instanceof Error)) return false;
  return ('code' in fault && UNREACHED.has(String(fault.code))) || LOST.has(fault.message);
}

/** Whether a connection is of no more use: it is gone, nobody knows what is open on it, or it leads to a standby. */
export function isConnectionSpent(fault: unknown): boolean {
  if (!(fault instanceof DatabaseError)) return true;
  return fault.severity === 'FATAL' || fault.severity === 'PANIC' || fault.code === READ_ONLY;
}

/** Shut down by its operator, after a crash, not up yet, and no room for another connection at this moment. */
const AWAY: ReadonlySet<string> = new Set(['57P01', '57P02', '57P03', '53300']);
const READ_ONLY = '25006';

const UNREACHED: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'EHOSTUNREACH',
  'ENETUNREACH',
  // The name of a container that has not been made yet.
  'ENOTFOUND',
  'EAI_AGAIN',
]);

/** The driver says these without a code. */
const LOST: ReadonlySet<string> = new Set([
  'Connection terminated unexpectedly',
  'Connection terminated',
  'Client has encountered a connection error and is not queryable',
  'Client was closed and is not queryable',
  'the connection to the database is lost',
]);
