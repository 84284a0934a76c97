import { serveLoopback } from '../../../src/sandbox/loopback-server.ts';

export interface HeldSettlements {
  readonly url: string;
  /** From now on what was settled is told to nobody. */
  hold(): void;
  /** Tells it now, and from now on at once. */
  release(): void;
  stop(): Promise<void>;
}

/** A way to a facilitator on which the answers to settlements can be held back until a test lets them go. */
export async function holdSettlements(facilitatorUrl: string): Promise<HeldSettlements> {
  const open = { isHeld: Promise.resolve(), release: () => {} };
  const { url, stop } = await serveLoopback({
    async handle({ method, path, body }) {
      const sent = method === 'POST' ? { body, headers: { 'content-type': 'application/json' } } : {};
      const answer = await fetch(facilitatorUrl + path, { method, ...sent });
      const told = { kind: 'json', status: answer.status, body: await answer.text() } as const;
      if (path === '/settle') await open.isHeld;
      return told;
    },
  });
  return {
    url,
    stop,
    hold() {
      open.isHeld = new Promise((resolve) => {
        open.release = resolve;
      });
    },
    release: () => open.release(),
  };
}
