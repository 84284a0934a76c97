import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { aWholePurchase } from '../buyers/purchases.ts';

/** `npm test` builds what it imports. */
const WRITER = fileURLToPath(new URL('./ledger-writer.mjs', import.meta.url));

/** A process on the ledger in this file. It is ready when this resolves, and starts at `go`. */
export async function ledgerChild(file: string, task: 'race' | 'create' | 'writeOnce', needs: object) {
  const child = spawn(process.execPath, [WRITER, file, task, jsonOf({ sample: SAMPLE, ...needs })]);
  const output = { text: '', errors: '' };
  child.stdout.on('data', (chunk) => {
    output.text += String(chunk);
  });
  child.stderr.on('data', (chunk) => {
    output.errors += String(chunk);
  });
  const closed = once(child, 'close');
  const saysLine = async (line: string) => {
    while (!output.text.includes(`${line}\n`)) {
      await Promise.race([once(child.stdout, 'data'), closed]);
      if (hasEnded(child)) throw new Error(`the process ended early: ${output.errors}`);
    }
  };
  await saysLine('ready');
  return {
    go: () => child.stdin.write('go\n'),
    saysLine,
    async kill() {
      child.kill('SIGKILL');
      await closed;
    },
    /** All lines but the first, when it has ended by itself. */
    async done(): Promise<string[]> {
      await closed;
      if (child.exitCode !== 0) throw new Error(`the process failed: ${output.errors}`);
      return output.text.split('\n').slice(1, -1);
    },
  };
}

const SAMPLE = aWholePurchase({ id: 'sample' });

function jsonOf(value: unknown): string {
  return JSON.stringify(value, (_name, member: unknown) =>
    typeof member === 'bigint' ? member.toString() : member,
  );
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}
