import { microUsd } from '../../core/money/micro-usd.ts';
import { countsTowards } from './counts-towards.ts';
import type { Ledger, PurchaseMove, PurchaseQuery, Reserved, SpendingLimit } from './ledger.ts';
import { foundMost, requireCountable, timeOf, witnessedAt } from './ledger-bounds.ts';
import { LedgerFault } from './ledger-fault.ts';
import {
  BOUGHT_STATES,
  OPEN_STATES,
  type Purchase,
  type PurchaseState,
  RESERVED_FOR_MS,
  UNSPENT_STATES,
} from './purchase.ts';
import { createTallies } from './tally.ts';

export interface MemoryLedgerOptions {
  /**
   * Purchases that are kept, with 128 million characters of what their sellers said. Those that were never paid make room, then
   * concluded ones older than a day; a ledger without room refuses.
   */
  readonly most?: number;
}

/** Forgets everything when the process ends: what was signed may then be signed again, and the limits start at zero. */
export function memoryLedger({ most = 100_000 }: MemoryLedgerOptions = {}): Ledger {
  const ledger = createSyncLedger(most);
  const state = { frozen: false, closed: false };
  // In a promise, so that a fault rejects.
  const inTurn = async <T>(work: () => T): Promise<T> => {
    if (state.closed) throw new LedgerFault('the ledger is closed');
    return work();
  };
  return {
    reserve: (purchase, limits) => inTurn(() => ledger.reserve(purchase, limits)),
    move: (id, move) => inTurn(() => ledger.move(id, move)),
    open: (key) => inTurn(() => ledger.open(key)),
    find: (query) => inTurn(() => ledger.find(query)),
    freeze: (frozen) =>
      inTurn(() => {
        state.frozen = frozen;
      }),
    frozen: () => inTurn(() => state.frozen),
    async close() {
      state.closed = true;
    },
  };
}

/** The rules of the ledger; without an await, so that each call is one step. */
function createSyncLedger(most: number) {
  const table = createTable(most);

  const tidy = (now: Date) => {
    for (const purchase of table.unfinished()) {
      if (purchase.state === 'reserved' && now.getTime() - purchase.createdAt.getTime() > RESERVED_FOR_MS)
        table.put({ ...purchase, state: 'expired', updatedAt: now });
      else if (hasRunOut(purchase, now)) table.put({ ...purchase, payment: null });
    }
  };
  return {
    open: table.open,
    reserve(purchase: Purchase, limits: readonly SpendingLimit[]): Reserved {
      requireCountable(purchase.amount);
      timeOf(purchase.createdAt);
      if (table.get(purchase.id) !== null) throw new LedgerFault('the ledger has a purchase with this id');
      const now = purchase.createdAt;
      tidy(now);
      const held = table.open(purchase.key);
      if (held !== null && held.state !== 'reserved') return { kind: 'open', purchase: held };
      for (const limit of limits) {
        const sum = table.spent(limit);
        const spent = microUsd(held !== null && countsTowards(limit, held) ? sum - held.amount : sum);
        if (spent + purchase.amount > limit.max) return { kind: 'over', limit, spent };
      }
      table.makeRoom(now, purchase);
      if (held !== null) table.put({ ...held, state: 'expired', updatedAt: now });
      table.put({ ...purchase, state: 'reserved' });
      return { kind: 'reserved' };
    },
    move(id: string, { from, to, at, facts = {} }: PurchaseMove): boolean {
      timeOf(at);
      if (facts.amount !== undefined) requireCountable(facts.amount);
      const purchase = table.get(id);
      if (purchase === null || !from.includes(purchase.state)) return false;
      table.put({ ...purchase, ...facts, state: to, updatedAt: at });
      return true;
    },
    find(query: PurchaseQuery): readonly Purchase[] {
      const found = foundMost(query);
      return table
        .among(query)
        .filter((purchase) => matches(query, purchase))
        .reverse()
        .sort((left, right) => right.createdAt.getTime() - left.createdAt.getTime())
        .slice(0, found);
    },
  };
}

/** The purchases with their indexes and sums. */
function createTable(most: number) {
  /** In the order of their reservation. */
  const purchases = new Map<string, Purchase>();
  const openIds = new Map<string, string>();
  /** Ids of those that are reserved or hold a payment: time changes them. */
  const unfinished = new Set<string>();
  const byRequest = createIndex(({ request }) => request);
  const byEndpoint = createIndex(({ endpoint }) => endpoint);
  const tallies = createTallies(most);
  let text = 0;
  const get = (id: string | undefined) => purchases.get(id ?? '') ?? null;
  const remove = (purchase: Purchase) => {
    text -= textOf(purchase);
    tallies.forget(purchase);
    purchases.delete(purchase.id);
    for (const index of [byRequest, byEndpoint]) index.remove(purchase);
    unfinished.delete(purchase.id);
  };

  return {
    get,
    open: (key: string) => get(openIds.get(key)),
    /** Every purchase that can match, in the order of reservation. */
    among({ id, request, endpoint }: PurchaseQuery): Purchase[] {
      const ids = id === undefined ? (byRequest.ids(request) ?? byEndpoint.ids(endpoint)) : [id];
      return ids === null ? [...purchases.values()] : [...ids].flatMap((one) => get(one) ?? []);
    },
    unfinished: () => [...unfinished].flatMap((id) => get(id) ?? []),
    put(purchase: Purchase): void {
      const { id, key, state, payment } = purchase;
      const holder = openIds.get(key);
      if (isOpen(purchase)) {
        if (holder !== undefined && holder !== id)
          throw new LedgerFault('the ledger has an open purchase with this key');
        openIds.set(key, id);
      } else if (holder === id) openIds.delete(key);
      if (state === 'reserved' || payment !== null) unfinished.add(id);
      else unfinished.delete(id);
      const before = get(id);
      if (before === null) for (const index of [byRequest, byEndpoint]) index.add(purchase);
      text += textOf(purchase) - (before === null ? 0 : textOf(before));
      purchases.set(id, UNSPENT.has(state) ? withoutEntries(purchase) : purchase);
      tallies.count(purchase);
    },
    spent: tallies.spent,
    makeRoom(now: Date, next: Purchase): void {
      const isFull = () => purchases.size >= most || text + textOf(next) > TEXT_MAX_CHARS;
      const aDayAgo = now.getTime() - DAY_MS;
      for (const concluded of [UNSPENT, BOUGHT]) {
        for (const purchase of purchases.values()) {
          if (!isFull()) return;
          const { state, createdAt } = purchase;
          if (concluded.has(state) && (concluded === UNSPENT || createdAt.getTime() < aDayAgo))
            remove(purchase);
        }
      }
      if (isFull())
        throw new LedgerFault(
          `the ledger in memory is full: it has ${purchases.size} purchases that still count`,
        );
    },
  };
}

/** What a seller can make as long as it likes: 256 kB of a 402, and 64 kB of what it says about the settlement. */
function textOf({ challenge, answer }: Purchase): number {
  return challenge.length + (answer?.paymentResponse?.length ?? 0);
}

/** What will never be signed needs no entries: as many small objects they take twenty times the memory of their text. */
function withoutEntries(purchase: Purchase): Purchase {
  return { ...purchase, approved: purchase.approved.map((one) => ({ ...one, entry: {} })) };
}

/** The ids of purchases by one of their members, which never changes. */
function createIndex(memberOf: (purchase: Purchase) => string) {
  const index = new Map<string, Set<string>>();
  return {
    add(purchase: Purchase): void {
      const ids = index.get(memberOf(purchase)) ?? new Set();
      index.set(memberOf(purchase), ids.add(purchase.id));
    },
    remove(purchase: Purchase): void {
      const ids = index.get(memberOf(purchase));
      ids?.delete(purchase.id);
      if (ids?.size === 0) index.delete(memberOf(purchase));
    },
    /** Null when the query does not say. */
    ids: (value: string | undefined): Iterable<string> | null =>
      value === undefined ? null : (index.get(value) ?? []),
  };
}

function matches(query: PurchaseQuery, purchase: Purchase): boolean {
  const { state, witnessedSince } = query;
  const isSame = (['id', 'key', 'request', 'endpoint', 'termsSha256'] as const).every(
    (name) => query[name] === undefined || query[name] === purchase[name],
  );
  const isIn = state === undefined || statesOf(state).has(purchase.state);
  const witnessed = witnessedAt(purchase);
  const isWitnessed =
    witnessedSince === undefined || (witnessed !== null && witnessed >= witnessedSince.getTime());
  return isSame && isIn && isWitnessed;
}

function statesOf(state: NonNullable<PurchaseQuery['state']>): ReadonlySet<PurchaseState> {
  if (state === 'open') return OPEN;
  return state === 'bought' ? BOUGHT : new Set([state]);
}

function isOpen({ state }: Purchase): boolean {
  return OPEN.has(state);
}

/** The token contract takes an authorization only before this second. */
function hasRunOut({ authorization }: Purchase, now: Date): boolean {
  return authorization !== null && authorization.validBefore * 1_000n <= BigInt(now.getTime());
}

const DAY_MS = 86_400_000;
const TEXT_MAX_CHARS = 134_217_728;
const UNSPENT: ReadonlySet<PurchaseState> = new Set(UNSPENT_STATES);
const OPEN: ReadonlySet<PurchaseState> = new Set(OPEN_STATES);
const BOUGHT: ReadonlySet<PurchaseState> = new Set(BOUGHT_STATES);
