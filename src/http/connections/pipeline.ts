import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/** Pipelined requests that may wait on one connection behind the one being answered (gap L75). */
const WAITING_MAX = 32;

export interface Pipeline {
  /** Begins the work for a request when the responses before it have left: a connection holds one unread response. */
  inTurn(request: IncomingMessage, response: ServerResponse, begin: () => void): void;
  /** Runs once, when every request that arrived whole has been answered. One that did not is what the fault is about. */
  afterWhole(socket: Duplex, run: () => void): void;
}

interface Unanswered {
  readonly requests: Set<IncomingMessage>;
  afterwards: (() => void) | null;
}

/** One chunk of 64 kB holds a thousand requests: beyond the limit the connection is cut. */
export function createPipeline(): Pipeline {
  const unanswered = new WeakMap<Duplex, Unanswered>();
  const runIfAnswered = (its: Unanswered) => {
    if (its.afterwards === null || [...its.requests].some(({ complete }) => complete)) return;
    its.afterwards();
    its.afterwards = null;
  };
  return {
    inTurn(request, response, begin) {
      const { socket } = request;
      const its = unanswered.get(socket) ?? { requests: new Set(), afterwards: null };
      // A response without a socket is queued behind others on the same connection.
      const isQueued = response.socket === null;
      // Node parses the rest of a chunk even after the connection was destroyed.
      if (isQueued && socket.destroyed) return;
      if (isQueued && its.requests.size > WAITING_MAX) {
        socket.destroy();
        return;
      }
      unanswered.set(socket, its);
      its.requests.add(request);
      response.once('close', () => {
        its.requests.delete(request);
        runIfAnswered(its);
      });
      if (!isQueued) return begin();
      response.once('socket', () =>
        // Node is in the middle of handing the socket over, which it also does with one that was destroyed.
        queueMicrotask(() => {
          if (!socket.destroyed) begin();
        }),
      );
    },
    afterWhole(socket, run) {
      const its = unanswered.get(socket) ?? { requests: new Set(), afterwards: null };
      its.afterwards ??= run;
      // Deferred: the response to an earlier request of the same chunk leaves first.
      setImmediate(() => runIfAnswered(its));
    },
  };
}
