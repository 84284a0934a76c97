import { originOf, type TargetUrl } from '../../core/url/target-url.ts';
import type { OpenHost } from '../../ports/prober.ts';
import { asBroken, askOnce, locateBy, type ProberParts, probeBy, type Way } from './create-prober.ts';
import { deadlineIn, unlessAborted } from './deadline.ts';
import type { HttpConnection } from './http-connection.ts';
import { locate } from './locate.ts';
import { openConnection } from './open-connection.ts';
import type { Resolution, Resolve } from './resolve.ts';

/** A prober for one leased host: its name is resolved once, and its connections are reused. */
export function createHostProber(parts: ProberParts): OpenHost {
  return (host) => {
    const resolve = resolveOnce(parts);
    const connections = keptConnections();
    const way: Way = {
      locate: (target, signal) => locate(target, { ...parts, resolve }, signal),
      async ask(request, addresses) {
        const { target, signal } = request;
        const kept = connections.take(target);
        if (kept !== null) {
          const exchange = await kept.exchange(request);
          connections.keep(target, kept);
          // Sellers close idle connections, perhaps while our request is on its way: no reason for "unreachable" (gap L21).
          if (exchange.kind !== 'gone') return exchange;
        }
        const { httpOver } = await import('./http-connection.ts');
        const dialled = await openConnection(target, addresses, parts, signal);
        if (dialled.kind !== 'open') return dialled;
        const connection = httpOver(dialled.socket, { target, keeps: true });
        connections.add(connection);
        const exchange = await connection.exchange(request);
        connections.keep(target, connection);
        return asBroken(exchange);
      },
    };
    const once: Way = { ...way, ask: (request, addresses) => askOnce(request, addresses, parts) };
    const requireOpen = (target: TargetUrl) => {
      if (target.host !== host) throw new Error('a target of another host than the one that is open');
      if (connections.areClosed()) throw new Error('the host is closed');
    };
    return {
      async locate(target) {
        requireOpen(target);
        return locateBy(way, target, parts);
      },
      async probe(request, place) {
        requireOpen(request.target);
        return probeBy(request.isOnce === true ? once : way, request, parts, place);
      },
      close: connections.close,
    };
  };
}

/**
 * A name is resolved once, also when it turns out not to exist; only a look-up that failed is repeated. It has a deadline of
 * its own, so that those who wait for it do not depend on the caller who began it.
 */
function resolveOnce({ resolve, timeoutMs }: ProberParts): Resolve {
  let asking: Promise<Resolution> | null = null;
  const ask = async (name: string): Promise<Resolution> => {
    const deadline = deadlineIn(timeoutMs);
    try {
      const resolution = await unlessAborted(deadline.signal, resolve(name, deadline.signal));
      return resolution ?? { kind: 'failed' };
    } catch {
      return { kind: 'failed' };
    } finally {
      deadline.close();
    }
  };
  return async (name) => {
    asking ??= ask(name);
    const mine = asking;
    const resolution = await mine;
    if (resolution.kind === 'failed' && asking === mine) asking = null;
    return resolution;
  };
}

/** With three requests at a time no more are ever free at once, unless ports are not asked again: these must not add up. */
const KEPT_MAX = 3;

/** Connections by scheme and authority, the one that was used last first. */
function keptConnections() {
  const free: { readonly origin: string; readonly connection: HttpConnection }[] = [];
  const open = new Set<HttpConnection>();
  const state = { isClosed: false };
  const drop = (connection: HttpConnection) => {
    open.delete(connection);
    connection.close();
  };
  return {
    take(target: TargetUrl): HttpConnection | null {
      const origin = originOf(target);
      for (let index = free.length - 1; index >= 0; index -= 1) {
        if (free[index]?.origin !== origin) continue;
        const [taken] = free.splice(index, 1);
        if (taken?.connection.isFree() === true) return taken.connection;
        if (taken !== undefined) drop(taken.connection);
      }
      return null;
    },
    add(connection: HttpConnection): void {
      open.add(connection);
      if (state.isClosed) drop(connection);
    },
    keep(target: TargetUrl, connection: HttpConnection): void {
      if (state.isClosed || !connection.isFree()) {
        drop(connection);
        return;
      }
      free.push({ origin: originOf(target), connection });
      for (const { connection: oldest } of free.splice(0, free.length - KEPT_MAX)) drop(oldest);
    },
    areClosed: () => state.isClosed,
    close(): void {
      state.isClosed = true;
      free.length = 0;
      for (const connection of [...open]) drop(connection);
    },
  };
}
