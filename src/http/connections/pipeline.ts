import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/** Pipelined requests that may wait on one connection behind the one being answered (gap L75). */
const WAITING_MAX = 32;

export interface Pipeline {
  /** Begins the work for a request when the responses before it have left: a connection holds one unread response. */
  inTurn(socket: Duplex, response: ServerResponse, begin: () => void): void;
  /** Runs when the requests that wait now have been answered. */
  afterWaiting(socket: Duplex, run: () => void): void;
}

interface Waiting {
  count: number;
  readonly afterwards: (() => void)[];
}

/** One chunk of 64 kB holds a thousand requests: beyond the limit the connection is cut. */
export function createPipeline(): Pipeline {
  const waiting = new WeakMap<Duplex, Waiting>();
  const lower = (its: Waiting) => {
    its.count -= 1;
    if (its.count === 0) for (const run of its.afterwards.splice(0)) run();
  };
  return {
    inTurn(socket, response, begin) {
      // A response without a socket is queued behind others on the same connection.
      if (response.socket !== null) return begin();
      // Node parses the rest of a chunk even after the connection was destroyed.
      if (socket.destroyed) return;
      const its = waiting.get(socket) ?? { count: 0, afterwards: [] };
      if (its.count === WAITING_MAX) {
        socket.destroy();
        return;
      }
      its.count += 1;
      waiting.set(socket, its);
      response.once('close', () => lower(its));
      response.once('socket', () =>
        // Node is in the middle of handing the socket over, which it also does with one that was destroyed.
        queueMicrotask(() => {
          if (!socket.destroyed) begin();
        }),
      );
    },
    afterWaiting(socket, run) {
      const its = waiting.get(socket);
      // Deferred: the response to an earlier request of the same chunk leaves first.
      if (its === undefined || its.count === 0) setImmediate(run);
      else its.afterwards.push(run);
    },
  };
}
