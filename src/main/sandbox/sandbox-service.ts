import type { Server } from 'node:http';
import { dialDirectly } from '../../adapters/probe/dial.ts';
import type { Store } from '../../adapters/store/store.ts';
import { createLog } from '../../adapters/system/log.ts';
import { buildTaskIndex } from '../../core/catalog/task-index.ts';
import type { App } from '../../http/app.ts';
import { onlyPlaces, type Place, placeOf, resolveNothing } from '../../sandbox/open-places.ts';
import { sandboxCatalog } from '../../sandbox/sandbox-catalog.ts';
import type { Surroundings } from '../../sandbox/start-ecosystem.ts';
import type { Stops } from '../../sandbox/stops.ts';
import { openPayments } from '../build/open-payments.ts';
import { type Reach, reachBy } from '../build/outbound.ts';
import { createWorld, packageVersion } from '../build/runtime.ts';
import { buildApp, type World } from '../build-app.ts';
import { type Config, environment, readConfig } from '../config/config.ts';
import { createHttpServer } from '../http-server.ts';
import { type House, keepHouse } from '../keep-house.ts';
import { listenOn, stopListening } from '../serve/listen.ts';

/** Anybody may know it: nothing is worth anything here. */
export const SELF_TEST_KEY = 'sandbox-self-test-key';

/** Where the service is reached; all three lead to the same one. */
export interface ServiceAddresses {
  readonly baseUrl: string;
  readonly altUrl: string;
  readonly legacyUrl: string;
}

export interface SandboxServiceParts extends Pick<World, 'now' | 'onFault'> {
  readonly surroundings: Surroundings;
  readonly store: Store;
  readonly folder: string;
  readonly port: number;
  /** Where the prober may knock. */
  readonly open: readonly Place[];
  readonly stops: Stops;
}

/** The service as it is, with the rules and limits it always has, in a world of its own. */
export async function startSandboxService(parts: SandboxServiceParts): Promise<{
  readonly addresses: ServiceAddresses;
  readonly house: House;
  readonly reach: Reach;
  readonly secret: string;
}> {
  const { surroundings, store, folder, stops, now, onFault } = parts;
  const settings = settingsOf(surroundings, folder);
  const log = createLog(settings.logLevel);
  const payments = await openPayments(settings, log);
  const late: { app?: App } = {};
  const addresses = await listenOnAll(parts.port, stops, () => createHttpServer(laterApp(late)));
  const config = { ...settings, ...addresses };
  const reach = reachBy({
    policy: onlyPlaces(parts.open),
    resolve: resolveNothing,
    dial: dialDirectly,
    userAgent: `Assay-Prober/${packageVersion()} (+${config.baseUrl}/prober)`,
  });
  const { policy, prober } = reach;
  const usual = createWorld(config, { store, payments, log, metrics: null });
  const services = [...usual.index.services, ...sandboxCatalog(surroundings.sellers)];
  const world = { ...usual, policy, prober, index: buildTaskIndex(services), now, onFault };
  late.app = buildApp(config, world);
  return { addresses, house: keepHouse(world, log), reach, secret: world.secret };
}

/** Only limits come from the environment, for tests and load; for the rest a newcomer's sandbox is like everybody's. */
function settingsOf({ chain, facilitatorUrl }: Surroundings, folder: string): Config {
  const limits = Object.entries(environment()).filter(([name]) => LIMITS.has(name));
  const reading = readConfig({
    ...Object.fromEntries(limits),
    DATA_DIR: folder,
    PAY_TO: chain.accounts.seller.address,
    FACILITATOR_URL: facilitatorUrl,
    RPC_URL: chain.rpcUrl,
    SELF_TEST_KEY,
    // One machine can play many callers, with X-Forwarded-For.
    TRUSTED_PROXIES: '127.0.0.0/8',
    LOG_LEVEL: 'silent',
  });
  if (reading.kind === 'invalid') throw new Error(`wrong setting: ${reading.problem}`);
  return reading.config;
}

const LIMITS: ReadonlySet<string> = new Set([
  'FREE_LOOKUPS_PER_ADDRESS',
  'FREE_CHECKS_PER_ADDRESS',
  'DRY_RUNS_PER_ADDRESS',
  'PAID_CHECKS_PER_HOUR',
  'PRICED_PROBES_PER_HOUR',
  'PROBES_PER_HOST_MINUTE',
]);

/** The app needs its own address, and with port 0 that is known only once it listens. */
function laterApp(late: { readonly app?: App }): App {
  const app = () => {
    if (late.app === undefined) throw new Error('a request came before the app was there');
    return late.app;
  };
  return { answer: (incoming) => app().answer(incoming), refuse: (problem) => app().refuse(problem) };
}

const ATTEMPTS = 5;

/** One port on three addresses. A free one of the first may be taken on another; then the next one is tried. */
async function listenOnAll(
  port: number,
  stops: Stops,
  createServer: () => Server,
): Promise<ServiceAddresses> {
  for (let attempt = 1; ; attempt += 1) {
    const [first, second, third] = [createServer(), createServer(), createServer()];
    try {
      const baseUrl = await listenOn(first, '127.0.0.1', port);
      const found = placeOf(baseUrl).port;
      const altUrl = await listenOn(second, '127.0.0.2', found);
      const legacyUrl = await listenOn(third, '127.0.0.3', found);
      for (const server of [first, second, third]) stops.add(() => stopListening(server));
      return { baseUrl, altUrl, legacyUrl };
    } catch (fault) {
      for (const server of [first, second, third]) server.close();
      if (port !== 0 || attempt === ATTEMPTS) throw fault;
    }
  }
}
