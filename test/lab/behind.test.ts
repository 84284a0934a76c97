import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { afterEach, expect, it, vi } from 'vitest';
import { putBehind } from '../../lab/world/behind.ts';

afterEach(() => vi.unstubAllEnvs());

/** SCHED_IDLE of Linux. */
const IDLE = 5;

/** The priority of a thread and the class it is scheduled in: fields 19 and 41, counted from behind the name. */
function scheduling(pid: number, thread: string) {
  const stat = readFileSync(`/proc/${pid}/task/${thread}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return { niceness: Number(fields[16]), policy: Number(fields[38]) };
}

it.each([
  ['in the idle class', process.env['PATH'], { policy: IDLE }],
  ['with the lowest priority where nothing can set that', '/nowhere', { niceness: 19 }],
])('puts all threads of a process behind everybody else, %s', async (_, path, behind) => {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1_000)'], { stdio: 'ignore' });
  try {
    const pid = child.pid ?? 0;
    const threads = () => readdirSync(`/proc/${pid}/task`).map((thread) => scheduling(pid, thread));
    await expect.poll(() => threads().length).toBeGreaterThan(3);
    // The tests themselves may run with a lower priority.
    for (const thread of threads()) expect(thread).toEqual({ niceness: getPriority(), policy: 0 });
    vi.stubEnv('PATH', path);
    putBehind(pid);
    for (const thread of threads()) expect(thread).toMatchObject(behind);
  } finally {
    child.kill('SIGKILL');
  }
});
