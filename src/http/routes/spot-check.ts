import type { FreeQuota } from '../../core/access/admission.ts';
import { isSelfTest } from '../../core/access/self-test.ts';
import { DRY_RUNS_PER_DAY, SPOT_CHECK_PRICE_MIN } from '../../core/limits.ts';
import type { MicroUsd } from '../../core/money/micro-usd.ts';
import { reasonWords } from '../../core/verdict/reason-words.ts';
import type { Unsold } from '../../flows/buy-spot-check.ts';
import type { Decision } from '../../flows/decide.ts';
import { type SpotCheckParts, type SpotCheckResult, spotCheck } from '../../flows/spot-check.ts';
import { openJson } from '../../wire/payment/paid-answer.ts';
import { SPOT_CHECK } from '../../wire/payment/paid-routes.ts';
import { readSpotCheckRequest, type SpotCheckRequest } from '../../wire/requests/spot-check-request.ts';
import { EXEMPT_ACCESS } from '../../wire/responses/access.ts';
import type { Problem } from '../../wire/responses/problem.ts';
import {
  blockedJson,
  freeShapeJson,
  paidFindingsJson,
  UNCHARGED_ACCESS,
} from '../../wire/responses/spot-check-response.ts';
import { type Answer, answerBadRequest, answerJson, answerProblem, NO_STORE } from '../answer.ts';
import type { Exchange, Handler } from '../exchange/exchange.ts';
import { rateHeaders, usedUpHeaders } from '../exchange/rate-headers.ts';
import { readJsonBody } from '../exchange/read-body.ts';
import {
  answerCharged,
  demandPayment,
  NO_WALLET,
  type Offered,
  offeredPayment,
  type PaymentParts,
  type Sale,
} from '../payment-gate.ts';

export interface SpotCheckRouteParts extends PaymentParts {
  readonly check: SpotCheckParts;
  readonly selfTestKey: string | null;
}

/** GET and POST of the spot-check. */
export function spotCheckRoute(parts: SpotCheckRouteParts): Handler {
  return async (exchange) => {
    // Nothing is probed for a look at the headers, so they show the lowest price (gap G83).
    if (exchange.method === 'HEAD') {
      return demandPayment(exchange, { route: SPOT_CHECK }, { amount: SPOT_CHECK_PRICE_MIN }, parts);
    }
    const body = exchange.method === 'POST' ? await exchange.idle(readJsonBody(exchange)) : NO_BODY;
    if (body.kind === 'problem') return answerProblem(exchange, body.problem, body.headers);
    const reading = readSpotCheckRequest(exchange.query, body.value);
    if (reading.kind === 'bad_request') return answerBadRequest(exchange, reading);
    const { check, client } = reading.value;
    const selfTest = isSelfTest(exchange.header('authorization'), parts.selfTestKey);
    const caller = { address: exchange.callerAddress(), client };
    const offered = offeredPayment(exchange, parts);
    const render = (decision: Decision) => {
      note(exchange, decision);
      return openJson(paidFindingsJson(decision, check.claim.price, exchange.links));
    };
    const unpaid = offered.kind === 'problem' ? 'impossible' : null;
    const purchase = offered.kind === 'payment' ? { ...offered, render } : unpaid;
    const result = await spotCheck({ ...check, selfTest }, caller, purchase, parts.check);
    return answerResult(exchange, reading.value, { result, offered }, parts);
  };
}

const NO_BODY = { kind: 'json', value: null } as const;

function answerResult(
  exchange: Exchange,
  { check }: SpotCheckRequest,
  { result, offered }: { readonly result: SpotCheckResult; readonly offered: Offered },
  parts: SpotCheckRouteParts,
): Answer {
  const policy = check.mode === 'dry-run' ? 'dry-runs' : 'free-checks';
  switch (result.kind) {
    case 'blocked':
      return answerProblem(exchange, blockedProblem(check.claim.price));
    case 'rate_limited':
      return answerProblem(exchange, limitProblem(result), limitHeaders(result, parts.now()));
    case 'unsellable':
      return answerProblem(exchange, offered.kind === 'problem' ? offered.problem : NO_WALLET);
    case 'payment_required': {
      const sale = saleOf(result.quota, parts);
      const error = offered.kind === 'unpaid' ? { error: offered.error } : {};
      return demandPayment(exchange, sale, { amount: result.price, ...error }, parts);
    }
    case 'charged': {
      const sale = saleOf(result.quota, parts);
      const answerStopped = (because: Unsold) => answerUnsold(exchange, check.claim.price, because);
      return answerCharged(exchange, sale, result.charged, parts, answerStopped);
    }
    case 'free': {
      exchange.facts.tier = 'free';
      note(exchange, result);
      const text = JSON.stringify(freeShapeJson(result, result.quota, exchange.links));
      return answerJson(exchange, 200, text, rateHeaders(policy, result.quota, parts.now()));
    }
    case 'exempt':
      exchange.facts.tier = 'exempt';
      return answerPaidShape(exchange, check.claim.price, result, EXEMPT_ACCESS);
  }
}

function saleOf({ perDay }: FreeQuota, { now }: SpotCheckRouteParts): Sale {
  return { route: SPOT_CHECK, headers: usedUpHeaders('free-checks', perDay, now()) };
}

function answerUnsold(exchange: Exchange, claimedPrice: MicroUsd | null, because: Unsold): Answer {
  switch (because.kind) {
    case 'blocked':
      return answerProblem(exchange, blockedProblem(claimedPrice));
    case 'rate_limited':
      return answerProblem(exchange, limitProblem(because));
    case 'uncharged':
      exchange.facts.tier = 'paid';
      return answerPaidShape(exchange, claimedPrice, because, UNCHARGED_ACCESS);
  }
}

function answerPaidShape(
  exchange: Exchange,
  claimedPrice: MicroUsd | null,
  decision: Decision,
  access: typeof EXEMPT_ACCESS | typeof UNCHARGED_ACCESS,
): Answer {
  note(exchange, decision);
  const shape = { ...paidFindingsJson(decision, claimedPrice, exchange.links), access };
  return answerJson(exchange, 200, JSON.stringify(shape), NO_STORE);
}

function note({ facts }: Exchange, { receipt }: Decision): void {
  facts.verdict = receipt.verdict;
  facts.reason = receipt.reason;
}

function blockedProblem(claimedPrice: MicroUsd | null): Problem {
  const detail = reasonWords({ verdict: 'skip', reason: 'ssrf_blocked' });
  return { code: 'ssrf_blocked', field: 'url', detail, members: blockedJson(claimedPrice) };
}

type RateLimited = Extract<SpotCheckResult, { kind: 'rate_limited' }>;

function limitProblem({ by, retryAfterSeconds }: RateLimited): Problem {
  switch (by) {
    case 'dry_runs':
      return {
        code: 'dry_run_limit',
        detail: 'The dry runs of this UTC day are used up; nothing was probed.',
        retryAfterSeconds,
      };
    case 'target':
      return {
        code: 'target_busy',
        detail: 'This target was probed too often just now; nothing was sent and nothing was counted.',
        retryAfterSeconds,
      };
    case 'quotes':
      return {
        code: 'quote_limit',
        detail: 'Too many prices were asked for without paying; nothing was probed.',
        retryAfterSeconds,
      };
  }
}

function limitHeaders({ by }: RateLimited, now: Date) {
  return by === 'dry_runs' ? usedUpHeaders('dry-runs', DRY_RUNS_PER_DAY, now) : {};
}
