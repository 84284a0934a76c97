import type { Server } from 'node:http';
import { dialDirectly } from '../../adapters/probe/dial.ts';
import type { Store } from '../../adapters/store/store.ts';
import { createLog } from '../../adapters/system/log.ts';
import { buildTaskIndex } from '../../core/catalog/task-index.ts';
import type { RunLog } from '../../flows/log/log-run.ts';
import type { App } from '../../http/app.ts';
import { createHttpServer } from '../../http/server.ts';
import { onlyPlaces, type Place, placeOf, resolveNothing } from '../../sandbox/open-places.ts';
import { sandboxCatalog } from '../../sandbox/sandbox-catalog.ts';
import type { Ecosystem } from '../../sandbox/start-ecosystem.ts';
import type { Stops } from '../../sandbox/stops.ts';
import { buildApp, type Runtime } from '../build/build-app.ts';
import { openPayments } from '../build/open-payments.ts';
import { createOutbound, type Outbound } from '../build/outbound.ts';
import { runLogOf } from '../build/run-log.ts';
import { createRuntime, packageVersion } from '../build/runtime.ts';
import { type SnapshotKeeper, snapshotKeeper } from '../build/snapshot-keeper.ts';
import { type Config, environment, readConfig } from '../config/config.ts';
import { startBackgroundJobs } from '../serve/background-jobs.ts';
import { listenOn, stopListening } from '../serve/listen.ts';
import type { BackgroundJob } from '../serve/start-rounds.ts';
import { createWatchRound } from '../serve/watch-rounds.ts';

/** Public: nothing in the sandbox has any value. */
export const SELF_TEST_KEY = 'sandbox-self-test-key';

/** Three addresses of one service. */
export interface ServiceAddresses {
  readonly baseUrl: string;
  readonly altUrl: string;
  readonly legacyUrl: string;
}

export interface SandboxServiceParts extends Pick<Runtime, 'now' | 'onFault'> {
  readonly ecosystem: Ecosystem;
  readonly store: Store;
  readonly folder: string;
  readonly port: number;
  /** The only targets of the prober. */
  readonly open: readonly Place[];
  readonly stops: Stops;
}

/** The real service with its rules and limits, in front of the sandbox's chain, facilitator and sellers. */
export async function startSandboxService(parts: SandboxServiceParts): Promise<{
  readonly addresses: ServiceAddresses;
  readonly jobs: BackgroundJob;
  readonly outbound: Outbound;
  readonly secret: string;
  readonly runLog: RunLog;
  readonly keepSnapshot: SnapshotKeeper;
}> {
  const { ecosystem, store, folder, stops, now, onFault } = parts;
  const settings = settingsOf(ecosystem, folder);
  const log = createLog(settings.logLevel);
  const payments = await openPayments(settings, log);
  const late: { app?: App } = {};
  const addresses = await listenOnAll(parts.port, stops, () => createHttpServer(laterApp(late)));
  const config = { ...settings, ...addresses };
  const outbound = createOutbound({
    policy: onlyPlaces(parts.open),
    resolve: resolveNothing,
    resolveText: async () => [],
    dial: dialDirectly,
    userAgent: `Assay-Prober/${packageVersion()} (+${config.baseUrl}/prober)`,
  });
  const { policy, prober, proofs, sendWebhook } = outbound;
  const usual = createRuntime(config, { store, payments, log, metrics: null });
  // Its own first: the examples of the documents name the first service, and no other can be asked from here.
  const services = [...sandboxCatalog(ecosystem.sellers), ...usual.index.services];
  const runtime = {
    ...usual,
    policy,
    prober,
    proofs,
    sendWebhook,
    index: buildTaskIndex(services),
    now,
    onFault,
  };
  stops.add(() => runtime.painter.close());
  late.app = buildApp(config, runtime);
  const watch = createWatchRound({ ...runtime, ...addresses });
  const jobs = startBackgroundJobs({ ...runtime, log, watch });
  const { secret } = runtime;
  const keepSnapshot = snapshotKeeper(store, config, secret);
  return { addresses, jobs, outbound, secret, runLog: runLogOf(config, runtime), keepSnapshot };
}

/** Only limits come from the environment; every other setting is the same in every sandbox. */
function settingsOf({ chain, facilitatorUrl }: Ecosystem, folder: string): Config {
  const limits = Object.entries(environment()).filter(([name]) => LIMITS.has(name));
  const reading = readConfig({
    ...Object.fromEntries(limits),
    DATA_DIR: folder,
    PAY_TO: chain.accounts.seller.address,
    FACILITATOR_URL: facilitatorUrl,
    RPC_URL: chain.rpcUrl,
    SELF_TEST_KEY,
    // With X-Forwarded-For one machine can act as many callers.
    TRUSTED_PROXIES: '127.0.0.0/8',
    LOG_LEVEL: 'silent',
  });
  if (reading.kind === 'invalid') throw new Error(`invalid setting: ${reading.problem}`);
  return reading.config;
}

const LIMITS: ReadonlySet<string> = new Set([
  'REQUESTS_PER_ADDRESS',
  'READS_PER_ADDRESS_MINUTE',
  'FREE_LOOKUPS_PER_ADDRESS',
  'FREE_CHECKS_PER_ADDRESS',
  'DRY_RUNS_PER_ADDRESS',
  'PAID_CHECKS_PER_HOUR',
  'PRICED_PROBES_PER_HOUR',
  'PROBES_PER_HOST_MINUTE',
]);

/** The app needs its own address, and with port 0 the address is known only after listening. */
function laterApp(late: { readonly app?: App }): App {
  const app = () => {
    if (late.app === undefined) throw new Error('a request arrived before the app was ready');
    return late.app;
  };
  return { answer: (incoming) => app().answer(incoming), refuse: (problem) => app().refuse(problem) };
}

const ATTEMPTS = 5;
const NAMES = { host: 'the address', port: '--port' };

/** One port on three addresses. A port that is free on the first may be taken on another; then it tries again. */
async function listenOnAll(
  port: number,
  stops: Stops,
  createServer: () => Server,
): Promise<ServiceAddresses> {
  for (let attempt = 1; ; attempt += 1) {
    const [first, second, third] = [createServer(), createServer(), createServer()];
    try {
      const baseUrl = await listenOn(first, '127.0.0.1', port, NAMES);
      const found = placeOf(baseUrl).port;
      const altUrl = await listenOn(second, '127.0.0.2', found, NAMES);
      const legacyUrl = await listenOn(third, '127.0.0.3', found, NAMES);
      for (const server of [first, second, third]) stops.add(() => stopListening(server));
      return { baseUrl, altUrl, legacyUrl };
    } catch (fault) {
      for (const server of [first, second, third]) server.close();
      if (port !== 0 || attempt === ATTEMPTS) throw fault;
    }
  }
}
