import { NO_SCOPE } from './call/call-scope.ts';
import { type Evidence, evidenceOf } from './evidence/evidence.ts';
import type { GuardOptions } from './guard-options.ts';
import type { GuardRefused } from './guard-refused.ts';
import { type GuardedFetch, guardedFetch, type SharedAnswer } from './guarded-fetch.ts';
import { type Asked, createGuarding } from './guarding.ts';
import type { Purchase, PurchaseState } from './ledger/purchase.ts';
import { createFlights } from './present/flights.ts';
import { settleOpen } from './present/settle-open.ts';

/** A purchase as the guard shows it: without the payment, because anybody who has it could send it. */
export type ShownPurchase = Omit<
  Purchase,
  'payment' | 'approved' | 'key' | 'request' | 'endpoint' | 'credentials'
>;

export interface Guard {
  /** For any payer that takes a fetch. */
  readonly fetch: GuardedFetch;
  /** The same guard for one task, whose limit is `perTask`, or over another transport. */
  for(scope: GuardScope): { readonly fetch: GuardedFetch };
  purchases(query?: {
    readonly state?: PurchaseState | 'open';
    readonly limit?: number;
  }): Promise<readonly ShownPurchase[]>;
  /** Rejects when there is no such purchase. */
  evidence(id: string): Promise<Evidence>;
  /** Asks the chain about open purchases; needs the option `chain`. Returns those that are open no longer. */
  settle(): Promise<readonly ShownPurchase[]>;
  /** Stops all payments of this ledger, in every process, until it is called with false. */
  freeze(frozen?: boolean): Promise<void>;
  /** Tells `onDecision` of a refusal by a transport above the guard, which came before there was a fetch. */
  refused(refusal: GuardRefused, asked: Asked): void;
  close(): Promise<void>;
}

export interface GuardScope {
  readonly task?: string;
  /** Sends the requests of this scope, in place of the option `fetch`. */
  readonly fetch?: typeof globalThis.fetch;
  /** False where an Assay service cannot look, as at a tool of an MCP server. It then counts as unavailable. */
  readonly hasWitness?: boolean;
}

const PURCHASES_MAX = 10_000;

export function createGuard(options: GuardOptions): Guard {
  const guarding = createGuarding(options);
  const { ledger } = guarding;
  const flights = createFlights<SharedAnswer>();
  return {
    fetch: guardedFetch(guarding, flights, NO_SCOPE),
    for: ({ task = null, fetch = guarding.fetch, hasWitness = true }) => ({
      fetch: guardedFetch({ ...guarding, fetch, hasWitness }, flights, { ...NO_SCOPE, task }),
    }),
    purchases: async (query = {}) => (await ledger.find(query)).map(shown),
    async evidence(id) {
      const [purchase] = await ledger.find({ id, limit: 1 });
      if (purchase === undefined) throw new Error('there is no purchase with this id');
      return evidenceOf(purchase, { now: guarding.now() });
    },
    async settle() {
      const settled: ShownPurchase[] = [];
      for (const open of await ledger.find({ state: 'open', limit: PURCHASES_MAX })) {
        const now = await settleOpen(guarding, open);
        if (now.state !== open.state) settled.push(shown(now));
      }
      return settled;
    },
    freeze: (frozen = true) => ledger.freeze(frozen),
    refused: guarding.refused,
    close: () => ledger.close(),
  };
}

/** `createGuard(options).fetch`, for a program that wants nothing else. */
export function guardFetch(options: GuardOptions): GuardedFetch {
  return createGuard(options).fetch;
}

function shown({ payment, approved, key, request, endpoint, credentials, ...rest }: Purchase): ShownPurchase {
  return rest;
}
