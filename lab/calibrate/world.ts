import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createHostProber } from '../../src/adapters/probe/create-host-prober.ts';
import { createProber, type ProberParts } from '../../src/adapters/probe/create-prober.ts';
import type { Resolve } from '../../src/adapters/probe/resolve.ts';
import { openSqlite } from '../../src/adapters/store/sqlite/open.ts';
import type { Store } from '../../src/adapters/store/store.ts';
import { type GatePolicy, publicWeb } from '../../src/core/url/gate.ts';
import { publicAddresses } from '../../src/core/url/public-address.ts';
import type { LocatingProber, OpenHost } from '../../src/ports/prober.ts';
import { ownAddress } from '../../tools/samples/own-address.ts';
import type { Behaviour } from './behaviour.ts';
import { startSellers } from './seller.ts';

/** Everything happens at this moment, so that what has expired does not depend on the day of the run. */
export const NOW = new Date('2026-11-15T12:00:00.000Z');

/** Whoever answers has this long, also on a busy machine. */
const PATIENT_MS = 30_000;
/** Whoever does not answer loses no more than this: the outcome is the same. */
const HANGING_MS = 400;

export interface World {
  readonly store: Store;
  readonly policy: GatePolicy;
  readonly prober: LocatingProber;
  readonly openHost: OpenHost;
  close(): Promise<void>;
}

/** A store, the sellers on loopback, and the real prober with the real policy: only names and the last step are bent. */
export async function startWorld(corpus: readonly Behaviour[]): Promise<World> {
  const byHost = new Map(corpus.map((behaviour) => [behaviour.host, behaviour]));
  const sellers = await startSellers((host) => byHost.get(host)?.sell);
  const folder = await mkdtemp(join(tmpdir(), 'assay-calibrate-'));
  const store = await openSqlite({ file: join(folder, 'assay.db') });
  const policy = publicWeb({ addresses: publicAddresses([]), ownHosts: new Set(['assay.example.org']) });
  const parts: Omit<ProberParts, 'timeoutMs'> = {
    resolve: resolver(byHost),
    dial: async ({ signal }) => {
      const socket = connect({ host: '127.0.0.1', port: sellers.port });
      signal.addEventListener('abort', () => socket.destroy(), { once: true });
      await once(socket, 'connect');
      return socket;
    },
    policy,
    userAgent: 'Assay-Prober/0 (+https://assay.example.org/prober)',
  };
  const patient = { ...parts, timeoutMs: PATIENT_MS };
  const hasty = { ...parts, timeoutMs: HANGING_MS };
  const probers = { patient: createProber(patient), hasty: createProber(hasty) };
  const hosts = { patient: createHostProber(patient), hasty: createHostProber(hasty) };
  const kindOf = (host: string) => (byHost.get(host)?.hangs === true ? 'hasty' : 'patient');
  return {
    store,
    policy,
    prober: {
      locate: (target) => probers[kindOf(target.host)].locate(target),
      probe: (request, place) => probers[kindOf(request.target.host)].probe(request, place),
    },
    openHost: (host) => hosts[kindOf(host)](host),
    async close() {
      await sellers.close();
      await store.close();
      await rm(folder, { recursive: true });
    },
  };
}

/** Counts the look-ups of each name: a name may lead elsewhere the second time. */
function resolver(byHost: ReadonlyMap<string, Behaviour>): Resolve {
  const lookups = new Map<string, number>();
  return async (name) => {
    const lookup = (lookups.get(name) ?? 0) + 1;
    lookups.set(name, lookup);
    return byHost.get(name)?.resolves?.(lookup) ?? { kind: 'addresses', addresses: [ownAddress(name)] };
  };
}
