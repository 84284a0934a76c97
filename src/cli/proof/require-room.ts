import { LogAway } from './log-files.ts';

/** What is kept in memory of one kind. Beyond it nothing could be concluded any more. */
const KEPT_MAX = 1_000_000;

/** What was left out would pass for sound. */
export function requireRoom(count: number, what: string, most = KEPT_MAX): void {
  if (count > most) throw new LogAway(`has more than ${most} ${what}, more than are read here`);
}
