import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { target } from '../../../tools/samples/listed.ts';
import { anywhere } from '../../../tools/samples/placed.ts';
import type { Facilitator } from '../../ports/facilitator.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import type { Watched } from './watch-gauges.ts';

const FACTS = {
  route: '/v1/lookup',
  method: 'GET',
  status: 200,
  seconds: 0.003,
  tier: 'free',
  verdict: undefined,
  reason: undefined,
  code: undefined,
} as const;

const WATCHED: Watched = {
  storeWaiting: async () => 0,
  replicaAgeSeconds: async () => Number.POSITIVE_INFINITY,
  receiptsAhead: async () => 0,
  connections: async () => 7,
  payments: async () => ({}),
  crawlLeft: async () => ({ hosts: 2, urls: 30 }),
  publishedRunAgeSeconds: async () => 60,
  paidCallAgeSeconds: async () => 90,
  transparencyLog: async () => ({ size: 9, waiting: 2, oldestWaitingSeconds: 1.5, publishedAgeSeconds: 0 }),
  logState: () => 'behind',
  logStates: ['ok', 'behind'],
  witnessAges: () => new Map([['w1', 3]]),
};

/** The lines of one metric, without its help. */
async function linesOf({ text }: Metrics, name: string): Promise<string[]> {
  return (await text()).split('\n').filter((line) => line.startsWith(name) && !line.startsWith('#'));
}

describe('the metrics', () => {
  it('count answers by route, method, status and tier', async () => {
    const metrics = createMetrics();
    metrics.answered(FACTS);
    metrics.answered({ ...FACTS, method: 'BREW', tier: undefined });
    expect(await linesOf(metrics, 'assay_http_requests_total')).toEqual([
      'assay_http_requests_total{route="/v1/lookup",method="GET",status="200",tier="free"} 1',
      'assay_http_requests_total{route="/v1/lookup",method="other",status="200",tier="none"} 1',
    ]);
  });

  it('count verdicts and problems', async () => {
    const metrics = createMetrics();
    metrics.answered({ ...FACTS, verdict: 'skip', reason: 'no_paywall' });
    metrics.answered({ ...FACTS, status: 400, code: 'ssrf_blocked' });
    expect(await linesOf(metrics, 'assay_verdicts_total')).toEqual([
      'assay_verdicts_total{verdict="skip",reason="no_paywall"} 1',
    ]);
    expect(await linesOf(metrics, 'assay_problems_total')).toEqual([
      'assay_problems_total{code="ssrf_blocked"} 1',
    ]);
  });

  it('count what became of requests to vantages, and time those that were sent', async () => {
    const metrics = createMetrics();
    metrics.vantage('oslo', 'ok', 0.05);
    metrics.vantage('oslo', 'paused', null);
    expect(await linesOf(metrics, 'assay_vantage_answers_total')).toEqual([
      'assay_vantage_answers_total{vantage="oslo",outcome="ok"} 1',
      'assay_vantage_answers_total{vantage="oslo",outcome="paused"} 1',
    ]);
    expect(await linesOf(metrics, 'assay_vantage_seconds_count')).toEqual([
      'assay_vantage_seconds_count{vantage="oslo"} 1',
    ]);
  });

  it('time probes by their outcome, and know how many are under way', async () => {
    const metrics = createMetrics();
    const seen: string[][] = [];
    const prober = metrics.probing({
      locate: anywhere,
      async probe() {
        seen.push(await linesOf(metrics, 'assay_probes_under_way'));
        return { kind: 'timed_out' };
      },
    });
    await prober.probe({ target: target('http://seller.example/'), method: 'GET' });
    expect([seen, await linesOf(metrics, 'assay_probes_under_way')]).toEqual([
      [['assay_probes_under_way 1']],
      ['assay_probes_under_way 0'],
    ]);
    expect(await linesOf(metrics, 'assay_probe_seconds_count')).toEqual([
      'assay_probe_seconds_count{outcome="timed_out"} 1',
    ]);
  });

  it('time the facilitator, also when it throws', async () => {
    const metrics = createMetrics();
    const broken: Facilitator = {
      verify: async () => ({ kind: 'unavailable' }),
      settle: () => Promise.reject(new Error('broken')),
    };
    const { verify, settle } = metrics.settling(broken);
    const [payment, charge] = [{} as never, {} as never]; // Neither looks at them.
    await verify(payment, charge);
    await expect(settle(payment, charge, async () => true)).rejects.toThrow('broken');
    expect(await linesOf(metrics, 'assay_facilitator_seconds_count')).toEqual([
      'assay_facilitator_seconds_count{call="verify",outcome="unavailable"} 1',
      'assay_facilitator_seconds_count{call="settle",outcome="fault"} 1',
    ]);
  });

  it('time every call of the store, and leave it what it is', async () => {
    const metrics = createMetrics();
    const store = metrics.storing({
      counters: { reserve: async (n: number) => n + 1, fails: () => Promise.reject(new Error('full')) },
      close: () => 'closed',
    });
    expect(await store.counters.reserve(1)).toBe(2);
    await expect(store.counters.fails()).rejects.toThrow('full');
    expect(store.close()).toBe('closed');
    expect(await linesOf(metrics, 'assay_store_seconds_count')).toEqual([
      'assay_store_seconds_count{port="counters",call="reserve"} 1',
      'assay_store_seconds_count{port="counters",call="fails"} 1',
    ]);
  });

  it('count by class why nothing was sent', async () => {
    const metrics = createMetrics();
    for (const why of ['url_port', 'target_budget', 'url_port']) metrics.refused(why);
    expect(await linesOf(metrics, 'assay_refusals_total')).toEqual([
      'assay_refusals_total{class="url_port"} 2',
      'assay_refusals_total{class="target_budget"} 1',
    ]);
  });

  it('ask for what is watched, once a second', async () => {
    const clock = { ms: 0 };
    const metrics = createMetrics(() => clock.ms);
    const asked: string[] = [];
    metrics.watch({
      ...WATCHED,
      async payments() {
        asked.push('payments');
        return { claimed: 1, settling: 2, unknown: 3, settled: 4, rejected: 0 };
      },
    });
    expect(await linesOf(metrics, 'assay_payments')).toEqual([
      'assay_payments{state="claimed"} 1',
      'assay_payments{state="settling"} 2',
      'assay_payments{state="unknown"} 3',
      'assay_payments{state="settled"} 4',
      'assay_payments{state="rejected"} 0',
    ]);
    expect(await linesOf(metrics, 'assay_open_settlements')).toEqual(['assay_open_settlements 5']);
    expect(await linesOf(metrics, 'assay_crawl_')).toEqual([
      'assay_crawl_hosts_left 2',
      'assay_crawl_urls_left 30',
    ]);
    expect(await linesOf(metrics, 'assay_paid_call_')).toEqual(['assay_paid_call_age_seconds 90']);
    expect(asked).toHaveLength(1);
    clock.ms = 1_000;
    await metrics.text();
    expect(asked).toHaveLength(2);
  });

  it('survive a store that is gone', async () => {
    const metrics = createMetrics();
    const gone = () => Promise.reject(new Error('gone'));
    metrics.watch({ ...WATCHED, payments: gone, crawlLeft: gone, publishedRunAgeSeconds: gone });
    expect(await linesOf(metrics, 'assay_open_settlements')).toEqual(['assay_open_settlements Nan']);
    expect(await linesOf(metrics, 'assay_payments')).toEqual([]);
    expect(await linesOf(metrics, 'assay_http_connections')).toEqual(['assay_http_connections 7']);
    expect(await linesOf(metrics, 'assay_read_replica_age_seconds')).toEqual([
      'assay_read_replica_age_seconds +Inf',
    ]);
  });
});

describe('the metrics of the log', () => {
  it('say how far it is, in which state, and how old each cosignature is', async () => {
    const metrics = createMetrics();
    metrics.watch(WATCHED);
    expect(await linesOf(metrics, 'assay_log_')).toEqual([
      'assay_log_size 9',
      'assay_log_waiting 2',
      'assay_log_oldest_waiting_seconds 1.5',
      'assay_log_published_age_seconds 0',
      'assay_log_state{state="ok"} 0',
      'assay_log_state{state="behind"} 1',
      'assay_log_witness_age_seconds{witness="w1"} 3',
    ]);
  });
});

describe('the dashboard', () => {
  it('shows only metrics that exist', async () => {
    const metrics = createMetrics();
    metrics.watch(WATCHED);
    const known = new Set([...(await metrics.text()).matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name));
    const dashboard = readFileSync(
      new URL('../../../deploy/grafana-dashboard.json', import.meta.url),
      'utf8',
    );
    const shown = [...dashboard.matchAll(/\b(?:assay|nodejs|process)_[a-z0-9_]+/g)].map(([name]) => name);
    expect(shown.length).toBeGreaterThan(8);
    const unknown = shown.filter(
      (name) => !known.has(name.replace(/_(?:bucket|count|sum)$/, '')) && !known.has(name),
    );
    expect(unknown).toEqual([]);
  });
});
