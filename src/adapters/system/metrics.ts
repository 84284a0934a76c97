import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Facilitator } from '../../ports/facilitator.ts';
import type { LocatingProber } from '../../ports/prober.ts';
import { timed, timedStore } from './timed.ts';
import { type Watched, watchGauges } from './watch-gauges.ts';

export interface AnswerFacts {
  readonly route: string;
  readonly method: string;
  readonly status: number;
  readonly seconds: number;
  readonly tier: string | undefined;
  readonly verdict: string | undefined;
  readonly reason: string | undefined;
  readonly code: string | undefined;
}

export interface Metrics {
  answered(facts: AnswerFacts): void;
  /** The same prober, counted. */
  probing(prober: LocatingProber): LocatingProber;
  /** The same facilitator, counted. */
  settling(facilitator: Facilitator): Facilitator;
  /** The same store, every call of its ports timed. */
  storing<Store extends object>(store: Store): Store;
  /** Why nothing was sent to a target: a fixed code. */
  refused(why: string): void;
  /** What became of one request to a vantage, and how long it took if one was sent. */
  vantage(name: string, outcome: string, seconds: number | null): void;
  /** Asked at a reading. */
  watch(watched: Watched): void;
  text(): Promise<string>;
  readonly contentType: string;
}

const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'OPTIONS']);
const QUICK = [0.0002, 0.001, 0.005, 0.02, 0.1, 0.5, 5];
const REMOTE = [0.02, 0.1, 0.3, 1, 3, 5, 15];

/** Labels have fixed values only, so that callers cannot create new ones. */
export function createMetrics(stopwatch: () => number = () => performance.now()): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const http = httpMetrics([registry]);
  const probes = probeMetrics([registry]);
  const facilitator = new Histogram({
    name: 'assay_facilitator_seconds',
    help: 'Calls to the facilitator, by call and outcome.',
    labelNames: ['call', 'outcome'],
    buckets: REMOTE,
    registers: [registry],
  });
  const store = new Histogram({
    name: 'assay_store_seconds',
    help: 'Calls to the store, by port and call.',
    labelNames: ['port', 'call'],
    buckets: QUICK,
    registers: [registry],
  });
  const refusals = new Counter({
    name: 'assay_refusals_total',
    help: 'Checks that sent nothing to the target, by class.',
    labelNames: ['class'],
    registers: [registry],
  });
  return {
    ...http,
    ...probes,
    settling({ verify, settle }) {
      const told = (call: string) => (outcome: string, seconds: number) =>
        facilitator.observe({ call, outcome }, seconds);
      return { verify: timed(verify, told('verify')), settle: timed(settle, told('settle')) };
    },
    storing: (its) => timedStore(its, (port, call, seconds) => store.observe({ port, call }, seconds)),
    refused: (why) => refusals.inc({ class: why }),
    vantage: vantageMetrics([registry]),
    watch: (watched) => watchGauges(registry, watched, stopwatch),
    text: () => registry.metrics(),
    contentType: registry.contentType,
  };
}

function httpMetrics(registers: Registry[]): Pick<Metrics, 'answered'> {
  const requests = new Counter({
    name: 'assay_http_requests_total',
    help: 'Responses by route, method, status and tier.',
    labelNames: ['route', 'method', 'status', 'tier'],
    registers,
  });
  const seconds = new Histogram({
    name: 'assay_http_request_seconds',
    help: 'Time from request to response.',
    labelNames: ['route'],
    buckets: [0.001, 0.005, 0.02, 0.1, 0.5, 1, 5],
    registers,
  });
  const verdicts = new Counter({
    name: 'assay_verdicts_total',
    help: 'Spot-checks by verdict and reason.',
    labelNames: ['verdict', 'reason'],
    registers,
  });
  const problems = new Counter({
    name: 'assay_problems_total',
    help: 'Problem bodies by code.',
    labelNames: ['code'],
    registers,
  });
  return {
    answered({ route, method: sent, status, seconds: took, tier = 'none', verdict, reason, code }) {
      const method = METHODS.has(sent) ? sent : 'other';
      requests.inc({ route, method, status, tier });
      seconds.observe({ route }, took);
      if (verdict !== undefined) verdicts.inc({ verdict, reason: reason ?? '' });
      if (code !== undefined) problems.inc({ code });
    },
  };
}

function probeMetrics(registers: Registry[]): Pick<Metrics, 'probing'> {
  const seconds = new Histogram({
    name: 'assay_probe_seconds',
    help: 'Requests to targets, by outcome.',
    labelNames: ['outcome'],
    buckets: REMOTE,
    registers,
  });
  const underWay = new Gauge({
    name: 'assay_probes_under_way',
    help: 'Requests to targets in flight.',
    registers,
  });
  return {
    probing({ locate, probe }) {
      const asked = timed(probe, (outcome, took) => seconds.observe({ outcome }, took));
      return {
        locate,
        async probe(request, place) {
          underWay.inc();
          try {
            return await asked(request, place);
          } finally {
            underWay.dec();
          }
        },
      };
    },
  };
}

function vantageMetrics(registers: Registry[]): Metrics['vantage'] {
  const answers = new Counter({
    name: 'assay_vantage_answers_total',
    help: 'Requests to vantages, by outcome.',
    labelNames: ['vantage', 'outcome'],
    registers,
  });
  const seconds = new Histogram({
    name: 'assay_vantage_seconds',
    help: 'Time from request to answer of a vantage.',
    labelNames: ['vantage'],
    buckets: REMOTE,
    registers,
  });
  return (vantage, outcome, took) => {
    answers.inc({ vantage, outcome });
    if (took !== null) seconds.observe({ vantage }, took);
  };
}
