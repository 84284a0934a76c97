import type { ListedEndpoint } from '../../../src/core/crawl/listed-endpoint.ts';
import type { ProbePorts } from '../../../src/flows/crawl/crawl-ports.ts';
import type { CrawlRow } from '../../../src/ports/crawl-runs.ts';
import type { CrawlWork } from '../../../src/ports/crawl-work.ts';
import { anywhere } from '../../../tools/samples/placed.ts';
import { memoryOpenEndpoints } from '../storing/memory-stores.ts';
import { urlsOf } from './crawl-work.ts';

/** How the store of a worker behaves. */
interface Behaviour {
  readonly hostsAtOnce?: number;
  /** How long it took to hear of the hosts that were taken. */
  readonly lateMs?: number;
  readonly isLostOnRenewal?: boolean;
  readonly isLostOnWrite?: boolean;
  /** How often it says that an id is taken. */
  readonly refusals?: number;
  /** Slots that callers have at every target. */
  readonly callers?: number;
  /** The one write that fails. */
  readonly brokenWrite?: number;
}

/** Hosts that one worker can take once, in memory, and what it did with them. */
export function crawlWorkOf(
  hosts: Readonly<Record<string, number | readonly ListedEndpoint[]>>,
  behaviour: Behaviour = {},
) {
  const urls = new Map(
    Object.entries(hosts).map(([host, listed]) => [
      `${host}.example`,
      typeof listed === 'number' ? urlsOf(host, listed) : listed,
    ]),
  );
  const free = [...urls.keys()];
  const gate = { open: Promise.resolve(), letGo: () => {} };
  const state = { ...newState(), callers: behaviour.callers ?? 0 };
  const keep = (rows: readonly CrawlRow[]): readonly CrawlRow[] => {
    state.ids.push(...rows.map(({ receipt }) => receipt.id));
    if (state.ids.length <= (behaviour.refusals ?? 0)) return rows;
    state.done.push(...rows.map(({ urlKey }) => urlKey));
    return [];
  };
  const work: Pick<CrawlWork, 'take' | 'left' | 'done' | 'renew' | 'release' | 'progress'> = {
    async take(_runId, _owner, limit) {
      const taken = free.splice(0, limit);
      if (taken.length > 0) state.lateMs += behaviour.lateMs ?? 0;
      return taken.map((host) => ({ host, left: urls.get(host)?.length ?? 0 }));
    },
    async left(_runId, host, after, limit) {
      state.chunksRead += 1;
      const all = (urls.get(host) ?? []).map((endpoint) => ({ urlKey: endpoint.target.href, endpoint }));
      const start = after === null ? 0 : all.findIndex(({ urlKey }) => urlKey === after) + 1;
      return all.slice(start, start + limit);
    },
    async done(_holder, findings) {
      await gate.open;
      state.hostsPerWrite.push(findings.length);
      if (state.hostsPerWrite.length === behaviour.brokenWrite) throw new Error('the disk is full');
      if (behaviour.isLostOnWrite === true) state.isLost = true;
      return findings.map(({ rows }) => !state.isLost && keep(rows));
    },
    async renew() {
      state.renewed += 1;
      state.isLost = behaviour.isLostOnRenewal === true;
      return !state.isLost;
    },
    async release({ host }) {
      state.released.push(host);
    },
    async progress() {
      const total = [...urls.values()].flat().length;
      const urlsLeft = state.isLost ? 0 : total - state.done.length;
      return { hosts: urls.size, hostsLeft: urlsLeft > 0 ? 1 : 0, urls: total, urlsLeft };
    },
  };
  return { parts: partsOf(work, state, behaviour), state, writes: writesOf(gate) };
}

function newState() {
  return {
    begun: [] as string[],
    done: [] as string[],
    ids: [] as string[],
    hostsPerWrite: [] as number[],
    opened: [] as string[],
    closed: [] as string[],
    released: [] as string[],
    chunksRead: 0,
    renewed: 0,
    /** Targets whose slots were asked for, and those whose slots were freed. */
    held: [] as string[],
    freed: [] as string[],
    callers: 0,
    mostInFlight: 0,
    inFlight: 0,
    mostUnkept: 0,
    lateMs: 0,
    isLost: false,
    quiet: () => new Promise((done) => setTimeout(done, 60)),
  };
}

function partsOf(
  work: object,
  state: ReturnType<typeof newState>,
  { hostsAtOnce = 9 }: Behaviour,
): ProbePorts {
  return {
    // What a worker calls is there; the rest of the port belongs to the one who leads.
    work: work as CrawlWork,
    slots: {
      async hold({ targetKey }, { most: limit }) {
        state.held.push(targetKey);
        return Math.min(limit, 3 - state.callers);
      },
      free: async ({ targetKey }) => void state.freed.push(targetKey),
      prune: async () => 0,
    },
    keyOf: (text) => text,
    openEndpoints: memoryOpenEndpoints(),
    entropy: (bytes) => new Uint8Array(bytes),
    openHost: (host) => {
      state.opened.push(host);
      return {
        locate: anywhere,
        async probe({ target }) {
          state.begun.push(target.href);
          state.mostUnkept = Math.max(state.mostUnkept, state.begun.length - state.done.length);
          state.inFlight += 1;
          state.mostInFlight = Math.max(state.mostInFlight, state.inFlight);
          // Out of step with each other, so that a write is not always that of all workers.
          const ms = 1 + 8 * (state.begun.length % 3);
          await new Promise((done) => setTimeout(done, ms));
          state.inFlight -= 1;
          return { kind: 'unreachable', cause: 'connection_failed' };
        },
        close: () => void state.closed.push(host),
      };
    },
    hostsAtOnce,
    now: () => new Date('2026-11-15T12:00:00.000Z'),
    stopwatch: () => state.lateMs,
    wait: (milliseconds) => new Promise((done) => setTimeout(done, milliseconds)),
    onReceipt: () => {},
    isStopped: () => false,
  };
}

function writesOf(gate: { open: Promise<void>; letGo: () => void }) {
  return {
    hold() {
      gate.open = new Promise((done) => {
        gate.letGo = done;
      });
    },
    letGo: () => gate.letGo(),
  };
}
