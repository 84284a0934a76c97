import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { networksOf } from '../../core/access/networks.ts';

export interface ReadingPatience {
  /** Without any progress. */
  readonly readMs: number;
  /** From the first byte to the last, also for a client that reads slowly. */
  readonly responseMs: number;
  readonly lookEveryMs: number;
}

export interface UnreadResponses {
  /** Watches a response that did not leave at once. */
  watch(socket: Socket, response: ServerResponse): void;
  stop(): void;
}

/** Over all connections. Beyond it the network that has most of it loses what it has been reading for longest. */
const BYTES_MAX = 64_000_000;

interface Unread {
  readonly bytes: number;
  readonly network: string;
  looks: number;
}

/**
 * Cuts off callers that do not read. Nearly all responses leave at once, so there is no timer per connection: the time of an
 * unread response starts at the next periodic look.
 */
export function watchUnread(
  { readMs, responseMs, lookEveryMs }: ReadingPatience,
  bytesMax = BYTES_MAX,
): UnreadResponses {
  const unread = new Map<Socket, Unread>();
  const state = { bytes: 0 };
  const forget = (socket: Socket, its: Unread) => {
    if (unread.get(socket) !== its) return;
    state.bytes -= its.bytes;
    unread.delete(socket);
  };
  const cut = (socket: Socket, its: Unread) => {
    forget(socket, its);
    socket.destroy();
  };
  const look = () => {
    for (const [socket, its] of unread) {
      its.looks += 1;
      if (its.looks * lookEveryMs > responseMs) cut(socket, its);
      else if (its.looks === 1) socket.setTimeout(readMs);
    }
  };
  const timer = setInterval(look, lookEveryMs).unref();
  return {
    watch(socket, response) {
      const bytes = socket.writableLength;
      if (bytes === 0) return;
      const its = { bytes, network: networkOf(socket), looks: 0 };
      unread.set(socket, its);
      state.bytes += bytes;
      response.once('close', () => forget(socket, its));
      while (state.bytes > bytesMax) {
        const network = greediest(unread, socket);
        if (network === null) break;
        for (const [oldest, theirs] of unread) {
          if (state.bytes <= bytesMax) break;
          if (theirs.network === network && oldest !== socket) cut(oldest, theirs);
        }
      }
    },
    stop: () => clearInterval(timer),
  };
}

/** A whole IPv6 /48 counts as one. */
function networkOf({ remoteAddress = '' }: Socket): string {
  const { prefix, wide } = networksOf(remoteAddress);
  return wide ?? prefix;
}

/** The network that held most before the newcomer, which stays; null when there is no other response. */
function greediest(unread: ReadonlyMap<Socket, Unread>, newcomer: Socket): string | null {
  const held = new Map<string, number>();
  for (const [socket, { network, bytes }] of unread) {
    if (socket !== newcomer) held.set(network, (held.get(network) ?? 0) + bytes);
  }
  let most: readonly [string | null, number] = [null, 0];
  for (const one of held) if (one[1] > most[1]) most = one;
  return most[0];
}
