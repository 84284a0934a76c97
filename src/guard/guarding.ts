import { shownUrl } from './call/shown-url.ts';
import type { Decision, GuardOptions } from './guard-options.ts';
import { GuardRefused } from './guard-refused.ts';
import type { Ledger } from './ledger/ledger.ts';
import type { Purchase } from './ledger/purchase.ts';
import { type Policy, readPolicy } from './policy.ts';
import { createUnfinished, type Unfinished } from './present/unfinished.ts';
import { safeLedger } from './safe-ledger.ts';

/** What every part of one guard works with. */
export interface Guarding {
  readonly options: GuardOptions;
  readonly policy: Policy;
  readonly ledger: Ledger;
  /** Reaches sellers. */
  readonly fetch: typeof globalThis.fetch;
  /** Reaches the service and the chain: always by HTTP, whatever transport reaches the seller. */
  readonly factsFetch: typeof globalThis.fetch;
  /** False where a service cannot look. */
  readonly hasWitness: boolean;
  readonly unfinished: Unfinished;
  now(): Date;
  report(kind: ReportedKind, purchase: Purchase): void;
  refused(refusal: GuardRefused, asked: Asked): void;
}

/** What a refusal is about. */
export interface Asked {
  /** As the caller gave it, where it is no http or https URL. */
  readonly address: string;
  readonly method: string;
}

type ReportedKind = Exclude<Decision['kind'], 'refused'>;

export function createGuarding(options: GuardOptions): Guarding {
  const { onDecision, now = () => new Date() } = options;
  if (typeof options.ledger !== 'object' || options.ledger === null) {
    throw new TypeError(
      'guard: ledger is required; memoryLedger() forgets with the process, sqliteLedger(file) does not',
    );
  }
  // An observer must not change what happens to money, nor end the process when it fails later.
  const decide = (decision: Decision) => {
    const observe = async () => onDecision?.(decision);
    observe().catch(() => {});
  };
  // The global one of now: this guard may take its place. Browsers want it called without an object.
  const below = options.fetch ?? globalThis.fetch;
  const fetch: typeof globalThis.fetch = (input, init) => below(input, init);
  return {
    options,
    policy: readPolicy(options),
    ledger: safeLedger(options.ledger),
    fetch,
    factsFetch: fetch,
    hasWitness: true,
    unfinished: createUnfinished(),
    now,
    report(kind, { id, url, method, terms }) {
      decide({ kind, at: now(), purchaseId: id, url, method, terms });
    },
    refused({ code, purchaseId }, { address, method }) {
      decide({ kind: 'refused', at: now(), code, purchaseId, url: shownUrl(address), method });
    },
  };
}

/** Any other fault before a payment refuses it as well. */
export function asRefusal(fault: unknown): GuardRefused {
  if (fault instanceof GuardRefused) return fault;
  const refused = new GuardRefused('not_approved');
  refused.cause = fault;
  return refused;
}
