import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { createBuiltInFacilitator } from '../../../src/adapters/facilitator/built-in-facilitator.ts';
import { createHttpFacilitator } from '../../../src/adapters/facilitator/http-facilitator.ts';
import { type Reconciled, reconcilePayments } from '../../../src/flows/pay/reconcile-payments.ts';
import type { Facilitator } from '../../../src/ports/facilitator.ts';
import type { LocalChain } from '../../../src/sandbox/chain/local-chain.ts';
import { type Misbehaviour, startFacilitatorServer } from '../../../src/sandbox/facilitator-server.ts';
import { createFinishPaidAnswer } from '../../../src/wire/payment/paid-answer.ts';
import { type ServiceOptions, startService, type TestService } from '../running/running-service.ts';
import { logAt } from './moved-log.ts';
import { type CountedFacilitator, countedFacilitator } from './paying-facilitator.ts';

/** Every call costs, and no target is spared. */
export const NOTHING_FREE = {
  FREE_LOOKUPS_PER_ADDRESS: '0',
  FREE_CHECKS_PER_ADDRESS: '0',
  PROBES_PER_HOST_MINUTE: '1000',
};

export interface PayingOptions extends ServiceOptions {
  readonly chain: LocalChain;
  /** Whom the service asks: a facilitator over HTTP unless it is told otherwise. */
  readonly through?: 'http' | 'built-in' | Facilitator;
  /** When a facilitator over HTTP is given up; late enough for a busy machine unless a test is about silence. */
  readonly patienceMs?: number;
}

/** A service that is paid on the local chain, and everything around it that a test may turn. */
export interface PayingService extends Pick<TestService, 'ask' | 'store' | 'place' | 'faults' | 'address'> {
  readonly facilitator: CountedFacilitator;
  /** Only of the facilitator over HTTP. */
  misbehave(how: Misbehaviour | null): void;
  /** How far the clock of the service is ahead of everybody else's; a stopped one stays where it is. */
  readonly clock: { aheadMs: number; stoppedAt: Date | null };
  readonly sellerRequests: string[];
  /** One round of finding out what became of settlements, as the program does it every few seconds. */
  reconcile(): Promise<Reconciled>;
  close(): Promise<void>;
}

/** What a settlement may take before it counts as left behind. */
const GRACE_MS = 45_000;

export async function startPaying({
  chain,
  through = 'http',
  patienceMs = 30_000,
  ...options
}: PayingOptions): Promise<PayingService> {
  const { rpcUrl, accounts } = chain;
  const server =
    through === 'http' ? await startFacilitatorServer({ rpcUrl, gasKey: accounts.gas.key }) : null;
  const real = (): Facilitator => {
    if (typeof through === 'object') return through;
    if (server !== null) return createHttpFacilitator({ url: server.url, timeoutMs: patienceMs });
    return createBuiltInFacilitator({ rpcUrl, gasKey: accounts.gas.key });
  };
  const facilitator = countedFacilitator(real());
  const clock: PayingService['clock'] = { aheadMs: 0, stoppedAt: null };
  const now = () => new Date((clock.stoppedAt?.getTime() ?? Date.now()) + clock.aheadMs);
  const authorizationLog = logAt(rpcUrl, now);
  const service = await startService({
    timeoutMs: 5_000,
    ...options,
    settings: { ...NOTHING_FREE, PAY_TO: accounts.seller.address, ...options.settings },
    world: {
      facilitator,
      authorizationLog,
      now,
      wait: async (ms) => {
        await pause(ms);
      },
      ...options.world,
    },
  });
  const { ask, store, place, faults, address, sellerRequests } = service;
  return {
    ...{ ask, store, place, faults, address, sellerRequests, facilitator, clock },
    misbehave(how) {
      if (server === null) throw new Error('only a facilitator over HTTP can misbehave');
      server.misbehave(how);
    },
    reconcile() {
      const { payments: ledger } = options.world?.store ?? store;
      const onFault = (fault: unknown) => faults.push(fault);
      const clock = { now };
      const ports = {
        ledger,
        facilitator,
        authorizationLog,
        finish: createFinishPaidAnswer(() => null),
        clock,
        onFault,
      };
      return reconcilePayments({ ...ports, onUnreadable: onFault }, GRACE_MS);
    },
    async close() {
      await service.close();
      await server?.stop();
    },
  };
}

/** One service for all tests of a suite; every test begins with counts of zero, the right time and good manners. */
export function usePaying(options: PayingOptions): PayingService {
  const running: PayingService[] = [];
  const its = (): PayingService => {
    const [service] = running;
    if (service === undefined) throw new Error('the service is not started yet');
    return service;
  };
  beforeAll(async () => {
    running.push(await startPaying(options));
  });
  beforeEach(() => {
    its().facilitator.reset();
    Object.assign(its().clock, { aheadMs: 0, stoppedAt: null });
    if ((options.through ?? 'http') === 'http') its().misbehave(null);
  });
  afterAll(() => its().close());
  return {
    ask: (path, sent) => its().ask(path, sent),
    misbehave: (how) => its().misbehave(how),
    reconcile: () => its().reconcile(),
    close: () => its().close(),
    get store() {
      return its().store;
    },
    get place() {
      return its().place;
    },
    get faults() {
      return its().faults;
    },
    get address() {
      return its().address;
    },
    get facilitator() {
      return its().facilitator;
    },
    get clock() {
      return its().clock;
    },
    get sellerRequests() {
      return its().sellerRequests;
    },
  };
}
