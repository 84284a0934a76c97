import { startControlled } from './controlled.ts';

/** Clients that hold their connections and do nothing with them. */
export interface IdleClients {
  /** How many there are right now, by place. */
  held(): Promise<readonly number[]>;
  /** Lets all go, and says how it went. */
  release(): Promise<IdleEnd>;
  kill(): void;
}

export interface IdleEnd {
  /** Every half a second, by place. */
  readonly samples: readonly (readonly number[])[];
  /** Over the whole time: those that were let go were opened again. */
  readonly opened: number;
  /** Those that the service should have let go and did not. */
  readonly overdue: number;
}

export interface IdlePlace {
  readonly port: number;
  readonly share: number;
}

export async function startIdleClients(places: readonly IdlePlace[]): Promise<IdleClients> {
  const holder = await startControlled('idle-holder.mjs');
  await holder.call('start', { places });
  return {
    // Only idle-holder.mjs answers this, and what comes next.
    held: async () => (await holder.call('held')) as readonly number[],
    async release() {
      // As above.
      const end = (await holder.call('release')) as IdleEnd;
      holder.signal('SIGKILL');
      await holder.ended;
      return end;
    },
    kill: () => holder.signal('SIGKILL'),
  };
}
