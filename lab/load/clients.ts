import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { startFlags } from '../../tools/start-flags.ts';
import type { FinalReport, Order, PhaseReport, Setup } from './generator.ts';

/** The generator in its own process, one order after the other. */
export interface Clients {
  readonly pid: number;
  closed(options: { readonly ms: number; readonly connections: number }): Promise<PhaseReport>;
  open(options: { readonly ms: number; readonly perSecond: number }): Promise<PhaseReport>;
  finish(): Promise<FinalReport>;
  stop(): void;
}

const PROGRAM = fileURLToPath(new URL('./generator.js', import.meta.url));

export async function startClients(setup: Setup): Promise<Clients> {
  // As the service: a collection of garbage with many threads would be felt by what is measured.
  const child = fork(PROGRAM, { execArgv: [...startFlags()] });
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`the generator ended with ${code}`);
  });
  // It ends by itself when all is over; only whoever waits for an answer must know.
  ended.catch(() => {});
  const ask = async (order: Order): Promise<unknown> => {
    const answer = once(child, 'message');
    child.send(order);
    const [message] = await Promise.race([answer, ended]);
    return message;
  };
  await ask({ kind: 'setup', setup });
  return {
    pid: child.pid ?? 0,
    // Only generator.ts answers here, with what belongs to the order.
    closed: async (options) => (await ask({ kind: 'closed', ...options })) as PhaseReport,
    // As above.
    open: async (options) => (await ask({ kind: 'open', ...options })) as PhaseReport,
    // As above.
    finish: async () => (await ask({ kind: 'finish' })) as FinalReport,
    stop: () => void child.kill(),
  };
}
