import type { Server } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { isShared } from '../../adapters/store/sqlite/private-file.ts';
import { createLog, type Log } from '../../adapters/system/log.ts';
import type { Metrics } from '../../adapters/system/metrics.ts';
import { trustedProxies } from '../../core/access/caller-address.ts';
import { logRules } from '../../flows/log/log-rules.ts';
import type { App } from '../../http/app.ts';
import { createHttpServer } from '../../http/server.ts';
import { buildApp, type PublicConfig, type Runtime } from '../build/build-app.ts';
import { secretOf } from '../build/keep-secret.ts';
import { openPayments } from '../build/open-payments.ts';
import { type OpenedPageReads, openPageReads, openStore } from '../build/open-store.ts';
import { createRuntime, type RuntimeParts } from '../build/runtime.ts';
import { requireSameSecret } from '../build/same-secret.ts';
import { type SnapshotKeeper, snapshotKeeper } from '../build/snapshot-keeper.ts';
import { type Config, readConfig } from '../config/config.ts';
import { shownConfig } from '../config/shown-config.ts';
import { noteLogState, startBackgroundJobs } from './background-jobs.ts';
import { listenOn, stopListening } from './listen.ts';
import { createMetricsServer } from './metrics-server.ts';
import { isColourful, showStart, warnAboutContact } from './show-start.ts';
import type { BackgroundJob } from './start-rounds.ts';
import { startSnapshots } from './start-snapshots.ts';
import { createWatchRound } from './watch-rounds.ts';
import { watchedNumbers } from './watched-numbers.ts';

/** Starts the service, which then runs until a signal stops it. Returns the exit code of the start. */
export async function runService(): Promise<number> {
  const reading = readConfig();
  if (reading.kind === 'invalid') return giveUp(`invalid setting: ${reading.problem}`);
  try {
    await start(reading.config);
    return 0;
  } catch (fault) {
    return giveUp(fault instanceof Error ? fault.message : 'cannot start');
  }
}

async function start(config: Config): Promise<void> {
  const log = createLog(config.logLevel, { format: config.logFormat, colour: isColourful() });
  const metrics = config.metricsPort === null ? null : await loadMetrics();
  const payments = await openPayments(config, log);
  const store = await openStore(config, (line) => log.warn(line));
  const { pages, replica } = await openPageReads(config, store, log);
  const servers: Server[] = [];
  try {
    await requireSameSecret(secretOf(config), store.secretMark);
    await listen(config, { store, pages, replica, payments, log, metrics }, servers);
  } catch (fault) {
    // A failed start must not keep the port, nor serve from a closed store.
    for (const server of servers) {
      server.close();
      server.closeAllConnections();
    }
    await replica?.close();
    await store.close();
    throw fault;
  }
}

/** Loading them takes a fifth of a start; most services on a laptop never need them. */
async function loadMetrics(): Promise<Metrics> {
  const { createMetrics } = await import('../../adapters/system/metrics.ts');
  return createMetrics();
}

/** The app needs its own address for links, and with port 0 that is known only once it listens. */
async function listen(
  config: Config,
  { replica, ...runtimeParts }: Omit<RuntimeParts, 'isStopping'> & OpenedPageReads,
  servers: Server[],
): Promise<void> {
  const { log, metrics } = runtimeParts;
  const held = holdRequests();
  const stopping = { now: false };
  const isStopping = () => stopping.now;
  const connections = {
    perAddress: config.connectionsPerAddress,
    trusts: trustedProxies(config.trustedProxies).trusts,
  };
  const server = createHttpServer(held.app, { isStopping, connections });
  servers.push(server);
  const address = await listenOn(server, config.host, config.port, { host: 'HOST', port: 'PORT' });
  const known: PublicConfig = { ...config, baseUrl: config.baseUrl ?? address };
  const runtime = createRuntime(known, { ...runtimeParts, isStopping });
  await openLog(runtime, log);
  held.open(buildApp(known, runtime));
  if (metrics !== null && config.metricsPort !== null) {
    metrics.watch(watchedNumbers(runtimeParts.store, server, { ...runtime, replica }));
    const own = createMetricsServer(metrics);
    servers.push(own);
    const names = { host: 'METRICS_HOST', port: 'METRICS_PORT' };
    const at = await listenOn(own, config.metricsHost, config.metricsPort, names);
    log.info({ address: `${at}/metrics` }, 'metrics');
  }
  if (log.format === 'json') log.info(shownConfig(known), 'settings');
  warnAboutContact(known, log);
  if (config.databaseUrl === null && isShared(config.dataDir)) {
    log.warn(`other users of this machine can look into ${config.dataDir}: chmod 700 it`);
  }
  const keepSnapshot = snapshotKeeper(runtime.store, config, runtime.secret);
  const jobs = [
    startBackgroundJobs({ ...runtime, log, watch: createWatchRound({ ...runtime, baseUrl: known.baseUrl }) }),
    startSnapshots(keepSnapshot, log),
    ...(await crawling(known, runtime, log, keepSnapshot)),
  ];
  const end = async () => {
    await Promise.all(servers.map(stopListening));
    await Promise.all(jobs.map((job) => job.stop()));
    await runtime.painter.close();
    await replica?.close();
    await runtime.store.close();
    log.info('stopped');
  };
  stopOnSignal(stopping, config.drainSeconds, end);
  if (log.format === 'text') {
    await showStart(known, runtime, { address, write: (text) => process.stdout.write(text) });
  }
  // Last: a supervisor that waits for this line may send a signal at once.
  say(`listening on ${address}`);
  void loadTheRest(log);
}

/** Before the first receipt, which is promised a place in the log. */
async function openLog({ logKeeper, rules, store }: Runtime, log: Log): Promise<void> {
  await logKeeper.open();
  for (const version of await logRules(rules, store.transparencyLog)) {
    log.error({ version }, 'the rules file of this version is not the one in the log');
  }
  noteLogState(logKeeper.state(), log);
}

/** Requests that come between listening and the end of the start wait for it. */
function holdRequests(): { readonly app: App; open(app: App): void } {
  const parts: { app?: App; open?: (app: App) => void } = {};
  const opened = new Promise<App>((resolve) => {
    parts.open = resolve;
  });
  return {
    app: {
      answer: async (incoming) => (parts.app ?? (await opened)).answer(incoming),
      refuse(problem) {
        if (parts.app === undefined) throw new Error('a request came before the app was there');
        return parts.app.refuse(problem);
      },
    },
    open(app) {
      parts.app = app;
      parts.open?.(app);
    },
  };
}

/** What the first answer does not need, and a later one should not wait for. */
async function loadTheRest(log: Log): Promise<void> {
  try {
    await wait(REST_AFTER_MS, undefined, { ref: false });
    await import('../../adapters/probe/http-connection.ts');
    await import('../../mcp/answer-mcp.ts');
    await import('../../wire/openapi/openapi-document.ts');
  } catch (fault) {
    log.error({ fault: String(fault) }, 'cannot load a part of the program');
  }
}

/** Not in the way of those who wait for the start. */
const REST_AFTER_MS = 1_000;

/** Opt-in: a crawl sends a request to every endpoint of every public list. */
async function crawling(
  config: PublicConfig,
  runtime: Runtime,
  log: Log,
  keepSnapshot: SnapshotKeeper,
): Promise<readonly BackgroundJob[]> {
  if (config.crawl === 'off') return [];
  const { startCrawling } = await import('./start-crawling.ts');
  return [startCrawling(config, runtime, log, keepSnapshot)];
}

const SIGNALS = ['SIGTERM', 'SIGINT'] as const;
/** A terminal and npm both deliver the same Ctrl-C; a signal this soon after another one is a duplicate. */
const DUPLICATE_SIGNAL_MS = 200;

/** The first signal drains and then ends cleanly, the second one cuts the drain short, the third one kills the process. */
function stopOnSignal(stopping: { now: boolean }, drainSeconds: number, end: () => Promise<void>): void {
  const hurry = new AbortController();
  const last = { at: Number.NEGATIVE_INFINITY };
  const stop = async () => {
    stopping.now = true;
    await wait(drainSeconds * 1_000, undefined, { signal: hurry.signal }).catch(() => {});
    hurry.abort();
    await end();
    for (const signal of SIGNALS) process.off(signal, onSignal);
  };
  const onSignal = (signal: NodeJS.Signals) => {
    const sinceMs = performance.now() - last.at;
    if (sinceMs < DUPLICATE_SIGNAL_MS) return;
    last.at = performance.now();
    if (!stopping.now) {
      stop().catch((fault: unknown) => {
        process.exitCode = giveUp(`cannot stop cleanly: ${String(fault)}`);
      });
    } else if (!hurry.signal.aborted) hurry.abort();
    else {
      for (const one of SIGNALS) process.off(one, onSignal);
      process.kill(process.pid, signal);
    }
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
}

function giveUp(reason: string): 1 {
  say(reason);
  return 1;
}

/** For the person who started it; everything else goes to the log. A full disk, or nobody who reads, is no reason not to serve. */
function say(line: string): void {
  try {
    process.stderr.once('error', () => {}).write(`assay: ${line}\n`);
  } catch {
    // A file throws at once, and a pipe emits.
  }
}
