import { PROOF_PATH, tokenLine } from '../../core/seller/proof-token.ts';
import { SELLER_BODY_MAX_BYTES, WATCHES_PER_NETWORK_DAY } from '../../core/seller/seller-limits.ts';
import type { SellerRequest } from '../../core/seller/seller-request.ts';
import { reasonWords } from '../../core/verdict/reason-words.ts';
import { actForSeller, type SellerPorts, type SellerResult } from '../../flows/seller/act-for-seller.ts';
import { readSellerRequest, SELLER_MEMBERS } from '../../wire/requests/seller-request.ts';
import type { Problem } from '../../wire/responses/problem.ts';
import {
  replyAnswerJson,
  retestJson,
  unwatchedJson,
  watchedJson,
  withdrawnJson,
} from '../../wire/responses/seller-response.ts';
import { blockedJson } from '../../wire/responses/spot-check-response.ts';
import {
  type Answer,
  answerBadRequest,
  answerJson,
  answerProblem,
  type Handler,
  NO_STORE,
} from '../exchange/answer.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { readJsonBody } from '../exchange/read-body.ts';

const BODY = { maxBytes: SELLER_BODY_MAX_BYTES, members: SELLER_MEMBERS };

/** POST /v1/sellers: a signed request of the owner of an endpoint. */
export function sellersRoute(ports: SellerPorts): Handler {
  return async (exchange) => {
    const body = await exchange.idle(readJsonBody(exchange, BODY));
    if (body.kind !== 'json') return answerProblem(exchange, body.problem, body.headers);
    const reading = readSellerRequest(body.value);
    if (reading.kind === 'bad_request') return answerBadRequest(exchange, reading);
    const result = await actForSeller(reading.value, exchange.callerAddress(), ports);
    return answerSeller(exchange, reading.value, result);
  };
}

function answerSeller(exchange: Exchange, request: SellerRequest, result: SellerResult): Answer {
  switch (result.kind) {
    case 'retested': {
      const { verdict, reason } = result.decision.receipt;
      Object.assign(exchange.facts, { verdict, reason });
      return done(exchange, retestJson(result, exchange.links));
    }
    case 'replied':
      return done(exchange, replyAnswerJson(request, result.note));
    case 'withdrawn':
      return done(exchange, withdrawnJson(request, result.isChanged));
    case 'watched':
      return done(exchange, watchedJson(result, exchange.links));
    case 'unwatched':
      return done(exchange, unwatchedJson(request, result.ended));
    case 'rate_limited':
      return answerProblem(exchange, limitProblem(result));
    case 'unproven':
      return answerProblem(exchange, unproven(request.document.key));
    case 'blocked':
    case 'forged':
    case 'out_of_time':
    case 'used':
    case 'secret_url':
    case 'overtaken':
    case 'bad_webhook':
    case 'too_many_watches':
      return answerProblem(exchange, PROBLEMS[result.kind]);
  }
}

function done(exchange: Exchange, answer: object): Answer {
  // Signed requests have an hourly limit of their own (gap L110).
  exchange.cost.reads = 0;
  return answerJson(exchange, 200, JSON.stringify(answer), NO_STORE);
}

type Fixed =
  | 'blocked'
  | 'forged'
  | 'out_of_time'
  | 'used'
  | 'secret_url'
  | 'overtaken'
  | 'bad_webhook'
  | 'too_many_watches';

const PROBLEMS: Readonly<Record<Fixed, Problem>> = {
  blocked: {
    code: 'ssrf_blocked',
    field: 'statement.url',
    detail: reasonWords({ verdict: 'skip', reason: 'ssrf_blocked' }),
    members: blockedJson(null),
  },
  forged: {
    code: 'bad_request',
    field: 'signature',
    detail:
      'signature must be the signature of the key over "assay-seller-v1", a line feed and the statement.',
  },
  out_of_time: {
    code: 'bad_request',
    field: 'statement.at',
    detail: 'statement.at must be within 5 minutes of the time of the service; sign a new statement.',
  },
  used: {
    code: 'statement_used',
    field: 'statement',
    detail: 'This statement was acted on before; sign a new one.',
  },
  overtaken: {
    code: 'statement_used',
    field: 'statement.at',
    detail: 'A newer statement about this URL is known; sign a new one.',
  },
  bad_webhook: {
    code: 'bad_request',
    field: 'statement.webhook',
    detail: 'statement.webhook must be an https URL on the public web.',
  },
  too_many_watches: {
    code: 'watch_limit',
    field: 'statement.webhook',
    detail: 'An origin has at most 5 watches, a key 10, and the service 1000; end one with unwatch.',
  },
  secret_url: {
    code: 'bad_request',
    field: 'statement.url',
    detail: 'statement.url must not contain what looks like a key or a token, because it is shown to others.',
  },
};

/** The key is canonical base64url by now, so that it can be repeated. */
function unproven(key: string): Problem {
  return {
    code: 'not_proven',
    field: 'key',
    detail: `The host does not publish this key: neither ${PROOF_PATH} nor a TXT record at _assay.<host> has the line ${tokenLine(key)}.`,
  };
}

function limitProblem({
  by,
  retryAfterSeconds,
}: Extract<SellerResult, { readonly kind: 'rate_limited' }>): Problem {
  return { ...LIMITS[by], retryAfterSeconds };
}

const LIMITS: Readonly<
  Record<'target' | 'retests' | 'caller' | 'watches', Pick<Problem, 'code' | 'detail'>>
> = {
  target: {
    code: 'target_busy',
    detail:
      'No further probe of this target may start now: a limit of the target, of this service or of this caller is reached; nothing was sent or counted.',
  },
  retests: {
    code: 'retest_limit',
    detail: 'A URL is checked again once a minute, and an origin 20 times an hour; nothing was sent.',
  },
  caller: {
    code: 'seller_limit',
    detail: 'Too many signed requests from this network in this hour; nothing was done.',
  },
  watches: {
    code: 'seller_limit',
    detail: `A network adds at most ${WATCHES_PER_NETWORK_DAY} watches in a day; nothing was done.`,
  },
};
