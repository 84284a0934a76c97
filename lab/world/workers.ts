import { type Controlled, startControlled } from './controlled.ts';
import type { Database } from './database.ts';
import { SECRET } from './replicas.ts';
import { type Surroundings, watch } from './surroundings.ts';

/** A process beside the replicas, which is started again after it was killed. */
export interface Worker {
  readonly name: 'crawler' | 'verifier';
  start(): Promise<void>;
  kill(): Promise<void>;
  /** No more work; what was left open is finished. */
  finish(): Promise<void>;
}

export interface WorkerOptions {
  readonly database: Database;
  readonly surroundings: Surroundings;
  /** Another release than this one, built. */
  readonly root?: string;
  readonly onFall: (what: string) => void;
}

export function createWorker(name: Worker['name'], options: WorkerOptions): Worker {
  const { database, surroundings, onFall } = options;
  const { sellers, lists, rpcUrl, buyerKeys } = surroundings;
  const state: { process: Controlled | null; lives: number } = { process: null, lives: 0 };
  const given = () => ({
    sellers,
    lists,
    rpcUrl,
    buyerKey: buyerKeys.at(-1),
    userAgent: `Assay-Prober/lab (${name} ${state.lives})`,
  });
  const kill = async () => {
    state.process?.signal('SIGKILL');
    await state.process?.ended;
    state.process = null;
  };
  return {
    name,
    async start() {
      const child = await startControlled(`${name}.mjs`, { ...database.settings, SECRET }, [], options.root);
      state.process = child;
      state.lives += 1;
      try {
        await child.call('start', given());
        watch(child, `the ${name}`, onFall);
      } catch (fault) {
        await kill();
        throw fault;
      }
    },
    kill,
    async finish() {
      if (name === 'verifier') await state.process?.call('finish', given());
      await kill();
    },
  };
}
