import type { FreeQuota } from '../core/access/admission.ts';
import { isSelfTest } from '../core/access/self-test.ts';
import { FREE_LOOKUPS_PER_DAY, LOOKUP_PRICE } from '../core/limits.ts';
import type { Admit } from '../flows/admit.ts';
import type { Catalog } from '../flows/lookup/look-up-services.ts';
import type { RecordLookup } from '../flows/operate/record-attribution.ts';
import { LOOKUP, LOOKUP_PAID } from '../wire/payment/paid-routes.ts';
import type { BadRequest, Reading } from '../wire/requests/reading.ts';
import { EXEMPT_ACCESS, freeAccessJson, THEN_LOOKUP } from '../wire/responses/access.ts';
import {
  type Answer,
  answerBadRequest,
  answerJson,
  answerWith,
  JSON_TYPE,
  NO_STORE,
  type Octets,
  template,
} from './answer.ts';
import type { Exchange, Handler } from './exchange/exchange.ts';
import { policyHeaders, rateText, usedUpHeaders } from './exchange/rate-headers.ts';
import { sellAtFixedPrice } from './fixed-sale.ts';
import {
  type Asked,
  type Findings,
  type FindingsFor,
  type ReadLookup,
  rememberedFindings,
  rememberedReadings,
} from './lookup-findings.ts';
import { answerBought, hasPayment, type PaymentParts, type Sale } from './payment-gate.ts';

export interface LookupParts extends PaymentParts {
  readonly catalog: Catalog;
  readonly admit: Admit;
  readonly selfTestKey: string | null;
  /** Told of every lookup that was answered, for the operator's own report. */
  readonly recordLookup: RecordLookup;
}

/** Both ways to look something up. They share what they remember, so that they cannot differ (gap G94). */
export function lookupRoutes(parts: LookupParts): { readonly lookup: Handler; readonly paid: Handler } {
  const findingsFor = rememberedFindings(parts.catalog);
  const read = rememberedReadings();
  return {
    lookup: lookupRoute(parts, findingsFor, read),
    paid: (exchange) => sell(exchange, { route: LOOKUP_PAID }, read(exchange.query), findingsFor, parts),
  };
}

/** GET /v1/lookup: parameters first, so that a mistake is never metered; then a free use; then the answer. */
function lookupRoute(parts: LookupParts, findingsFor: FindingsFor, read: ReadLookup): Handler {
  const accessText = freeAccessTexts();
  return async (exchange) => {
    const reading = read(exchange.query);
    if (reading.kind === 'bad_request') return answerBadRequest(exchange, reading);
    const { client } = reading.value;
    // Looking at the headers costs nobody a lookup, and what is left is not known without counting (gap G83).
    if (exchange.method === 'HEAD') return answerJson(exchange, 200, '', ONLY_POLICY);
    const selfTest = isSelfTest(exchange.header('authorization'), parts.selfTestKey);
    if (!selfTest && hasPayment(exchange)) {
      const parameters = parametersOf(reading, exchange.query);
      const bought = await answerBought(exchange, { route: LOOKUP, operation: 'lookup', parameters }, parts);
      if (bought !== null) return bought;
    }
    const caller = { address: exchange.callerAddress(), client };
    const { admission, at, giveBack } = await parts.admit({ metered: 'lookup', caller, ref: null, selfTest });
    if (admission.kind === 'payment_required') {
      const headers = usedUpHeaders('free-lookups', FREE_LOOKUPS_PER_DAY, at);
      return sell(exchange, { route: LOOKUP, headers }, reading, findingsFor, parts);
    }
    try {
      const found = findingsFor(reading.value, exchange.links, at);
      const findings = found instanceof Promise ? await found : found;
      if (admission.kind === 'free') {
        parts.recordLookup(reading.value, at);
        return free(exchange, withAccess(findings, accessText(admission.quota), at), admission.quota, at);
      }
      exchange.facts.tier = 'exempt';
      return answerJson(exchange, 200, withAccess(findings, EXEMPT, at), NO_STORE);
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
  reading: Reading<Asked>,
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
      const at = parts.now();
      const { text } = await findingsFor(reading.value, exchange.links, at);
      const body = text + generatedAt(at);
      made = true;
      return { kind: 'done', answer: { body, receipt: null } } as const;
    },
  } as const;
  const answer = await sellAtFixedPrice(exchange, order, parts);
  // A payment that comes again brings the same lookup back.
  if (made && reading.kind === 'read' && answer.status === 200) {
    parts.recordLookup(reading.value, parts.now());
  }
  return answer;
}

function parametersOf(reading: Reading<Asked>, query: string): readonly (string | null)[] {
  if (reading.kind === 'bad_request') return ['bad', query];
  const { task, endpoint, maxPrice, n, limit } = reading.value.query;
  return [task, endpoint, maxPrice === null ? null : String(maxPrice), String(n), String(limit)];
}

const ONLY_POLICY = policyHeaders('free-lookups', FREE_LOOKUPS_PER_DAY);

/** What is left is filled in for every answer. */
const METERED = template({ 'content-type': JSON_TYPE, ...ONLY_POLICY, ratelimit: '' });

function free(exchange: Exchange, body: Octets, { remaining }: FreeQuota, at: Date): Answer {
  exchange.facts.tier = 'free';
  return answerWith(exchange, 200, body, METERED, { ratelimit: rateText('free-lookups', remaining, at) });
}

const EXEMPT = JSON.stringify(EXEMPT_ACCESS);

/** One for each use of a day: writing it out takes as long as all the rest of a body. */
function freeAccessTexts(): (quota: FreeQuota) => string {
  const texts: string[] = [];
  return (quota) => {
    texts[quota.used] ??= JSON.stringify(freeAccessJson(quota, THEN_LOOKUP));
    return texts[quota.used] ?? '';
  };
}

/** The two members in which answers to one question may differ go in last (gap G94). */
function withAccess({ octets }: Findings, access: string, at: Date): Octets {
  // What is added is ASCII.
  return { octets: `${octets}${generatedAt(at)},"access":${access}}` };
}

function generatedAt(at: Date): string {
  const time = at.getTime();
  if (time !== lastMoment.time) Object.assign(lastMoment, { time, text: at.toISOString() });
  return `,"generated_at":"${lastMoment.text}"`;
}

/** Many are answered within one millisecond, and to write it out takes longer than to put a body together. */
const lastMoment = { time: Number.NaN, text: '' };
