import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { createPainter } from '../../adapters/pictures/create-painter.ts';
import type { Store } from '../../adapters/store/store.ts';
import type { Log } from '../../adapters/system/log.ts';
import type { Metrics } from '../../adapters/system/metrics.ts';
import { CRAWL_SHARE } from '../../adapters/vantage/vantage-health.ts';
import type { Exchange } from '../../http/exchange/exchange.ts';
import type { PageReads } from '../../ports/crawl-runs.ts';
import { serviceVantages } from '../vantage/service-vantages.ts';
import type { PublicConfig, Runtime } from './build-app.ts';
import { secretOf } from './keep-secret.ts';
import { loadCatalog } from './load-catalog.ts';
import { loadPack } from './load-pack.ts';
import { loadRules } from './load-rules.ts';
import { logKeeperOf } from './log-keeper.ts';
import type { Payments } from './open-payments.ts';
import { createPublicOutbound } from './outbound.ts';
import { SYSTEM } from './system.ts';

export interface RuntimeParts {
  readonly store: Store;
  readonly pages?: PageReads;
  readonly payments: Payments;
  readonly log: Log;
  readonly metrics: Metrics | null;
  readonly isStopping?: () => boolean;
}

/** The runtime of the program: it may probe the public web and nothing else, whatever the settings say. */
export function createRuntime(config: PublicConfig, parts: RuntimeParts): Runtime {
  const { store, pages = store, log, metrics } = parts;
  const version = packageVersion();
  const { policy, prober, proofs, sendWebhook } = createPublicOutbound({ ...config, version });
  const pack = loadPack();
  const secret = secretOf(config);
  const noteFault: Runtime['onFault'] = (requestId, fault) =>
    log.error({ id: requestId, fault: faultChain(fault) }, 'fault');
  if (log.format === 'json') log.info({ sha256: pack.sha256 }, 'pack');
  return {
    ...SYSTEM,
    ...parts.payments,
    facilitator: metrics === null ? parts.payments.facilitator : metrics.settling(parts.payments.facilitator),
    store: metrics === null ? store : metrics.storing(store),
    pages: metrics === null ? pages : metrics.storing({ runs: pages.runs, receipts: pages.receipts }),
    policy,
    painter: createPainter({ onFault: (fault) => noteFault('picture', fault) }),
    pack: pack.body,
    rules: loadRules(),
    prober: metrics === null ? prober : metrics.probing(prober),
    proofs,
    sendWebhook,
    index: loadCatalog(),
    secret,
    ...logKeeperOf(config, { secret, store, log }),
    vantages: serviceVantages(config, { secret, log, onAnswer: metrics?.vantage }),
    crawlVantages: serviceVantages(config, { secret, log, onAnswer: metrics?.vantage, share: CRAWL_SHARE }),
    version,
    onRefused: metrics?.refused,
    isStopping: parts.isStopping ?? (() => false),
    // Random: a counter would show our traffic to every caller.
    newRequestId: () => randomUUID(),
    onAnswer: (exchange, status, startedAt) =>
      noteAnswer(exchange, status, SYSTEM.stopwatch() - startedAt, { log, metrics }),
    onFault: noteFault,
  };
}

/** One line per request, in our own words: never a header, a key or a query. Who watches a terminal sees the path. */
function noteAnswer(
  { id, method, path, header, facts }: Exchange,
  status: number,
  ms: number,
  { log, metrics }: Pick<RuntimeParts, 'log' | 'metrics'>,
): void {
  const { route = 'none', tier, verdict, reason, code } = facts;
  metrics?.answered({ route, method, status, seconds: ms / 1_000, tier, verdict, reason, code });
  const trace = traceOf(header('traceparent'));
  const tenths = Math.round(ms * 10) / 10;
  const isText = log.format === 'text';
  log.info(
    {
      id,
      method,
      path: isText ? shownPath(path) : undefined,
      route: isText ? undefined : route,
      trace,
      tier,
      verdict,
      reason,
      code,
      status,
      ms: tenths,
    },
    'request',
  );
}

const PATH_SHOWN_CHARS = 100;

/** A stranger's path for a terminal: printable and bounded. */
export function shownPath(path: string): string {
  const clean = path.slice(0, PATH_SHOWN_CHARS).replace(/[^\x21-\x7e]/g, '?');
  return path.length > PATH_SHOWN_CHARS ? `${clean}...` : clean;
}

const TRACEPARENT = /^[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}(?:-|$)/;
const INVALID_TRACE = '0'.repeat(32);

/** The trace id of a request (W3C Trace Context); undefined when the header is missing or malformed. */
export function traceOf(traceparent: string | null): string | undefined {
  if (traceparent === null) return undefined;
  const trace = TRACEPARENT.exec(traceparent)?.[1];
  return trace === INVALID_TRACE || traceparent.startsWith('ff') ? undefined : trace;
}

const CAUSES_MAX = 4;

/** What failed and why, for the operator; here a library's message is allowed. */
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
