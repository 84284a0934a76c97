import { GuardRefused } from './guard-refused.ts';
import type { Ledger } from './ledger/ledger.ts';

/** The ledger's faults as refusals: what cannot be written down is not paid. */
export function safeLedger(ledger: Ledger): Ledger {
  const safely = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (cause) {
      const refused = new GuardRefused('ledger_unavailable');
      refused.cause = cause;
      throw refused;
    }
  };
  return {
    reserve: (purchase, limits) => safely(() => ledger.reserve(purchase, limits)),
    move: (id, move) => safely(() => ledger.move(id, move)),
    open: (key) => safely(() => ledger.open(key)),
    find: (query) => safely(() => ledger.find(query)),
    freeze: (frozen) => safely(() => ledger.freeze(frozen)),
    frozen: () => safely(() => ledger.frozen()),
    close: () => ledger.close(),
  };
}
