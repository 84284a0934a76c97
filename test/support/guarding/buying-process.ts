import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Hex } from 'viem';

const PROGRAM = fileURLToPath(new URL('./buying-program.mjs', import.meta.url));

export interface BuyingProcess {
  /** Ends it at once, as a crash does. */
  kill(): Promise<void>;
  /** The line it says: a status and the goods. */
  said(): Promise<string>;
}

/** A stock payer in a process of its own. */
export function startBuying(url: string, key: Hex): BuyingProcess {
  const child = spawn(process.execPath, [PROGRAM, url, key], { stdio: ['ignore', 'pipe', 'pipe'] });
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].on('data', (chunk) => {
      output[name] += String(chunk);
    });
  }
  const closed = once(child, 'close');
  return {
    async kill() {
      child.kill('SIGKILL');
      await closed;
    },
    async said() {
      await closed;
      if (output.stderr !== '') throw new Error(output.stderr);
      return output.stdout.trim();
    },
  };
}
