import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { afterEach, expect, it } from 'vitest';
import { putBehind } from '../../lab/world/behind.ts';

const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1_000)'], { stdio: 'ignore' });
afterEach(() => void child.kill('SIGKILL'));

/** SCHED_IDLE of Linux. */
const IDLE = 5;

/** The priority of a thread and the class it is scheduled in: fields 19 and 41, counted from behind the name. */
function scheduling(pid: number, thread: string) {
  const stat = readFileSync(`/proc/${pid}/task/${thread}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return { niceness: Number(fields[16]), policy: Number(fields[38]) };
}

it('puts all threads of a process behind everybody else, also those that are there already', async () => {
  const pid = child.pid ?? 0;
  const threads = () => readdirSync(`/proc/${pid}/task`);
  await expect.poll(() => threads().length, { timeout: 30_000 }).toBeGreaterThan(3);
  const isBehind = (thread: string) => {
    const { niceness, policy } = scheduling(pid, thread);
    return policy === IDLE || niceness === 19;
  };
  expect(threads().filter(isBehind)).toEqual([]);
  putBehind(pid);
  expect(threads().filter((thread) => !isBehind(thread))).toEqual([]);
});
