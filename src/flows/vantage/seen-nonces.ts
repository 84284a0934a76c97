export interface SeenNonces {
  /** Remembers a nonce of this client; `full` when no more can be remembered. */
  take(client: string, nonce: string): 'new' | 'seen' | 'full';
}

/** Twice as long as a request is fresh, whatever the clocks say. */
const KEPT_MS = 120_000;
/** Several times what the minutes of a client admit. */
const PER_CLIENT = 8_192;

/** Per client, so that none can fill the table of another one. */
export function createSeenNonces(stopwatch: () => number): SeenNonces {
  const clients = new Map<string, Map<string, number>>();
  return {
    take(client, nonce) {
      const seen = clients.get(client) ?? new Map<string, number>();
      clients.set(client, seen);
      const now = stopwatch();
      forgetBefore(seen, now - KEPT_MS);
      if (seen.has(nonce)) return 'seen';
      if (seen.size >= PER_CLIENT) return 'full';
      seen.set(nonce, now);
      return 'new';
    },
  };
}

/** In the order of their times: the oldest come first. */
function forgetBefore(seen: Map<string, number>, before: number): void {
  for (const [nonce, at] of seen) {
    if (at >= before) return;
    seen.delete(nonce);
  }
}
