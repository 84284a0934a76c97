import { PROBES_IN_FLIGHT_PER_HOST, PROBES_PER_HOST_MINUTE } from '../../core/limits.ts';
import { liveReceipt } from '../../core/receipt/live-receipt.ts';
import { redactUrl } from '../../core/url/redact-url.ts';
import { reasonWords } from '../../core/verdict/reason-words.ts';
import { createHostSlots } from '../../flows/check/host-slots.ts';
import { type CheckRequest, isBlocked, type Look, lookAtEndpoint } from '../../flows/look-at-endpoint.ts';
import type { PlaceParts } from '../../flows/place-at-target.ts';
import { createFindProbe, createProbeOnce } from '../../flows/probe-once.ts';
import type { CounterStore } from '../../ports/counter-store.ts';
import type { ProbeCache, StoredProbe } from '../../ports/probe-cache.ts';
import { linksAt } from '../../wire/responses/links.ts';
import { liveReceiptJson } from '../../wire/responses/live-receipt-json.ts';
import { blockedJson, paidFindingsJson } from '../../wire/responses/spot-check-response.ts';
import type { LocalReach, Surroundings } from '../command-context.ts';
import { type Findings, readCheck, readReceipt } from './findings.ts';

export interface LocalDecision {
  readonly findings: Findings;
  readonly body: string;
}

export type LocalCheck = (request: CheckRequest) => Promise<LocalDecision | 'stopped'>;

/**
 * The check of the service without the service: same gate, prober, reuse, limits per host and judge. It knows no listing,
 * and leaves no receipt.
 */
export function createLocalCheck(
  { policy, prober }: LocalReach,
  { now, wait, stop }: Pick<Surroundings, 'now' | 'wait' | 'stop'>,
): LocalCheck {
  const keyOf = (text: string) => text;
  const reuse = { cache: memoryProbes(), now, keyOf };
  const probeOnce = createProbeOnce({
    ...reuse,
    prober,
    counters: memoryCounters(),
    slots: createHostSlots({ perHost: PROBES_IN_FLIGHT_PER_HOST, total: Number.POSITIVE_INFINITY }),
    ...ALONE,
    wait: (milliseconds) => wait(milliseconds, stop),
    probesPerHostMinute: PROBES_PER_HOST_MINUTE,
  });
  const findProbe = createFindProbe(reuse);
  const parts = { probeOnce, findProbe, runs: { inLatestRun: async () => null }, policy, keyOf, now };
  return async (request) => {
    if (isBlocked(request, parts)) return blocked(request);
    while (!stop.aborted) {
      const look = await lookAtEndpoint(request, parts);
      if (look.kind === 'blocked') return blocked(request);
      if (look.kind === 'looked') return decisionOf(request, look, now());
      // The host has had its share; whoever checks a list can wait for the next minute.
      await wait(look.retryAfterSeconds * 1_000, stop);
    }
    return 'stopped';
  };
}

/** What a card reads stands in the form of a receipt, so that both ways to check look the same. */
function decisionOf(request: CheckRequest, look: Look, checkedAt: Date): LocalDecision {
  const receipt = liveReceipt({ ...request, ...look, id: 'sc-local', checkedAt });
  const links = linksAt('');
  const { check_type: _, ...paid } = paidFindingsJson({ look, receipt }, request.claim.price, links);
  const { url, method, reasonText } = receipt;
  const none = { receipt_id: null, receipt_url: null };
  const findings = readReceipt(liveReceiptJson(receipt, links));
  if (findings === null) throw new Error('a receipt of our own cannot be read');
  return {
    findings: { ...findings, receiptId: null, receiptUrl: null },
    body: JSON.stringify({ url, method, ...paid, reason_text: reasonText, ...none }),
  };
}

const BLOCKED_WORDS = reasonWords({ verdict: 'skip', reason: 'ssrf_blocked' });

function blocked({ claim, method, target }: CheckRequest): LocalDecision {
  const url = redactUrl(target.href);
  const body = { url, method, ...blockedJson(claim.price), reason_text: BLOCKED_WORDS };
  const findings = readCheck(body);
  if (findings === null) throw new Error('an answer of our own cannot be read');
  return { findings, body: JSON.stringify(body) };
}

/** There is no other process to share a target with. */
const ALONE: Omit<PlaceParts, 'wait'> = {
  places: { take: async () => 'taken', giveBack: async () => {} },
  newHolder: () => '',
  stopwatch: () => 0,
  onLateFault: () => {},
};

const PROBES_KEPT = 1_000;

/** For as long as the command runs: the same URL twice in a list is asked once. */
function memoryProbes(): ProbeCache {
  const kept = new Map<string, StoredProbe>();
  return {
    async find({ urlKey, method }, since) {
      const probe = kept.get(`${method} ${urlKey}`);
      return probe !== undefined && probe.probedAt >= since ? probe : null;
    },
    async keep({ urlKey, method }, probe) {
      if (kept.size >= PROBES_KEPT) kept.clear();
      kept.set(`${method} ${urlKey}`, probe);
    },
    prune: async () => 0,
  };
}

function memoryCounters(): CounterStore {
  const used = new Map<string, number>();
  const nameOf = ({ key, window }: { readonly key: string; readonly window: string }) => `${key} ${window}`;
  const read = (name: string) => used.get(name) ?? 0;
  return {
    async reserve(counters) {
      const granted = counters.every((counter) => read(nameOf(counter)) < counter.limit);
      if (granted) for (const counter of counters) used.set(nameOf(counter), read(nameOf(counter)) + 1);
      return { granted, used: counters.map((counter) => read(nameOf(counter))) };
    },
    used: async (counters) => counters.map((counter) => read(nameOf(counter))),
    async giveBack(counter) {
      used.set(nameOf(counter), Math.max(0, read(nameOf(counter)) - 1));
    },
    prune: async () => 0,
  };
}
