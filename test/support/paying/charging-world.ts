import { afterAll } from 'vitest';
import type { Counter } from '../../../src/core/access/quota.ts';
import { boughtBefore as findBought, paidRequest } from '../../../src/flows/pay/bought-before.ts';
import {
  type Charged,
  type ChargePorts,
  charge,
  type NothingSold,
  type Order,
  type Quote,
  type Work,
} from '../../../src/flows/pay/charge.ts';
import type { AuthorizationUse, Settlement, SignedBy, Verification } from '../../../src/ports/facilitator.ts';
import type { PaymentLedger } from '../../../src/ports/payment-ledger.ts';
import { NOON } from '../../../tools/samples/store-receipts.ts';
import { memoryCounters } from '../storing/memory-stores.ts';
import { newSqlitePlace, type Place } from '../storing/stores.ts';
import { finishPlainly, PAYER, type PaymentChanges, PRICE, SELLER, unsigned } from './charging-payments.ts';
import { FROM } from './payments.ts';

/** What everybody says whom a charge asks. */
export interface Told {
  verify: () => Promise<Verification>;
  settle: () => Promise<Settlement>;
  useOf: () => Promise<AuthorizationUse>;
  quote: () => Promise<Quote<string> | NothingSold<string>>;
  work: () => Promise<Work | NothingSold<string>>;
  signedBy: SignedBy;
}

export interface ChargingWorld {
  readonly buy: (
    payment?: PaymentChanges,
    limit?: Order<string, string>['limit'],
  ) => Promise<Charged | string>;
  /** What the same payment has bought, as a process with this clock sees it. */
  readonly boughtBefore: (now: Date) => Promise<Charged | null>;
  readonly ports: ChargePorts;
  readonly told: Told;
  /** Everything that was asked, and in capitals the steps that were done. */
  readonly trace: string[];
  readonly faults: unknown[];
  readonly waits: number[];
  readonly clock: { now: Date };
  readonly ledger: PaymentLedger;
  /** Of all payments in the ledger. */
  states(): Promise<unknown[]>;
  /** How many purchases of the payer are counted. */
  used(): Promise<number | undefined>;
}

/** Two failures of a network. */
export const FAILURES: Counter = { key: 'failures', window: 'noon', limit: 2 };

/** Two purchases of a payer. */
export const counterOf = (payer: string): Counter => ({ key: `of ${payer}`, window: 'noon', limit: 2 });

/** Call it once in a test file: worlds whose stores are gone when the file is done. */
export function useChargingWorlds(): (changes?: Partial<ChargePorts>) => Promise<ChargingWorld> {
  const places: Place[] = [];
  afterAll(() => Promise.all(places.map((place) => place.remove())));
  return async (changes) => {
    const place = await newSqlitePlace();
    places.push(place);
    return chargingWorld(place, changes);
  };
}

/** A charge at noon on a real ledger, among others that say what they are told. */
async function chargingWorld(place: Place, changes: Partial<ChargePorts> = {}): Promise<ChargingWorld> {
  const trace: string[] = [];
  const faults: unknown[] = [];
  const waits: number[] = [];
  const clock = { now: NOON };
  const told: Told = {
    verify: async () => ({ kind: 'valid', payer: PAYER }),
    settle: async () => ({ kind: 'settled', tx: '0xabc', payer: PAYER }),
    useOf: async () => ({ kind: 'unavailable' }),
    signedBy: 'payer',
    quote: async () => ({ kind: 'price', price: PRICE, goods: 'goods' }),
    work: async () => ({ kind: 'done', answer: { body: 'goods', receipt: null } }),
  };
  const note = <T>(what: string, answer: () => T): T => {
    trace.push(what);
    return answer();
  };
  const ledger = noting((await place.open()).payments, 'ledger', trace);
  const counters = memoryCounters();
  const wait = async (milliseconds: number) => {
    waits.push(milliseconds);
  };
  const ports: ChargePorts = {
    ledger,
    counters: noting(counters, 'counters', trace),
    facilitator: {
      verify: () => note('verify', () => told.verify()),
      settle: () => note('settle', () => told.settle()),
    },
    signatures: { signedBy: async () => told.signedBy },
    authorizationLog: { useOf: () => note('log', () => told.useOf()) },
    finish: finishPlainly,
    clock: { now: () => clock.now, wait, stopwatch: () => 0 },
    newHolder: () => crypto.randomUUID(),
    onFault: (fault) => faults.push(fault),
    onStep: async (step) => {
      trace.push(step.toUpperCase());
    },
    ...changes,
  };
  const goods = { operation: 'lookup', parameters: ['weather'] } as const;
  const boughtBefore: ChargingWorld['boughtBefore'] = (now) =>
    findBought(paidRequest(goods, unsigned(), FROM), { ...ports, ledger, clock: { now: () => now, wait } });
  const buy: ChargingWorld['buy'] = (payment, limit = counterOf) => {
    const order: Order<string, string> = {
      ...goods,
      limit,
      quote: () => note('quote', () => told.quote()),
      work: () => note('work', () => told.work()),
    };
    return charge(order, unsigned(payment), { payTo: SELLER, from: FROM, failures: [FAILURES] }, ports);
  };
  return {
    ...{ buy, boughtBefore, ports, told, trace, faults, waits, clock, ledger },
    states: async () => (await place.ask('select state from payments')).map(({ state }) => state),
    used: async () => (await counters.reserve([{ ...counterOf(PAYER), limit: 0 }])).used[0],
  };
}

/** The first purchase, which stands still at its work until it may go on. */
export async function beginAt({ buy, told }: ChargingWorld, ends: Told['work'] = told.work) {
  const { work } = told;
  const held = { goOn: () => {} };
  const begun = new Promise<void>((resolve) => {
    told.work = async () => {
      told.work = work;
      await new Promise<void>((goOn) => {
        held.goOn = goOn;
        resolve();
      });
      return ends();
    };
  });
  const first = buy();
  await begun;
  return { first, goOn: held.goOn };
}

/** The same port; what it is asked is noted. */
function noting<Port extends object>(port: Port, name: string, trace: string[]): Port {
  const methods = Object.entries(port).map(([method, real]) => [
    method,
    (...values: unknown[]) => {
      trace.push(`${name}.${method}`);
      return Reflect.apply(real, port, values);
    },
  ]);
  // The same names, and behind each the same method.
  return Object.fromEntries(methods) as Port;
}
