import type { Hex } from 'viem';
import type { OpenSeller } from '../../src/sandbox/sellers/start-sellers.ts';
import { freePort } from '../../tools/free-port.ts';
import { putBehind } from './behind.ts';
import { type Controlled, startControlled, takenBy } from './controlled.ts';
import { type FacilitatorWay, openWay } from './facilitator-way.ts';

/** All that the service stands on: money, somebody who moves it, sellers, and lists of them, in processes of their own. */
export interface Surroundings {
  readonly rpcUrl: string;
  /** The wallet of the service. */
  readonly payTo: Hex;
  readonly buyerKeys: readonly Hex[];
  readonly sellers: readonly SellerClaims[];
  /** By name. */
  readonly lists: Readonly<Record<string, string>>;
  readonly facilitator: FacilitatorProcess;
  /** Every request that the sellers have seen so far. */
  seen(): Promise<SeenRequests>;
  stop(): Promise<void>;
}

/** What is claimed of a seller; what it does stays with it. */
export type SellerClaims = Omit<OpenSeller, 'behave'>;

export interface SeenRequest {
  readonly host: string;
  readonly agent: string;
  readonly target: string;
  readonly hasPayment: boolean;
  readonly startedAt: number;
  /** Null while it is under way. */
  readonly endedAt: number | null;
  /** False when the other side went away first. */
  readonly answered: boolean;
}

export interface SeenRequests {
  readonly requests: readonly SeenRequest[];
  /** How many more there were than are kept. */
  readonly dropped: number;
}

export interface FacilitatorProcess {
  /** Where the service asks: through the way when there is one. */
  readonly url: string;
  readonly way: FacilitatorWay;
  kill(): Promise<void>;
  start(): Promise<void>;
  cpuMicros(): number;
}

export interface SurroundingsOptions {
  /** Leaves the way out, for whoever measures. */
  readonly direct?: boolean;
  /** Chain and facilitator run only when nobody else wants a core. */
  readonly yields?: boolean;
  readonly onFall?: (what: string) => void;
}

type Chain = Pick<Surroundings, 'rpcUrl' | 'payTo' | 'buyerKeys'> & { readonly gasKey: Hex };
type Sellers = Pick<Surroundings, 'sellers' | 'lists'>;

export async function startSurroundings(options: SurroundingsOptions): Promise<Surroundings> {
  const { direct = false, yields = false, onFall = () => {} } = options;
  const port = await freePort();
  const behind = `http://127.0.0.1:${port}`;
  const processes: Controlled[] = [];
  const startOther = yields ? startBehind : startControlled;
  const begin = async (program: string, name: string, start = startControlled) => {
    const child = await start(program);
    processes.push(child);
    watch(child, name, onFall);
    return child;
  };
  const stop = async () => {
    for (const child of processes) child.signal('SIGKILL');
    await Promise.all(processes.map(({ ended }) => ended));
  };
  try {
    const around = await begin('chain.mjs', 'the chain', startOther);
    // Only chain.mjs answers this, with what its own code has made.
    const chain = (await around.call('start')) as Chain;
    const running = facilitatorAt({ rpcUrl: chain.rpcUrl, gasKey: chain.gasKey, port }, startOther, onFall);
    await running.start();
    const shops = await begin('sellers.mjs', 'the sellers');
    // Likewise sellers.mjs.
    const sellers = (await shops.call('start', { facilitatorUrl: behind })) as Sellers;
    const way = await openWay(behind);
    return {
      ...chain,
      ...sellers,
      facilitator: { ...running, url: direct ? behind : way.url, way },
      // As above.
      seen: async () => (await shops.call('seen')) as SeenRequests,
      async stop() {
        await way.stop();
        await running.kill();
        await stop();
      },
    };
  } catch (fault) {
    await stop();
    throw fault;
  }
}

async function startBehind(program: string): Promise<Controlled> {
  const child = await startControlled(program);
  putBehind(child.pid);
  return child;
}

interface FacilitatorSettings {
  readonly rpcUrl: string;
  readonly gasKey: Hex;
  readonly port: number;
}

function facilitatorAt(
  settings: FacilitatorSettings,
  begin: typeof startBehind,
  onFall: (what: string) => void,
) {
  const state: { process: Controlled | null } = { process: null };
  return {
    async start() {
      const child = await begin('facilitator.mjs');
      state.process = child;
      watch(child, 'the facilitator', onFall);
      await child.call('start', settings);
    },
    async kill() {
      state.process?.signal('SIGKILL');
      await state.process?.ended;
      state.process = null;
    },
    cpuMicros: () => (state.process === null ? 0 : takenBy(state.process.pid).cpuMicros),
  };
}

/** Somebody has to say so when a process ends that nobody has ended. */
export function watch({ ended }: Controlled, name: string, onFall: (what: string) => void): void {
  ended.then(({ wanted, how, said }) => {
    if (!wanted) onFall(`${name} ended with ${how}: ${said}`);
  });
}
