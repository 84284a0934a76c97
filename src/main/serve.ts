#!/usr/bin/env node
import type { Server } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { createLog, type Log } from '../adapters/system/log.ts';
import type { Metrics } from '../adapters/system/metrics.ts';
import type { App } from '../http/app.ts';
import { openPayments } from './build/open-payments.ts';
import { openStore } from './build/open-store.ts';
import { createWorld, type WorldParts } from './build/runtime.ts';
import { buildApp, type PublicConfig, type World } from './build-app.ts';
import { type Config, readConfig, shownConfig } from './config/config.ts';
import { createHttpServer } from './http-server.ts';
import { type House, keepHouse } from './keep-house.ts';
import { listenOn, stopListening } from './serve/listen.ts';
import { createMetricsServer } from './serve/metrics-server.ts';
import { watchedNumbers } from './serve/watched-numbers.ts';

async function main(): Promise<void> {
  const reading = readConfig();
  if (reading.kind === 'invalid') return giveUp(`wrong setting: ${reading.problem}`);
  try {
    await start(reading.config);
  } catch (fault) {
    giveUp(fault instanceof Error ? fault.message : 'cannot start');
  }
}

async function start(config: Config): Promise<void> {
  const log = createLog(config.logLevel);
  const metrics = config.metricsPort === null ? null : await loadMetrics();
  const payments = await openPayments(config, log);
  const store = await openStore(config, (line) => log.warn(line));
  const servers: Server[] = [];
  try {
    await listen(config, { store, payments, log, metrics }, servers);
  } catch (fault) {
    // A start that failed halfway must not keep the port, or answer on a store that is closed.
    for (const server of servers) {
      server.close();
      server.closeAllConnections();
    }
    await store.close();
    throw fault;
  }
}

/** Loading them takes a fifth of a start; most services on a laptop never need them. */
async function loadMetrics(): Promise<Metrics> {
  const { createMetrics } = await import('../adapters/system/metrics.ts');
  return createMetrics();
}

/** The app needs its own address for links, and with port 0 that is known only once it listens. */
async function listen(
  config: Config,
  worldParts: Omit<WorldParts, 'isStopping'>,
  servers: Server[],
): Promise<void> {
  const { log, metrics } = worldParts;
  const parts: { app?: App } = {};
  const stopping = { now: false };
  const isStopping = () => stopping.now;
  const app: App = {
    answer: (incoming) => appOf(parts).answer(incoming),
    refuse: (problem) => appOf(parts).refuse(problem),
  };
  const server = createHttpServer(app, undefined, isStopping);
  servers.push(server);
  const address = await listenOn(server, config.host, config.port);
  const known: PublicConfig = { ...config, baseUrl: config.baseUrl ?? address };
  const world = createWorld(known, { ...worldParts, isStopping });
  parts.app = buildApp(known, world);
  if (metrics !== null && config.metricsPort !== null) {
    metrics.watch(watchedNumbers(worldParts.store, server, world.now));
    const own = createMetricsServer(metrics);
    servers.push(own);
    log.info({ address: `${await listenOn(own, config.host, config.metricsPort)}/metrics` }, 'metrics');
  }
  log.info(shownConfig(known), 'settings');
  if (config.databaseUrl !== null && config.secret === null) {
    log.warn('SECRET is not set: every machine on this database must have the same one');
  }
  say(`listening on ${address}`);
  const houses = [keepHouse(world, log), ...(await crawling(known, world, log))];
  const end = async () => {
    await Promise.all(servers.map(stopListening));
    await Promise.all(houses.map((house) => house.leave()));
    await world.store.close();
    log.info('stopped');
  };
  stopOnSignal(stopping, config.drainSeconds, end);
}

function appOf({ app }: { readonly app?: App }): App {
  if (app === undefined) throw new Error('a request came before the app was there');
  return app;
}

/** Only where the operator wants it: it sends a request to every endpoint of every public list. */
async function crawling(config: PublicConfig, world: World, log: Log): Promise<readonly House[]> {
  if (config.crawl === 'off') return [];
  const { keepCrawling } = await import('./keep-crawling.ts');
  return [keepCrawling(config, world, log)];
}

const SIGNALS = ['SIGTERM', 'SIGINT'] as const;

/** Drains and finishes what was begun when it is told to stop. Told again, it drains no longer; after that it just ends. */
function stopOnSignal(stopping: { now: boolean }, drainSeconds: number, end: () => Promise<void>): void {
  const hurry = new AbortController();
  const stop = async () => {
    stopping.now = true;
    await wait(drainSeconds * 1_000, undefined, { signal: hurry.signal }).catch(() => {});
    for (const signal of SIGNALS) process.off(signal, told);
    await end();
  };
  const told = () => {
    if (stopping.now) hurry.abort();
    else stop().catch((fault: unknown) => giveUp(`cannot stop cleanly: ${String(fault)}`));
  };
  for (const signal of SIGNALS) process.on(signal, told);
}

function giveUp(reason: string): void {
  say(reason);
  process.exitCode = 1;
}

/** For the person who started it; everything else goes to the log. */
function say(line: string): void {
  process.stderr.write(`assay: ${line}\n`);
}

await main();
