import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Prober } from '../../ports/prober.ts';

export interface AnswerFacts {
  readonly route: string;
  readonly method: string;
  readonly status: number;
  readonly seconds: number;
  readonly verdict: string | undefined;
  readonly reason: string | undefined;
}

export interface Metrics {
  answered(facts: AnswerFacts): void;
  /** The same prober, counted. */
  probing(prober: Prober): Prober;
  text(): Promise<string>;
  readonly contentType: string;
}

const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'OPTIONS']);

/** Labels hold our own words only, so that nobody outside can make new ones. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  const requests = new Counter({
    name: 'assay_http_requests_total',
    help: 'Answers by route, method and status.',
    labelNames: ['route', 'method', 'status'],
    registers,
  });
  const seconds = new Histogram({
    name: 'assay_http_request_seconds',
    help: 'Time from the request to its answer.',
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
  const probes = new Counter({
    name: 'assay_probes_total',
    help: 'Requests sent to targets, by how they ended.',
    labelNames: ['outcome'],
    registers,
  });
  const probing = new Gauge({
    name: 'assay_probes_under_way',
    help: 'Requests to targets that wait for their answer.',
    registers,
  });
  return {
    answered(facts) {
      const method = METHODS.has(facts.method) ? facts.method : 'other';
      requests.inc({ route: facts.route, method, status: facts.status });
      seconds.observe({ route: facts.route }, facts.seconds);
      if (facts.verdict !== undefined) verdicts.inc({ verdict: facts.verdict, reason: facts.reason ?? '' });
    },
    probing: (prober) => ({
      async probe(request) {
        probing.inc();
        try {
          const outcome = await prober.probe(request);
          probes.inc({ outcome: outcome.kind });
          return outcome;
        } finally {
          probing.dec();
        }
      },
    }),
    text: () => registry.metrics(),
    contentType: registry.contentType,
  };
}
