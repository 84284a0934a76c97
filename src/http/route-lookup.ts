import type { FreeQuota } from '../core/access/admission.ts';
import { isSelfTest } from '../core/access/self-test.ts';
import { FREE_LOOKUPS_PER_DAY, LOOKUP_PRICE } from '../core/limits.ts';
import type { Admit } from '../flows/admit.ts';
import { type Catalog, type LookUp, lookUpServices } from '../flows/look-up-services.ts';
import type { RecordLookup } from '../flows/record-attribution.ts';
import { EXEMPT_ACCESS, freeAccessJson, THEN_LOOKUP } from '../wire/access.ts';
import type { Links } from '../wire/links.ts';
import { type LookupRequest, readLookupRequest } from '../wire/lookup-request.ts';
import { lookupFindingsJson } from '../wire/lookup-response.ts';
import { LOOKUP, LOOKUP_PAID } from '../wire/paid-routes.ts';
import type { BadRequest, Reading } from '../wire/reading.ts';
import {
  type Answer,
  answerBadRequest,
  answerJson,
  answerWith,
  METERED_JSON,
  NO_STORE,
  type Octets,
  octetsOf,
} from './answer.ts';
import { boundedCache } from './bounded-cache.ts';
import type { Exchange, Handler } from './exchange.ts';
import { sellAtFixedPrice } from './fixed-sale.ts';
import { answerBought, hasPayment, type PaymentParts, type Sale } from './payment-gate.ts';
import { policyHeaders, rateHeaders, usedUpHeaders } from './rate-headers.ts';

export interface LookupParts extends PaymentParts {
  readonly catalog: Catalog;
  readonly admit: Admit;
  readonly selfTestKey: string | null;
  /** Told of every lookup that was answered, for the operator's own report. */
  readonly recordLookup: RecordLookup;
}

/** Both ways to look something up. They share what they remember, so that they cannot differ (gap G94). */
export function lookupRoutes(parts: LookupParts): { readonly lookup: Handler; readonly paid: Handler } {
  const findingsFor = rememberedFindings(parts);
  const read = rememberedReadings();
  return {
    lookup: lookupRoute(parts, findingsFor, read),
    paid: (exchange) => sell(exchange, { route: LOOKUP_PAID }, read(exchange.query), findingsFor, parts),
  };
}

/** JSON that is open at its end, for the members that follow; also as octets, which most answers are made of. */
interface Findings {
  readonly text: string;
  readonly octets: string;
}

type FindingsFor = (query: LookUp, links: Links) => Promise<Findings>;

/** GET /v1/lookup: parameters first, so that a mistake is never metered; then a free use; then the answer. */
function lookupRoute(parts: LookupParts, findingsFor: FindingsFor, read: typeof readLookupRequest): Handler {
  return async (exchange) => {
    const reading = read(exchange.query);
    if (reading.kind === 'bad_request') return answerBadRequest(exchange, reading);
    const { query, client } = reading.value;
    // Looking at the headers costs nobody a lookup, and what is left is not known without counting (gap G83).
    if (exchange.method === 'HEAD') return answerJson(exchange, 200, '', ONLY_POLICY);
    const selfTest = isSelfTest(exchange.header('authorization'), parts.selfTestKey);
    if (!selfTest && hasPayment(exchange)) {
      const parameters = parametersOf(reading, exchange.query);
      const bought = await answerBought(exchange, { route: LOOKUP, operation: 'lookup', parameters }, parts);
      if (bought !== null) return bought;
    }
    const caller = { address: exchange.callerAddress(), client };
    const { admission, giveBack } = await parts.admit({ metered: 'lookup', caller, ref: null, selfTest });
    if (admission.kind === 'payment_required') {
      const headers = usedUpHeaders('free-lookups', FREE_LOOKUPS_PER_DAY, parts.now());
      return sell(exchange, { route: LOOKUP, headers }, reading, findingsFor, parts);
    }
    try {
      const findings = await findingsFor(query, exchange.links);
      if (admission.kind === 'free') {
        parts.recordLookup(reading.value);
        return free(exchange, findings, admission.quota, parts);
      }
      exchange.facts.tier = 'exempt';
      return answerJson(exchange, 200, withAccess(findings, EXEMPT_ACCESS, parts.now()), NO_STORE);
    } catch (fault) {
      await giveBack().catch(() => {});
      throw fault;
    }
  };
}

/** On /v1/lookup/paid the price comes first and bad parameters are found out after it, before anything is settled. */
async function sell(
  exchange: Exchange,
  sale: Sale,
  reading: Reading<LookupRequest>,
  findingsFor: FindingsFor,
  parts: LookupParts,
): Promise<Answer> {
  let made = false;
  const order = {
    ...sale,
    price: LOOKUP_PRICE,
    operation: 'lookup',
    parameters: parametersOf(reading, exchange.query),
    answerStopped: (because: BadRequest) => answerBadRequest(exchange, because),
    async work() {
      if (reading.kind === 'bad_request') return { kind: 'stopped', because: reading } as const;
      const { text } = await findingsFor(reading.value.query, exchange.links);
      const body = text + generatedAt(parts.now());
      made = true;
      return { kind: 'done', answer: { body, receipt: null } } as const;
    },
  } as const;
  const answer = await sellAtFixedPrice(exchange, order, parts);
  // A payment that comes again brings the same lookup back.
  if (made && reading.kind === 'read' && answer.status === 200) parts.recordLookup(reading.value);
  return answer;
}

function parametersOf(reading: Reading<LookupRequest>, query: string): readonly (string | null)[] {
  if (reading.kind === 'bad_request') return ['bad', query];
  const { task, endpoint, maxPrice, n, limit } = reading.value.query;
  return [task, endpoint, maxPrice === null ? null : String(maxPrice), String(n), String(limit)];
}

const ONLY_POLICY = policyHeaders('free-lookups', FREE_LOOKUPS_PER_DAY);

function free(exchange: Exchange, findings: Findings, quota: FreeQuota, { now }: LookupParts): Answer {
  exchange.facts.tier = 'free';
  const at = now();
  const body = withAccess(findings, freeAccessJson(quota, THEN_LOOKUP), at);
  return answerWith(exchange, 200, body, METERED_JSON, rateHeaders('free-lookups', quota, at));
}

/** The two members in which answers to one question may differ go in last (gap G94). */
function withAccess({ octets }: Findings, access: object, now: Date): Octets {
  // What is added is ASCII.
  return { octets: `${octets}${generatedAt(now)},"access":${JSON.stringify(access)}}` };
}

function generatedAt(now: Date): string {
  return `,"generated_at":"${now.toISOString()}"`;
}

const READINGS_MAX = 1_000;
const READ_QUERY_MAX_CHARS = 512;

/** Many ask the same, and reading a query takes longer than answering it. */
function rememberedReadings(): typeof readLookupRequest {
  const readings = boundedCache<ReturnType<typeof readLookupRequest>>(READINGS_MAX);
  return (query) => {
    const known = readings.get(query);
    if (known !== undefined) return known;
    const reading = readLookupRequest(query);
    if (query.length <= READ_QUERY_MAX_CHARS) readings.set(query, reading);
    return reading;
  };
}

/** New paid calls show after at most this long; until then everybody who asks the same gets the same findings. */
const FRESH_MS = 1_000;
const FINDINGS_MAX = 500;

function rememberedFindings({ catalog, now }: LookupParts): FindingsFor {
  const kept = boundedCache<{ readonly findings: Promise<Findings>; readonly until: number }>(FINDINGS_MAX);
  return (query, links) => {
    const { task, endpoint, maxPrice, n, limit } = query;
    const key = [links.base, task, endpoint, maxPrice, n, limit].join('\n');
    const at = now();
    const known = kept.get(key);
    if (known !== undefined && at.getTime() < known.until) return known.findings;
    const findings = lookUpServices(query, catalog, at).then((found) => {
      const text = JSON.stringify(lookupFindingsJson(query, found, links)).slice(0, -1);
      return { text, octets: octetsOf(text) };
    });
    kept.set(key, { findings, until: at.getTime() + FRESH_MS });
    findings.catch(() => kept.set(key, { findings, until: 0 }));
    return findings;
  };
}
