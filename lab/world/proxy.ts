import { type Controlled, startControlled } from './controlled.ts';
import type { Replica } from './replicas.ts';

/** The one address of all replicas. */
export interface FrontProxy extends Pick<Replica, 'name' | 'address' | 'lives' | 'aheadMs'> {
  start(): Promise<void>;
  kill(): Promise<void>;
}

export function createProxy(port: number, replicas: readonly Pick<Replica, 'address'>[]): FrontProxy {
  const state: { process: Controlled | null; lives: number } = { process: null, lives: 0 };
  return {
    name: 'proxy',
    address: `http://127.0.0.1:${port}`,
    lives: () => state.lives,
    aheadMs: () => 0,
    async start() {
      const child = await startControlled('proxy.mjs');
      state.process = child;
      state.lives += 1;
      await child.call('start', { port, replicas: replicas.map(({ address }) => address) });
    },
    async kill() {
      state.process?.signal('SIGKILL');
      await state.process?.ended;
      state.process = null;
    },
  };
}
