import type { ChargeStep } from '../../src/flows/pay/charge.ts';
import { freePort } from '../../tools/free-port.ts';
import { startFlags } from '../../tools/start-flags.ts';
import { type Controlled, startControlled, type Taken, takenBy } from './controlled.ts';
import type { Database } from './database.ts';
import { type Surroundings, watch } from './surroundings.ts';

/** One place of the service, which stays while its processes come and go: the same port and the same name. */
export interface Replica {
  readonly name: string;
  readonly address: string;
  /** How many processes there have been so far. */
  lives(): number;
  isUp(): boolean;
  start(): Promise<void>;
  /** Loads the next process beforehand: loading is what takes the time of a start. */
  prepare(): void;
  /** Ends the process at once. */
  kill(): Promise<void>;
  /** Lets it finish, as an operator would. */
  stop(): Promise<void>;
  /** From now on it dies after this step of a charge; resolves when it has. */
  dieAfter(step: ChargeStep): Promise<void>;
  died(): Promise<void>;
  moveClock(aheadMs: number): Promise<void>;
  /** How far ahead its clock is. */
  aheadMs(): number;
  taken(): Taken;
  /** Faults of its own since this was asked last. */
  faults(): Promise<readonly string[]>;
}

/** Where clients ask: a replica, or whatever stands in front of some. */
export type Place = Pick<Replica, 'name' | 'address' | 'lives' | 'aheadMs'>;

export interface ReplicaOptions {
  readonly name: string;
  readonly database: Database;
  readonly surroundings: Surroundings;
  /** Beside those that the world needs. */
  readonly settings?: Readonly<Record<string, string>>;
  /** It crawls, too. */
  readonly crawls?: boolean;
  /** Another release than this one, built. */
  readonly root?: string;
  /** Told when a process ends that nobody has ended. */
  readonly onFall?: (what: string) => void;
}

/** Whoever shares a database must share it. */
export const SECRET = 'the-secret-of-the-laboratory-0123456789';

/** The name that a replica's probes go by, so that sellers can tell processes apart. */
const agentOf = (name: string, life: number): string => `Assay-Prober/lab (${name} ${life})`;

const STARTS_MAX = 20;

export async function createReplica(options: ReplicaOptions): Promise<Replica> {
  const { name, surroundings, crawls = false, onFall = () => {} } = options;
  const port = await freePort();
  const state: {
    process: Controlled | null;
    spare: Promise<Controlled> | null;
    lives: number;
    aheadMs: number;
  } = { process: null, spare: null, lives: 0, aheadMs: 0 };
  const fork = () => startControlled('replica.mjs', settingsOf(options, port), startFlags(), options.root);
  const its = (): Controlled => {
    if (state.process === null) throw new Error(`${name} is not running`);
    return state.process;
  };
  const gone = async () => {
    await state.process?.ended;
    state.process = null;
  };
  return {
    name,
    address: `http://127.0.0.1:${port}`,
    lives: () => state.lives,
    isUp: () => state.process?.isAlive() ?? false,
    async start() {
      await gone();
      const spare = state.spare ?? fork();
      state.spare = null;
      state.lives += 1;
      // As whoever supervises it would: its database may be gone for a while.
      for (let attempt = 1, next = spare; ; attempt += 1, next = fork()) {
        const child = await next;
        state.process = child;
        try {
          const { sellers, lists } = surroundings;
          await child.call('start', {
            userAgent: agentOf(name, state.lives),
            sellers,
            lists: crawls ? lists : null,
            aheadMs: state.aheadMs,
          });
          watch(child, name, onFall);
          return;
        } catch (fault) {
          child.signal('SIGKILL');
          await child.ended;
          if (attempt === STARTS_MAX) throw fault;
        }
      }
    },
    prepare() {
      state.spare ??= fork();
    },
    async kill() {
      its().signal('SIGKILL');
      await gone();
    },
    async stop() {
      state.process?.signal('SIGTERM');
      await gone();
      (await state.spare)?.signal('SIGKILL');
      state.spare = null;
    },
    async dieAfter(step) {
      its().expectEnd();
      await its().call('dieAfter', { step });
    },
    died: gone,
    async moveClock(aheadMs) {
      state.aheadMs = aheadMs;
      await its().call('moveClock', { aheadMs });
    },
    aheadMs: () => state.aheadMs,
    taken: () => takenBy(its().pid),
    // Only the replica itself answers this.
    faults: async () => (await its().call('faults')) as readonly string[],
  };
}

function settingsOf({ database, surroundings, settings }: ReplicaOptions, port: number) {
  return {
    ...database.settings,
    PORT: String(port),
    SECRET,
    PAY_TO: surroundings.payTo,
    FACILITATOR_URL: surroundings.facilitator.url,
    RPC_URL: surroundings.rpcUrl,
    // One machine plays many callers, with X-Forwarded-For.
    TRUSTED_PROXIES: '127.0.0.0/8',
    // Whoever reads the books afterwards is one address.
    REQUESTS_PER_ADDRESS: '1000',
    READS_PER_ADDRESS_MINUTE: '1000000',
    LOG_LEVEL: 'silent',
    ...settings,
  };
}
