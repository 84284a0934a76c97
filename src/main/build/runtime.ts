import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import type { Store } from '../../adapters/store/store.ts';
import type { Log } from '../../adapters/system/log.ts';
import type { Metrics } from '../../adapters/system/metrics.ts';
import type { Exchange } from '../../http/exchange/exchange.ts';
import type { PublicConfig, World } from '../build-app.ts';
import { traceOf } from '../trace-of.ts';
import { keepSecret } from './keep-secret.ts';
import { loadCatalog } from './load-catalog.ts';
import { loadPack } from './load-pack.ts';
import type { Payments } from './open-payments.ts';
import { reachPublicWeb } from './outbound.ts';

export interface WorldParts {
  readonly store: Store;
  readonly payments: Payments;
  readonly log: Log;
  readonly metrics: Metrics | null;
  readonly isStopping?: () => boolean;
}

/** The real world of the service: the public web and nothing else may be probed, whatever the settings say. */
export function createWorld(config: PublicConfig, parts: WorldParts): World {
  const { store, log, metrics } = parts;
  const version = packageVersion();
  const { policy, prober } = reachPublicWeb({ ...config, version });
  const stopwatch = () => performance.now();
  const pack = loadPack();
  log.info({ sha256: pack.sha256 }, 'pack');
  return {
    ...parts.payments,
    facilitator: metrics === null ? parts.payments.facilitator : metrics.settling(parts.payments.facilitator),
    store: metrics === null ? store : metrics.storing(store),
    policy,
    pack: pack.body,
    wait: (milliseconds) => wait(milliseconds),
    prober: metrics === null ? prober : metrics.probing(prober),
    index: loadCatalog(),
    secret: config.secret ?? keepSecret(config.dataDir),
    version,
    onRefused: metrics?.refused,
    isStopping: parts.isStopping ?? (() => false),
    now: () => new Date(),
    entropy: (bytes) => randomBytes(bytes),
    newRequestId: requestIds(),
    stopwatch,
    onAnswer: (exchange, status, startedAt) =>
      noteAnswer(exchange, status, stopwatch() - startedAt, { log, metrics }),
    onFault: (requestId, fault) => log.error({ id: requestId, fault: faultChain(fault) }, 'fault'),
  };
}

/** Unlike any other process's, and then counted: that is faster than a random one for every request. */
function requestIds(): () => string {
  const process = randomBytes(6).toString('hex');
  let [group, next] = [0, 0];
  let start = '';
  return () => {
    if (next % ENDINGS.length === 0) start = `${process}-${(group++).toString(36)}`;
    return start + ENDINGS[next++ % ENDINGS.length];
  };
}

/** Written out once, from 00 to zz. */
const ENDINGS: readonly string[] = Array.from({ length: 36 ** 2 }, (_, n) => n.toString(36).padStart(2, '0'));

/** One line per request, in our own words: never a header, a key or a query. */
function noteAnswer(
  { id, method, header, facts }: Exchange,
  status: number,
  ms: number,
  { log, metrics }: Pick<WorldParts, 'log' | 'metrics'>,
): void {
  const { route = 'none', tier, verdict, reason, code } = facts;
  metrics?.answered({ route, method, status, seconds: ms / 1_000, tier, verdict, reason, code });
  const trace = traceOf(header('traceparent'));
  log.request({
    id,
    trace,
    method,
    route,
    tier,
    verdict,
    reason,
    code,
    status,
    ms,
  });
}

const CAUSES_MAX = 4;

/** What failed and why, for the operator; a library's words are fine here. */
function faultChain(fault: unknown): string[] {
  const chain: string[] = [];
  for (
    let at = fault;
    at !== undefined && chain.length < CAUSES_MAX;
    at = at instanceof Error ? at.cause : undefined
  ) {
    chain.push(String(at));
  }
  return chain;
}

export function packageVersion(): string {
  const text = readFileSync(new URL('../../../package.json', import.meta.url), 'utf8');
  return z.object({ version: z.string() }).parse(JSON.parse(text)).version;
}
