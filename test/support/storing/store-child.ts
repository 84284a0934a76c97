import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Place } from './stores.ts';

/** `npm test` builds what it imports. */
const WRITER = fileURLToPath(new URL('./store-writer.mjs', import.meta.url));

export interface StoreChild {
  /** Loaded, and waiting to be told to go. */
  ready(): Promise<void>;
  go(): void;
  /** Complete lines so far, without the first. */
  lines(): string[];
  /** Until what it has said is enough. */
  until(isEnough: (lines: readonly string[]) => boolean): Promise<void>;
  kill(): Promise<void>;
  /** Until it ends by itself; throws with its last words when that was a failure. */
  done(): Promise<void>;
}

export function storeChild(
  task: 'reserve' | 'claim' | 'spend' | 'takeSlots' | 'writeForEver' | 'sequence',
  places: Record<string, Place>,
  needs: object,
): StoreChild {
  const settings = Object.fromEntries(Object.entries(places).map(([name, place]) => [name, place.settings]));
  const child = spawn(process.execPath, [WRITER, task, JSON.stringify(settings), JSON.stringify(needs)]);
  const output = { text: '', errors: '' };
  child.stdout.on('data', (chunk) => {
    output.text += String(chunk);
  });
  child.stderr.on('data', (chunk) => {
    output.errors += String(chunk);
  });
  const closed = once(child, 'close');
  // What follows the last line break was cut off by the kill and is no acknowledgement.
  const lines = () => output.text.split('\n').slice(1, -1);
  const until = async (isEnough: () => boolean) => {
    while (!isEnough()) {
      await Promise.race([once(child.stdout, 'data'), closed]);
      if (hasEnded(child) && !isEnough()) throw new Error(`the process ended early: ${output.errors}`);
    }
  };
  return {
    ready: () => until(() => output.text.startsWith('ready\n')),
    go: () => child.stdin.end('go\n'),
    lines,
    until: (isEnough) => until(() => isEnough(lines())),
    async kill() {
      child.kill('SIGKILL');
      await closed;
    },
    async done() {
      await closed;
      if (child.exitCode !== 0) throw new Error(`the process failed: ${output.errors}`);
    },
  };
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}
