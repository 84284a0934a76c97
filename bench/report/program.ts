import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { projectFile } from '../../tools/project-file.ts';
import { startFlags } from '../../tools/start-flags.ts';

/** The installed program as a process of its own. */
export interface Server {
  readonly child: ChildProcess;
  readonly port: number;
}

const PROGRAM = projectFile('dist/bundle/node/serve.js');

export async function startProgram(settings: Readonly<Record<string, string>>): Promise<Server> {
  const child = spawn(process.execPath, [...startFlags(), PROGRAM], {
    env: {
      PATH: process.env['PATH'],
      PORT: '0',
      TRUSTED_PROXIES: '127.0.0.1',
      // A round of lookups is all calls of one caller at one moment.
      REQUESTS_PER_ADDRESS: '1000',
      SECRET: 'the-secret-of-the-benchmark',
      PAY_TO: '0x1111111111111111111111111111111111111111',
      ...settings,
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const [line] = await once(createInterface({ input: child.stderr }), 'line');
  const port = Number(/:(\d+)$/.exec(String(line))?.[1]);
  if (!Number.isInteger(port)) throw new Error(`the program did not start: ${line}`);
  return { child, port };
}

export async function stopProgram({ child }: Server): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill();
  await exited;
}

/** Callers that never come back: every one has its free uses. */
const callers = { next: 0 };
export function freshCaller(): string {
  callers.next += 1;
  const n = callers.next;
  return `100.${64 + ((n >> 16) & 63)}.${(n >> 8) & 255}.${n & 255}`;
}

/** A GET by a caller who is new, or the one that is named. */
export function requestTo(path: string, caller = freshCaller(), fields = ''): string {
  return `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\nx-forwarded-for: ${caller}\r\n${fields}\r\n`;
}
