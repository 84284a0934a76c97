import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Hex } from 'viem';
import { vi } from 'vitest';

const PROGRAM = fileURLToPath(new URL('./buying-program.mjs', import.meta.url));

export interface BuyingProcess {
  /** Ends it at once, as a crash does, when this is the case. */
  killWhen(holds: () => boolean): Promise<void>;
  /** The line it says: a status and the goods. */
  said(): Promise<string>;
}

export interface Buying {
  readonly url: string;
  readonly key: Hex;
  /** Of a guarded buyer. */
  readonly ledgerFile?: string;
}

/** A stock payer in a process of its own. */
export function startBuying({ url, key, ledgerFile }: Buying): BuyingProcess {
  const sent = ledgerFile === undefined ? [url, key] : [url, key, ledgerFile];
  const child = spawn(process.execPath, [PROGRAM, ...sent], { stdio: ['ignore', 'pipe', 'pipe'] });
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].on('data', (chunk) => {
      output[name] += String(chunk);
    });
  }
  const closed = once(child, 'close');
  return {
    async killWhen(holds) {
      await vi.waitUntil(() => holds() || child.exitCode !== null, { timeout: 120_000 });
      if (!holds()) throw new Error(`the buyer ended before: ${output.stderr}`);
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
