/**
 * The service as it is, in a process of its own, with the settings of `assay serve` in its environment. Only the edges are bent:
 * it may probe the sellers of the world and nothing else, its clock can be moved, and it can be told to die after a step of a
 * charge. See lab/world/replicas.ts.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { createLog } from '../../../dist/adapters/system/log.js';
import { buildTaskIndex } from '../../../dist/core/catalog/task-index.js';
import { logRules } from '../../../dist/flows/log/log-rules.js';
import { createHttpServer } from '../../../dist/http/server.js';
import { buildApp } from '../../../dist/main/build/build-app.js';
import { openPayments } from '../../../dist/main/build/open-payments.js';
import { openStore } from '../../../dist/main/build/open-store.js';
import { createRuntime } from '../../../dist/main/build/runtime.js';
import { requireSameSecret } from '../../../dist/main/build/same-secret.js';
import { readConfig } from '../../../dist/main/config/config.js';
import { startBackgroundJobs } from '../../../dist/main/serve/background-jobs.js';
import { listenOn, stopListening } from '../../../dist/main/serve/listen.js';
import { createMetricsServer } from '../../../dist/main/serve/metrics-server.js';
import { watchedNumbers } from '../../../dist/main/serve/watched-numbers.js';
import { sandboxCatalog } from '../../../dist/sandbox/sandbox-catalog.js';
import { hearCalls } from './hear-calls.mjs';
import { keepCrawling } from './keep-crawling.mjs';
import { outboundTo } from './seller-outbound.mjs';

const clock = { aheadMs: 0 };
const death = { step: null };
const faults = [];
const FAULTS_KEPT = 100;

async function dieThere(step) {
  if (step === death.step) process.kill(process.pid, 'SIGKILL');
}

async function start({ userAgent, sellers, lists = null, dieAfter = null, aheadMs = 0 }) {
  const reading = readConfig();
  if (reading.kind === 'invalid') throw new Error(reading.problem);
  const { config } = reading;
  clock.aheadMs = aheadMs;
  death.step = dieAfter;
  const log = createLog(config.logLevel);
  const metrics = config.metricsPort === null ? null : await loadMetrics();
  const payments = await openPayments(config, log);
  const store = await openStore(config);
  await requireSameSecret(config.secret, store.secretMark);
  const late = {};
  const stopping = { now: false };
  const isStopping = () => stopping.now;
  const server = createHttpServer(
    {
      answer: (incoming) => late.app.answer(incoming),
      refuse: (problem) => late.app.refuse(problem),
    },
    { isStopping },
  );
  // Nobody may come before the app is there; with a fixed port its address is known before it listens.
  const baseUrl = config.baseUrl ?? `http://${config.host}:${config.port}`;
  const known = { ...config, baseUrl };
  const usual = createRuntime(known, { store, payments, log, metrics, isStopping });
  const { policy, prober } = outboundTo(
    sellers.map(({ url }) => url),
    userAgent,
  );
  const runtime = {
    ...usual,
    policy,
    prober: metrics === null ? prober : metrics.probing(prober),
    index: buildTaskIndex([...usual.index.services, ...sandboxCatalog(sellers)]),
    now: () => new Date(Date.now() + clock.aheadMs),
    onChargeStep: dieThere,
    onFault(id, fault) {
      usual.onFault(id, fault);
      faults.push(`${id}: ${fault?.stack ?? fault}`.slice(0, 2_000));
      if (faults.length > FAULTS_KEPT) faults.shift();
    },
  };
  await runtime.logKeeper.open();
  await logRules(runtime.rules, store.transparencyLog);
  late.app = buildApp(known, runtime);
  const address = await listenOn(server, config.host, config.port);
  const servers = [server];
  if (metrics !== null) {
    metrics.watch(watchedNumbers(store, server, runtime));
    servers.push(createMetricsServer(metrics));
    await listenOn(servers[1], config.metricsHost, config.metricsPort);
  }
  const jobs = startBackgroundJobs({ ...runtime, log });
  const { now, secret } = runtime;
  // As with CRAWL=weekly: inside the service, by its clock and on its store.
  const stopCrawling =
    lists === null ? () => {} : keepCrawling({ store, secret, sellers, lists, userAgent, now });
  const background = [jobs, { stop: stopCrawling }];
  process.once('SIGTERM', async () => {
    stopping.now = true;
    await wait(config.drainSeconds * 1_000);
    await stop(servers, background, store);
    process.exit(0);
  });
  return address;
}

async function loadMetrics() {
  const { createMetrics } = await import('../../../dist/adapters/system/metrics.js');
  return createMetrics();
}

/** As `assay serve` does it. */
async function stop(servers, background, store) {
  await Promise.all(servers.map(stopListening));
  await Promise.all(background.map((job) => job.stop()));
  await store.close();
}

hearCalls({
  start,
  moveClock({ aheadMs }) {
    clock.aheadMs = aheadMs;
  },
  dieAfter({ step }) {
    death.step = step;
  },
  faults: () => faults.splice(0),
});
