import { isSelfTest } from '../../core/access/self-test.ts';
import { FREE_LOOKUPS_PER_DAY, LOOKUP_PRICE } from '../../core/limits.ts';
import type { FoundServices, LookUp } from '../../flows/lookup/look-up-services.ts';
import {
  type Findings,
  type LookupBuyer,
  type LookupPorts,
  type LookupResult,
  lookup,
  paidLookup,
  type UnchargedLookup,
} from '../../flows/lookup/lookup.ts';
import { closeJson, openJson } from '../../wire/payment/paid-answer.ts';
import { LOOKUP, LOOKUP_PAID } from '../../wire/payment/paid-routes.ts';
import { readLookupRequest } from '../../wire/requests/lookup-request.ts';
import {
  EXEMPT_ACCESS,
  freeAccessJson,
  THEN_LOOKUP,
  thenOf,
  unchargedAccessJson,
} from '../../wire/responses/access.ts';
import type { Links } from '../../wire/responses/links.ts';
import { lookupFindingsJson } from '../../wire/responses/lookup-response.ts';
import {
  type Answer,
  answerBadRequest,
  answerJson,
  type Handler,
  type Headers,
  NO_STORE,
} from '../exchange/answer.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { policyHeaders, rateHeaders, usedUpHeaders } from '../exchange/rate-headers.ts';
import { answerSale } from '../pay/answer-sale.ts';
import { demandPayment } from '../pay/demand-payment.ts';
import { offeredPayment } from '../pay/offered-payment.ts';

export interface LookupParts {
  readonly lookups: LookupPorts;
  readonly selfTestKey: string | null;
}

/** Both ways to look something up. They share rendered findings, so that they cannot differ (gap G94). */
export function lookupRoutes(parts: LookupParts): { readonly lookup: Handler; readonly paid: Handler } {
  const render = createRenderFindings();
  return { lookup: lookupRoute(parts, render), paid: paidLookupRoute(parts, render) };
}

/** GET /v1/lookup: parameters first, so that a mistake is never metered. */
function lookupRoute({ lookups, selfTestKey }: LookupParts, render: RenderFindings): Handler {
  return async (exchange) => {
    const reading = readLookupRequest(exchange.query);
    if (reading.kind === 'bad_request') return answerBadRequest(exchange, reading);
    // HEAD uses no lookup, so the rest of the quota is not known (gap G83).
    if (exchange.method === 'HEAD') return answerJson(exchange, 200, null, ONLY_POLICY);
    const selfTest = isSelfTest(exchange.header('authorization'), selfTestKey);
    const buyer = buyerOf(exchange, render);
    // Before the settlement, which may end on the next day.
    const at = lookups.clock.now();
    const result = await lookup(reading.value, { selfTest, ...buyer }, lookups);
    return answerLookup(exchange, result, { query: reading.value.query, at, ...buyer }, lookups);
  };
}

/** GET /v1/lookup/paid: the price comes first, invalid parameters are reported after it. */
function paidLookupRoute({ lookups }: LookupParts, render: RenderFindings): Handler {
  const terms = { route: LOOKUP_PAID, payTo: lookups.payments.payTo };
  return async (exchange) => {
    // HEAD shows the price and buys nothing (gap G83).
    if (exchange.method === 'HEAD') return demandPayment(exchange, terms, LOOKUP_PRICE);
    const buyer = buyerOf(exchange, render);
    const result = await paidLookup(readLookupRequest(exchange.query), buyer, lookups);
    if (result.kind === 'bad_request') return answerBadRequest(exchange, result);
    if (result.kind === 'uncharged') return answerUncharged(exchange, result);
    return answerSale(exchange, result, { offered: buyer.offered, ...terms }, lookups.payments);
  };
}

const FREE_LOOKUPS = { name: 'lookups', perDay: FREE_LOOKUPS_PER_DAY } as const;
const ONLY_POLICY = policyHeaders('free-lookups', FREE_LOOKUPS_PER_DAY);

function buyerOf(exchange: Exchange, render: RenderFindings): Omit<LookupBuyer, 'selfTest'> {
  return {
    address: exchange.callerAddress(),
    offered: offeredPayment(exchange),
    render: (query, findings) => render(query, findings, exchange.links),
  };
}

function answerLookup(
  exchange: Exchange,
  result: LookupResult,
  { query, at, offered, render }: ReturnType<typeof buyerOf> & { readonly query: LookUp; readonly at: Date },
  { payments }: LookupPorts,
): Answer {
  const usedUp = () => usedUpHeaders('free-lookups', FREE_LOOKUPS_PER_DAY, at);
  switch (result.kind) {
    case 'free': {
      exchange.facts.tier = 'free';
      const body = closeJson(render(query, result), {
        access: freeAccessJson(result.quota, thenOf(THEN_LOOKUP, payments.payTo !== null)),
      });
      return answerJson(exchange, 200, body, rateHeaders('free-lookups', result.quota, result.at));
    }
    case 'exempt': {
      exchange.facts.tier = 'exempt';
      return answerJson(exchange, 200, closeJson(render(query, result), { access: EXEMPT_ACCESS }), NO_STORE);
    }
    case 'uncharged':
      return answerUncharged(exchange, result, usedUp());
    default: {
      const terms = { route: LOOKUP, headers: usedUp(), free: FREE_LOOKUPS, offered };
      return answerSale(exchange, result, terms, payments);
    }
  }
}

function answerUncharged(exchange: Exchange, { body }: UnchargedLookup, headers: Headers = NO_STORE): Answer {
  exchange.facts.tier = 'paid';
  const access = unchargedAccessJson('nothing_matched');
  return answerJson(exchange, 200, closeJson(body, { access }), headers);
}

type RenderFindings = (query: LookUp, findings: Findings, links: Links) => string;

/**
 * Open JSON up to `generated_at`; `access` follows. Serializing findings is most of the cost of a lookup, so the text is cached
 * as long as the flow keeps the findings, per public address.
 */
function createRenderFindings(): RenderFindings {
  const texts = new WeakMap<FoundServices, Map<Links, string>>();
  return (query, { found, at }, links) => {
    const known = texts.get(found) ?? new Map<Links, string>();
    const text = known.get(links) ?? openJson(lookupFindingsJson(query, found, links));
    texts.set(found, known.set(links, text));
    return `${text},"generated_at":"${at.toISOString()}"`;
  };
}
