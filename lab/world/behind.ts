import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { setPriority } from 'node:os';

/** Where the scheduler has no such class. */
const NICENESS = 19;

/**
 * Other people's machines in truth: a settlement, 33 to 40 ms of a core, must not come before the service on ours. So such a process
 * runs when nobody else wants the core, with every thread that it has by now: a priority belongs to a thread, not to a process.
 */
export function putBehind(pid: number): void {
  try {
    execFileSync('chrt', ['--idle', '--all-tasks', '--pid', '0', String(pid)], { stdio: 'ignore' });
  } catch {
    for (const thread of readdirSync(`/proc/${pid}/task`)) setPriority(Number(thread), NICENESS);
  }
}
