import { originOf, type TargetUrl } from '../../core/url/target-url.ts';
import type { OpenHost } from '../../ports/prober.ts';
import { asBroken, askOnce, locateBy, type ProberParts, probeBy, type Way } from './create-prober.ts';
import { deadlineIn, unlessAborted } from './deadline.ts';
import { locate } from './locate.ts';
import { openConnection } from './open-connection.ts';
import type { Resolution, Resolve } from './resolve.ts';
import type { Wire } from './wire.ts';

/** A prober for one leased host: its name is resolved once, and its connections are reused. */
export function createHostProber(parts: ProberParts): OpenHost {
  return (host) => {
    const resolve = resolveOnce(parts);
    const wires = keptWires();
    const way: Way = {
      locate: (target, signal) => locate(target, { ...parts, resolve }, signal),
      async ask(request, addresses) {
        const { target, signal } = request;
        const kept = wires.take(target);
        if (kept !== null) {
          const exchange = await kept.exchange(request);
          wires.keep(target, kept);
          // Sellers close what is idle, and it may cross with our request: no reason for "unreachable" (gap L21).
          if (exchange.kind !== 'gone') return exchange;
        }
        const { openWire } = await import('./wire.ts');
        const connection = await openConnection(target, addresses, parts, signal);
        if (connection.kind !== 'open') return connection;
        const wire = openWire(connection.socket, { target, keeps: true });
        wires.add(wire);
        const exchange = await wire.exchange(request);
        wires.keep(target, wire);
        return asBroken(exchange);
      },
    };
    const once: Way = { ...way, ask: (request, addresses) => askOnce(request, addresses, parts) };
    const requireOpen = (target: TargetUrl) => {
      if (target.host !== host) throw new Error('a target of another host than the one that is open');
      if (wires.areClosed()) throw new Error('the host is closed');
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
      close: wires.close,
    };
  };
}

/**
 * What a name leads to, or that it does not exist, is found out once; a look-up that fails may be tried again. It has its
 * own deadline, so that nobody who waits for it depends on the one who began.
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

/** More are never free at once with three requests at a time; ports that are not asked again must not add up. */
const KEPT_MAX = 3;

/** Connections by scheme and authority, the one that was used last first. */
function keptWires() {
  const free: { readonly origin: string; readonly wire: Wire }[] = [];
  const open = new Set<Wire>();
  const state = { isClosed: false };
  const drop = (wire: Wire) => {
    open.delete(wire);
    wire.close();
  };
  return {
    take(target: TargetUrl): Wire | null {
      const origin = originOf(target);
      for (let index = free.length - 1; index >= 0; index -= 1) {
        if (free[index]?.origin !== origin) continue;
        const [taken] = free.splice(index, 1);
        if (taken?.wire.isFree() === true) return taken.wire;
        if (taken !== undefined) drop(taken.wire);
      }
      return null;
    },
    add(wire: Wire): void {
      open.add(wire);
      if (state.isClosed) drop(wire);
    },
    keep(target: TargetUrl, wire: Wire): void {
      if (state.isClosed || !wire.isFree()) {
        drop(wire);
        return;
      }
      free.push({ origin: originOf(target), wire });
      for (const { wire: oldest } of free.splice(0, free.length - KEPT_MAX)) drop(oldest);
    },
    areClosed: () => state.isClosed,
    close(): void {
      state.isClosed = true;
      free.length = 0;
      for (const wire of [...open]) drop(wire);
    },
  };
}
