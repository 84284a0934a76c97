import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqlite } from '../../adapters/store/sqlite/open.ts';
import type { Store } from '../../adapters/store/store.ts';
import { type Place, placeOf, placeText } from '../../sandbox/open-places.ts';
import { type Surroundings, startSurroundings } from '../../sandbox/start-ecosystem.ts';
import { createStops, type Stops } from '../../sandbox/stops.ts';
import type { Reach } from '../build/outbound.ts';
import type { World } from '../build-app.ts';
import type { House } from '../keep-house.ts';
import type { SandboxOptions } from '../sandbox-options.ts';
import { type ServiceAddresses, startSandboxService } from './sandbox-service.ts';

export interface Sandbox {
  readonly addresses: ServiceAddresses;
  readonly surroundings: Surroundings;
  readonly store: Store;
  readonly reach: Reach;
  /** What keys are made with. */
  readonly secret: string;
  /** Leaves nothing behind, neither a process at work nor a file. */
  stop(): Promise<void>;
}

export type StartOptions = Pick<SandboxOptions, 'port' | 'allowed'> & Pick<World, 'now' | 'onFault'>;

/** Everything on this machine, nothing of it pretended. */
export async function startSandbox(options: StartOptions): Promise<Sandbox> {
  const folder = mkdtempSync(join(tmpdir(), 'assay-sandbox-'));
  const [servers, keepers] = [createStops(), createStops()];
  const stop = async () => {
    try {
      await servers.stopAll().finally(keepers.stopAll);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  };
  try {
    return { ...(await start(options, { folder, servers, keepers })), stop };
  } catch (fault) {
    await stop();
    throw fault;
  }
}

interface Ground {
  readonly folder: string;
  readonly servers: Stops;
  /** What may be stopped only when no server needs it any more. */
  readonly keepers: Stops;
}

async function start(
  { port, allowed, now, onFault }: StartOptions,
  { folder, servers, keepers }: Ground,
): Promise<Omit<Sandbox, 'stop'>> {
  const store = await openSqlite({ file: join(folder, 'assay.db') });
  const kept: { house?: House } = {};
  keepers.add(async () => {
    await kept.house?.leave();
    await store.close();
  });
  const surroundings = await startSurroundings({ stops: servers, now });
  const open = [...surroundings.sellers.map(({ url }) => placeOf(url)), ...allowed];
  const { addresses, house, reach, secret } = await startSandboxService({
    surroundings,
    store,
    folder,
    port,
    open,
    stops: servers,
    now,
    onFault,
  });
  kept.house = house;
  requireOthers(allowed, surroundings, addresses);
  return { addresses, surroundings, store, reach, secret };
}

/** Neither the service nor what it stands on is ever a target, whatever is asked for. */
function requireOthers(
  allowed: readonly Place[],
  { chain, facilitatorUrl, discoveryLists }: Surroundings,
  addresses: ServiceAddresses,
): void {
  const parts = [...Object.values(addresses), chain.rpcUrl, facilitatorUrl, ...Object.values(discoveryLists)];
  const own = new Set(parts.map((url) => placeText(placeOf(url))));
  const wrong = allowed.map(placeText).find((place) => own.has(place));
  if (wrong !== undefined) throw new Error(`--allow-target ${wrong} is a part of the sandbox itself`);
}
