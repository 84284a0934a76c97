import { isSelfTest } from '../../core/access/self-test.ts';
import { DRY_RUNS_PER_DAY, FREE_SPOT_CHECKS_PER_DAY, SPOT_CHECK_PRICE_MIN } from '../../core/limits.ts';
import type { MicroUsd } from '../../core/money/micro-usd.ts';
import { reasonWords } from '../../core/verdict/reason-words.ts';
import type { Decision } from '../../flows/check/issue-receipt.ts';
import {
  type CheckBuyer,
  type SpotCheckPorts,
  type SpotCheckResult,
  spotCheck,
} from '../../flows/check/spot-check.ts';
import type { PromiseReceipt } from '../../flows/log/promise-receipt.ts';
import { openJson } from '../../wire/payment/paid-answer.ts';
import { SPOT_CHECK } from '../../wire/payment/paid-routes.ts';
import {
  readSpotCheckRequest,
  SPOT_CHECK_MEMBERS,
  type SpotCheckRequest,
} from '../../wire/requests/spot-check-request.ts';
import { EXEMPT_ACCESS, unchargedAccessJson } from '../../wire/responses/access.ts';
import type { Problem } from '../../wire/responses/problem.ts';
import { promiseHeaders, promiseJson } from '../../wire/responses/proofs/promise-members.ts';
import { blockedJson, freeShapeJson, paidFindingsJson } from '../../wire/responses/spot-check-response.ts';
import {
  type Answer,
  answerBadRequest,
  answerJson,
  answerProblem,
  type Handler,
  type Headers,
  NO_STORE,
} from '../exchange/answer.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { policyHeaders, rateHeaders, usedUpHeaders } from '../exchange/rate-headers.ts';
import { readJsonBody } from '../exchange/read-body.ts';
import { answerSale } from '../pay/answer-sale.ts';
import { demandPayment } from '../pay/demand-payment.ts';
import { offeredPayment } from '../pay/offered-payment.ts';

export interface SpotCheckRouteParts {
  readonly promiseReceipt: PromiseReceipt;
  readonly check: SpotCheckPorts;
  readonly selfTestKey: string | null;
}

/** GET and POST of the spot-check. */
export function spotCheckRoute({ check: ports, selfTestKey, promiseReceipt }: SpotCheckRouteParts): Handler {
  const { payTo } = ports.payments;
  return async (exchange) => {
    // HEAD probes nothing, so it shows the lowest price (gap G83).
    if (exchange.method === 'HEAD') {
      if (payTo === null) return answerJson(exchange, 200, null, ONLY_POLICY);
      return demandPayment(exchange, { route: SPOT_CHECK, payTo }, SPOT_CHECK_PRICE_MIN);
    }
    const body = exchange.method === 'POST' ? await exchange.idle(readJsonBody(exchange, BODY)) : NO_BODY;
    if (body.kind !== 'json') return answerProblem(exchange, body.problem, body.headers);
    const reading = readSpotCheckRequest(exchange.query, body.value);
    if (reading.kind === 'bad_request') return answerBadRequest(exchange, reading);
    const { check, client } = reading.value;
    const buyer = {
      caller: { address: exchange.callerAddress(), client },
      offered: offeredPayment(exchange),
      render: (decision: Decision) => openJson(paidShapeOf(exchange, check.claim.price, decision)),
    };
    const selfTest = isSelfTest(exchange.header('authorization'), selfTestKey);
    // Before the work, which may end on the next day: the headers are about the day that is counted.
    const asked = { check, offered: buyer.offered, at: ports.clock.now() };
    const result = await spotCheck({ ...check, selfTest }, buyer, ports);
    return answerCheck(exchange, asked, result, { promiseReceipt, ...ports });
  };
}

const ONLY_POLICY = policyHeaders('free-checks', FREE_SPOT_CHECKS_PER_DAY);
const FREE_CHECKS = { name: 'checks', perDay: FREE_SPOT_CHECKS_PER_DAY } as const;

const BODY = { members: SPOT_CHECK_MEMBERS };
const NO_BODY = { kind: 'json', value: null } as const;

function answerCheck(
  exchange: Exchange,
  {
    check,
    offered,
    at,
  }: Pick<SpotCheckRequest, 'check'> & Pick<CheckBuyer, 'offered'> & { readonly at: Date },
  result: SpotCheckResult,
  { payments, promiseReceipt }: SpotCheckPorts & Pick<SpotCheckRouteParts, 'promiseReceipt'>,
): Answer {
  const claimedPrice = check.claim.price;
  const usedUp = () => usedUpHeaders('free-checks', FREE_SPOT_CHECKS_PER_DAY, at);
  switch (result.kind) {
    case 'blocked':
      return answerProblem(exchange, blockedProblem(claimedPrice));
    case 'rate_limited':
      return answerProblem(exchange, limitProblem(result), limitHeaders(result, at));
    case 'free': {
      exchange.facts.tier = 'free';
      exchange.cost.reads = 0;
      noteVerdict(exchange, result);
      const policy = check.mode === 'dry-run' ? 'dry-runs' : 'free-checks';
      const text = JSON.stringify(
        freeShapeJson(result, { quota: result.quota, sells: payments.payTo !== null }, exchange.links),
      );
      return answerJson(exchange, 200, text, {
        ...rateHeaders(policy, result.quota, at),
        ...promiseHeaders(promiseReceipt(result.receipt, result.statement)),
      });
    }
    case 'exempt':
      exchange.facts.tier = 'exempt';
      exchange.cost.reads = 0;
      return answerPaidShape(exchange, claimedPrice, result, {
        ...promiseJson(promiseReceipt(result.receipt, result.statement)),
        access: EXEMPT_ACCESS,
      });
    case 'uncharged':
      exchange.facts.tier = 'paid';
      return answerPaidShape(
        exchange,
        claimedPrice,
        result,
        {
          ...promiseJson(promiseReceipt(result.receipt, result.statement)),
          access: unchargedAccessJson('undecided'),
        },
        usedUp(),
      );
    default: {
      const terms = { route: SPOT_CHECK, headers: usedUp(), free: FREE_CHECKS, offered };
      return answerSale(exchange, result, terms, payments);
    }
  }
}

function answerPaidShape(
  exchange: Exchange,
  claimedPrice: MicroUsd | null,
  decision: Decision,
  last: object,
  headers: Headers = NO_STORE,
): Answer {
  const shape = { ...paidShapeOf(exchange, claimedPrice, decision), ...last };
  return answerJson(exchange, 200, JSON.stringify(shape), headers);
}

/** The paid shape without its last members. */
function paidShapeOf(exchange: Exchange, claimedPrice: MicroUsd | null, decision: Decision) {
  noteVerdict(exchange, decision);
  return paidFindingsJson(decision, claimedPrice, exchange.links);
}

function noteVerdict({ facts }: Exchange, { receipt }: Decision): void {
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
        detail:
          'No further probe of this target may start now: a limit of the target, of this service or of this caller is reached; nothing was sent or counted.',
        retryAfterSeconds,
      };
    case 'quotes':
      return {
        code: 'quote_limit',
        detail: 'Too many price requests without a payment; nothing was probed.',
        retryAfterSeconds,
      };
  }
}

function limitHeaders({ by }: RateLimited, now: Date) {
  return by === 'dry_runs' ? usedUpHeaders('dry-runs', DRY_RUNS_PER_DAY, now) : {};
}
