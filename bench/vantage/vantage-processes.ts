import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { type NoteKey, noteKeyText } from '../../src/core/log/note.ts';
import { projectFile } from '../../tools/project-file.ts';
import { startFlags } from '../../tools/start-flags.ts';

export interface VantageProcesses {
  /** What a service is told in the file of VANTAGES. */
  readonly file: string;
  stop(): void;
}

const NAMES = ['one', 'two'];
const PROGRAM = projectFile('bench/vantage/vantage-process.mjs');

/** Two vantages in processes of their own that both must agree; all their targets are the seller at this port. */
export async function startVantages(
  sellerPort: number,
  clients: readonly NoteKey[],
): Promise<VantageProcesses> {
  const children: ChildProcess[] = [];
  const lines = await Promise.all(
    NAMES.map(async (name) => {
      const child = fork(PROGRAM, {
        execArgv: [...startFlags()],
        env: {
          PATH: process.env['PATH'],
          BENCH_SELLER_PORT: String(sellerPort),
          BENCH_NAME: `${name}.example/v1`,
          BENCH_CLIENTS: clients.map((key) => `client ${noteKeyText(key)}\n`).join(''),
        },
        stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      });
      children.push(child);
      const [{ url, key }] = await once(child, 'message');
      return `vantage ${name} ${key} ${url}\n`;
    }),
  );
  return {
    file: `${lines.join('')}quorum ${NAMES.length}\n`,
    stop: () => {
      for (const child of children) child.kill();
    },
  };
}
