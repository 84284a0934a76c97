import { type Call, endpointOf } from '../call/call.ts';
import type { Purchase } from '../ledger/purchase.ts';

type Place = Pick<Purchase, 'key' | 'endpoint'>;

/** Purchases that this process has sent a payment for and that were not delivered. */
export interface Unfinished {
  add(place: Place): void;
  delete(place: Place): void;
  has(place: Place): boolean;
  /** Whether a request could be one of them; which one says its body, which may be a stream that has not ended. */
  isAt(request: Pick<Call, 'method' | 'url'>): boolean;
}

export function createUnfinished(): Unfinished {
  const keys = new Map<string, Set<string>>();
  return {
    add({ key, endpoint }) {
      keys.set(endpoint, (keys.get(endpoint) ?? new Set()).add(key));
    },
    delete({ key, endpoint }) {
      const known = keys.get(endpoint);
      known?.delete(key);
      if (known?.size === 0) keys.delete(endpoint);
    },
    has: ({ key, endpoint }) => keys.get(endpoint)?.has(key) ?? false,
    isAt: (request) => keys.size > 0 && keys.has(endpointOf(request)),
  };
}
