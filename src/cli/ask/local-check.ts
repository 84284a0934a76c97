import { createKeyedSlots } from '../../core/concurrency/keyed-slots.ts';
import {
  PROBES_IN_FLIGHT_PER_ADDRESS,
  PROBES_IN_FLIGHT_PER_HOST,
  PROBES_PER_HOST_MINUTE,
} from '../../core/limits.ts';
import { liveReceipt } from '../../core/receipt/live-receipt.ts';
import { redactUrl } from '../../core/url/redact-url.ts';
import { reasonWords } from '../../core/verdict/reason-words.ts';
import type { CheckRequest } from '../../flows/check/check-request.ts';
import { isBlocked, type Look, lookAtEndpoint } from '../../flows/check/look-at-endpoint.ts';
import { createAddressSlots } from '../../flows/check/own-slots.ts';
import { createFindProbe, createProbeOnce, type ProbeOncePorts } from '../../flows/check/probe-once.ts';
import { readKnown } from '../../flows/check/read-known.ts';
import type { CheckWrites } from '../../ports/check-writes.ts';
import type { ProbeCache, ProbeKey, StoredProbe } from '../../ports/probe-cache.ts';
import { linksAt } from '../../wire/responses/links.ts';
import { liveReceiptJson } from '../../wire/responses/live-receipt-json.ts';
import { blockedJson, paidFindingsJson } from '../../wire/responses/spot-check-response.ts';
import type { CommandContext, LocalOutbound } from '../command-context.ts';
import { type Findings, readCheck, readReceipt } from './findings.ts';

export interface LocalDecision {
  readonly findings: Findings;
  readonly body: string;
}

export type LocalCheck = (request: CheckRequest) => Promise<LocalDecision | 'stopped'>;

/**
 * The check of the service, run locally: the same gate, prober, reuse, limits per host and judge. Without listings, and without
 * a receipt.
 */
export function createLocalCheck(
  { policy, prober }: LocalOutbound,
  { now, wait, stop }: Pick<CommandContext, 'now' | 'wait' | 'stop'>,
): LocalCheck {
  const keyOf = (text: string) => text;
  const memory = createMemory();
  const reuse = { cache: memory.probes, now, keyOf };
  const probeOnce = createProbeOnce({
    ...reuse,
    prober,
    checks: memory.checks,
    ...NO_INPUT,
    slots: createKeyedSlots({ perKey: PROBES_IN_FLIGHT_PER_HOST, total: Number.POSITIVE_INFINITY }),
    addressSlots: createAddressSlots(PROBES_IN_FLIGHT_PER_ADDRESS),
    newHolder: () => '',
    stopwatch: () => 0,
    wait: (milliseconds) => wait(milliseconds, stop),
    probesPerHostMinute: PROBES_PER_HOST_MINUTE,
  });
  const findProbe = createFindProbe(reuse);
  const runs = { inLatestRun: async () => null };
  const catalogListings = async () => [];
  const ports = { probeOnce, findProbe, runs, catalogListings, policy, keyOf, clock: { now } };
  return async (request) => {
    if (isBlocked(request, ports)) return blocked(request);
    while (!stop.aborted) {
      const look = await lookAtEndpoint(request, await readKnown(request, ports), ports);
      if (look.kind === 'blocked') return blocked(request);
      if (look.kind === 'looked') return decisionOf(request, look, now());
      // The host's limit is reached; a check of a list waits for the next minute.
      await wait(look.retryAfterSeconds * 1_000, stop);
    }
    return 'stopped';
  };
}

/** In the form of a receipt, so that local and remote checks look the same. */
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
  const url = redactUrl(target.href, 'unlisted');
  const body = { url, method, ...blockedJson(claim.price), reason_text: BLOCKED_WORDS };
  const findings = readCheck(body);
  if (findings === null) throw new Error('an answer of our own cannot be read');
  return { findings, body: JSON.stringify(body) };
}

/** Nothing is listed here, so that no URL ever gets a second request. */
const NO_INPUT: Pick<ProbeOncePorts, 'counters' | 'openEndpoints'> = {
  counters: { reserve: async () => ({ granted: false, used: [] }) },
  openEndpoints: { isOpen: async () => true, remember: async () => {} },
};

const PROBES_KEPT = 1_000;

interface Memory {
  readonly probes: ProbeCache;
  readonly checks: CheckWrites;
}

/** Lives as long as the command: a repeated URL is probed once, and the limits per target hold. */
function createMemory(): Memory {
  const kept = new Map<string, StoredProbe>();
  const used = new Map<string, number>();
  const nameOf = ({ urlKey, method }: ProbeKey) => `${method} ${urlKey}`;
  const keep = (key: ProbeKey, probe: StoredProbe) => {
    if (kept.size >= PROBES_KEPT) kept.clear();
    kept.set(nameOf(key), probe);
  };
  return {
    probes: {
      async find(key, since) {
        const probe = kept.get(nameOf(key));
        return probe !== undefined && probe.probedAt >= since ? probe : null;
      },
      keep: async (key, probe) => keep(key, probe),
      prune: async () => 0,
    },
    checks: {
      async start({ key, newerThan, counters }) {
        const known = kept.get(nameOf(key));
        if (known !== undefined && known.probedAt > newerThan) {
          return { kind: 'known', probedAt: known.probedAt };
        }
        const counts = counters.map(({ key, window }) => used.get(`${key} ${window}`) ?? 0);
        const isExhausted = counters.some(({ limit }, index) => (counts[index] ?? 0) >= limit);
        if (isExhausted) return { kind: 'exhausted', used: counts };
        for (const [index, { key, window }] of counters.entries()) {
          used.set(`${key} ${window}`, (counts[index] ?? 0) + 1);
        }
        return { kind: 'started', used: counts.map((count) => count + 1) };
      },
      finish: async ({ key }, probe) => keep(key, probe),
      abandon: async () => {},
      record: async (counters) => ({ granted: true, used: counters.map(() => 0) }),
    },
  };
}
