import { DatabaseError } from 'pg';

/**
 * Whether the server is unreachable or has closed the connection, as in a restart or a failover. Not a wrong password, a
 * missing database or a timeout: waiting does not help there.
 */
export function isServerAway(fault: unknown): boolean {
  if (fault instanceof DatabaseError) return AWAY.has(fault.code ?? '');
  if (!(fault instanceof Error)) return false;
  return ('code' in fault && UNREACHED.has(String(fault.code))) || LOST.has(fault.message);
}

/** Whether a connection must be closed: it is lost, its transaction state is unknown, or it leads to a standby. */
export function isConnectionSpent(fault: unknown): boolean {
  if (!(fault instanceof DatabaseError)) return true;
  return fault.severity === 'FATAL' || fault.severity === 'PANIC' || fault.code === READ_ONLY;
}

/** admin_shutdown, crash_shutdown, cannot_connect_now, too_many_connections. */
const AWAY: ReadonlySet<string> = new Set(['57P01', '57P02', '57P03', '53300']);
const READ_ONLY = '25006';

const UNREACHED: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'EHOSTUNREACH',
  'ENETUNREACH',
  // The name of a container that does not exist yet.
  'ENOTFOUND',
  'EAI_AGAIN',
]);

/** Errors of the driver that have no code. */
const LOST: ReadonlySet<string> = new Set([
  'Connection terminated unexpectedly',
  'Connection terminated',
  'Client has encountered a connection error and is not queryable',
  'Client was closed and is not queryable',
  'the connection to the database is lost',
]);
