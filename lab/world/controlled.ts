import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectFile } from '../../tools/project-file.ts';

/** A process of ours on this machine, which answers calls until it is ended. */
export interface Controlled {
  readonly pid: number;
  /** Rejects when the process ends before it has answered. */
  call(name: string, given?: unknown): Promise<unknown>;
  /** Says that its end is wanted, so that nobody takes it for a fall of its own. */
  expectEnd(): void;
  signal(name: 'SIGKILL' | 'SIGTERM'): void;
  isAlive(): boolean;
  /** Its code, or the signal that ended it. */
  readonly ended: Promise<Ending>;
}

export interface Ending {
  readonly how: number | string;
  readonly wanted: boolean;
  /** The last lines on standard error. */
  readonly said: string;
}

const SAID_MAX_CHARS = 4_000;

/** Starts a program of lab/world/, of this release unless another root is given, and waits until it hears. */
export async function startControlled(
  program: string,
  environment: Readonly<Record<string, string>> = {},
  flags: readonly string[] = [],
  root = projectFile('.'),
): Promise<Controlled> {
  const child = fork(join(root, 'lab/world/programs', program), {
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    env: { PATH: process.env['PATH'] ?? '', ...environment },
    execArgv: [...flags],
  });
  const state = { wanted: false, said: '', nextId: 0 };
  child.stderr?.on('data', (chunk) => {
    state.said = (state.said + String(chunk)).slice(-SAID_MAX_CHARS);
  });
  const ended = once(child, 'exit').then(
    ([code, signal]): Ending => ({ how: code ?? signal, wanted: state.wanted, said: state.said }),
  );
  const calls = waitingCalls(child);
  ended.then(({ how, said }) => calls.failAll(`${program} ended with ${how}: ${said}`)).catch(() => {});
  await calls.ready;
  return {
    pid: child.pid ?? 0,
    call: calls.call,
    expectEnd() {
      state.wanted = true;
    },
    signal(name) {
      state.wanted = true;
      child.kill(name);
    },
    isAlive: () => child.exitCode === null && child.signalCode === null,
    ended,
  };
}

interface Said {
  readonly ready?: true;
  readonly id?: number;
  readonly value?: unknown;
  readonly fault?: string;
}

function waitingCalls(child: ChildProcess) {
  const waiting = new Map<number, { resolve(value: unknown): void; reject(fault: Error): void }>();
  let nextId = 0;
  let failed: string | null = null;
  const begin = (id: number) =>
    new Promise<unknown>((resolve, reject) => {
      if (failed === null) waiting.set(id, { resolve, reject });
      else reject(new Error(failed));
    });
  // The first word has no question: that it hears.
  const ready = begin(0);
  // Only hearCalls talks on this channel.
  child.on('message', ({ ready: isReady, id = 0, value, fault }: Said) => {
    const call = waiting.get(isReady === true ? 0 : id);
    waiting.delete(id);
    if (fault === undefined) call?.resolve(value);
    else call?.reject(new Error(fault));
  });
  return {
    ready,
    async call(name: string, given?: unknown): Promise<unknown> {
      nextId += 1;
      const id = nextId;
      const answer = begin(id);
      if (failed === null) child.send({ id, name, given }, (fault) => fault && failAll(fault.message));
      return answer;
    },
    failAll,
  };
  function failAll(why: string): void {
    failed ??= why;
    for (const { reject } of waiting.values()) reject(new Error(why));
    waiting.clear();
  }
}

/** What a process takes of this machine right now. */
export interface Taken {
  readonly rssBytes: number;
  /** User and system time so far. */
  readonly cpuMicros: number;
  readonly openFiles: number;
}

const TICKS_PER_SECOND = 100;

export function takenBy(pid: number): Taken {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  const kilobytes = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return {
    rssBytes: Number(kilobytes ?? 0) * 1_024,
    cpuMicros: ((Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND) * 1e6,
    openFiles: readdirSync(`/proc/${pid}/fd`).length,
  };
}
