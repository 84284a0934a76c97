import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqlite } from '../../adapters/store/sqlite/open.ts';
import type { Store } from '../../adapters/store/store.ts';
import type { RunLog } from '../../flows/log/log-run.ts';
import { type Place, placeOf, placeText } from '../../sandbox/open-places.ts';
import { type Ecosystem, startEcosystem } from '../../sandbox/start-ecosystem.ts';
import { createStops, type Stops } from '../../sandbox/stops.ts';
import type { Runtime } from '../build/build-app.ts';
import type { Outbound } from '../build/outbound.ts';
import type { SnapshotKeeper } from '../build/snapshot-keeper.ts';
import type { BackgroundJob } from '../serve/start-rounds.ts';
import type { SandboxOptions } from './options.ts';
import { type ServiceAddresses, startSandboxService } from './sandbox-service.ts';

export interface Sandbox {
  readonly addresses: ServiceAddresses;
  readonly ecosystem: Ecosystem;
  readonly store: Store;
  readonly outbound: Outbound;
  /** Keys the hashes of URLs. */
  readonly secret: string;
  readonly runLog: RunLog;
  readonly keepSnapshot: SnapshotKeeper;
  /** Leaves no process and no file behind. */
  stop(): Promise<void>;
}

export type StartOptions = Pick<SandboxOptions, 'port' | 'allowed'> & Pick<Runtime, 'now' | 'onFault'>;

/** A chain, a facilitator, sellers, discovery lists and the service, all real and all on this machine. */
export async function startSandbox(options: StartOptions): Promise<Sandbox> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-sandbox-'));
  const [servers, stores] = [createStops(), createStops()];
  const stop = async () => {
    try {
      await servers.stopAll().finally(stores.stopAll);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  };
  try {
    return { ...(await start(options, { folder, servers, stores })), stop };
  } catch (fault) {
    await stop();
    throw fault;
  }
}

interface StartParts {
  readonly folder: string;
  readonly servers: Stops;
  /** Stopped after the servers, which use them. */
  readonly stores: Stops;
}

async function start(
  { port, allowed, now, onFault }: StartOptions,
  { folder, servers, stores }: StartParts,
): Promise<Omit<Sandbox, 'stop'>> {
  const store = await openSqlite({ file: join(folder, 'assay.db') });
  const kept: { jobs?: BackgroundJob } = {};
  stores.add(async () => {
    await kept.jobs?.stop();
    await store.close();
  });
  const ecosystem = await startEcosystem({ stops: servers, now, sellersPort: port });
  const open = [...ecosystem.sellers.map(({ url }) => placeOf(url)), ...allowed];
  const { jobs, ...service } = await startSandboxService({
    ecosystem,
    store,
    folder,
    port,
    open,
    stops: servers,
    now,
    onFault,
  });
  kept.jobs = jobs;
  requireOthers(allowed, ecosystem, service.addresses);
  return { ...service, ecosystem, store };
}

/** The sandbox's own servers are never targets, whatever --allow-target says. */
function requireOthers(
  allowed: readonly Place[],
  { chain, facilitatorUrl, discoveryLists }: Ecosystem,
  addresses: ServiceAddresses,
): void {
  const parts = [...Object.values(addresses), chain.rpcUrl, facilitatorUrl, ...Object.values(discoveryLists)];
  const own = new Set(parts.map((url) => placeText(placeOf(url))));
  const wrong = allowed.map(placeText).find((place) => own.has(place));
  if (wrong !== undefined) throw new Error(`--allow-target ${wrong} is a part of the sandbox itself`);
}
