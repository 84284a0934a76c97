import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';

export interface Arrivals {
  note(request: IncomingMessage): void;
  /** Refuses the request whose time is up, unless it had arrived whole and only waited to be read. */
  refuseLate(socket: Duplex, refuse: () => void): void;
}

/**
 * After a pause Node looks at its timeouts before it reads what came in meanwhile: callers would be refused for our delay, some of
 * them while their request, a payment perhaps, is carried out.
 */
export function watchArrivals(): Arrivals {
  const latest = new WeakMap<Duplex, IncomingMessage>();
  return {
    note(request) {
      latest.set(request.socket, request);
    },
    refuseLate(socket, refuse) {
      const before = latest.get(socket);
      const wasWhole = before?.complete === true;
      // Everything that waits is read before it runs.
      setImmediate(() => {
        const now = latest.get(socket);
        const isWholeNow = now?.complete === true && (now !== before || !wasWhole);
        if (!isWholeNow) refuse();
      });
    },
  };
}
