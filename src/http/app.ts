import { Readable } from 'node:stream';
import { RegExpRouter } from 'hono/router/reg-exp-router';
import type { Clock } from '../ports/clock.ts';
import { StoreFault } from '../ports/store-fault.ts';
import type { Problem } from '../wire/responses/problem.ts';
import { type AdmissionLimits, createAdmission, type Work } from './admission/admission.ts';
import { type Answer, answer, answerProblem, type Handler } from './exchange/answer.ts';
import type { Exchange } from './exchange/exchange.ts';
import { type ExchangeParts, type Incoming, openExchange, type Stay } from './exchange/open-exchange.ts';
import { problemForPeople } from './exchange/problem-for-people.ts';

export type Method = 'GET' | 'POST';
export type Routes = Readonly<Record<string, RouteHandlers>>;

export interface RouteHandlers extends Readonly<Partial<Record<Method, Handler>>> {
  /** The answer to a method that is not allowed, where it differs from the usual problem body. */
  readonly refuseMethod?: (exchange: Exchange, allow: string) => Answer | Promise<Answer>;
  /** What its requests are, for the pools of gap G102; a read where it is left out. */
  readonly nature?: Nature;
}

type Nature =
  | 'read'
  /** Reads, unless it carries a payment. */
  | 'sale'
  /** Probes, unless it carries a payment. */
  | 'check'
  /** A page; what its form sends probes. */
  | 'form'
  /** Its work is done by the routes that it asks, which are admitted one by one. */
  | 'tools'
  /** A busy process is alive and ready: a health check must not restart it, nor send callers elsewhere. */
  | 'health';

export interface AppParts extends ExchangeParts, Pick<Clock, 'stopwatch' | 'now'> {
  readonly routes: Routes;
  readonly limits: AdmissionLimits;
  /** Called for every answer. */
  readonly onAnswer: (exchange: Exchange, status: number, startedAt: number) => void;
  /** Called for every internal fault; the caller only gets the id. */
  readonly onFault: (requestId: string, fault: unknown) => void;
}

export interface App {
  answer(incoming: Incoming): Promise<Answer>;
  /** The answer to what never became a request, such as a broken header line. */
  refuse(problem: Problem): Answer;
}

export function createApp(parts: AppParts): App {
  const find = createRouter(parts.routes);
  const admission = createAdmission(parts.limits, parts.now);
  const run = async (exchange: Exchange, { handler, id }: Found): Promise<Answer> => {
    try {
      return await handler(exchange, id);
    } catch (fault) {
      parts.onFault(exchange.id, fault);
      return answerFault(exchange, fault);
    }
  };
  const answerPath = async (exchange: Exchange, path: string, stay: Stay): Promise<Answer> => {
    const found = find(exchange.method, path);
    if (found.path !== null) exchange.facts.route = found.path;
    const { nature } = found;
    // A preflight costs less than its refusal, and after a refusal a browser sends no payment either.
    if (nature === 'health' || exchange.method === 'OPTIONS') return run(exchange, found);
    const networks = exchange.networks();
    const work = workOf(exchange, nature);
    const refusal = admission.enter(work, networks);
    if (refusal !== null) return answerProblem(exchange, refusal);
    stay.pool = admission.pools[work];
    const answered = await run(exchange, found);
    admission.leave(work, networks, exchange.cost.reads);
    return answered;
  };
  return {
    async answer(incoming) {
      const startedAt = parts.stopwatch();
      const stay: Stay = { pool: null };
      const exchange = openExchange(incoming, parts, { stay, answerPath });
      const answered = await answerPath(exchange, exchange.path, stay);
      parts.onAnswer(exchange, answered.status, startedAt);
      return withNotes(await problemForPeople(answered, exchange), exchange);
    },
    refuse: (problem) =>
      answerProblem(openExchange(NOTHING, parts, { stay: { pool: null }, answerPath }), problem),
  };
}

function withNotes(answered: Answer, { written }: Exchange): Answer {
  if (written.length === 0) return answered;
  return {
    ...answered,
    async onWritten() {
      for (const note of written) await note();
    },
  };
}

/** HEAD buys nothing (gap G83). */
function workOf({ method, header }: Exchange, nature: Exclude<Nature, 'health'>): Work {
  if (nature === 'tools') return 'message';
  if (nature === 'read') return 'read';
  if (nature === 'form') return method === 'POST' ? 'check' : 'read';
  const isPaid = header('payment-signature') !== null || header('x-payment') !== null;
  if (isPaid && method !== 'HEAD') return 'purchase';
  return nature === 'check' ? 'check' : 'read';
}

const NOTHING: Incoming = {
  method: 'GET',
  target: '/',
  address: '',
  header: () => null,
  body: Readable.from([]),
};

/** What answers one method of one path. */
interface Found {
  /** The pattern of the path; null when nothing is there. */
  readonly path: string | null;
  readonly nature: Nature;
  readonly handler: Handler;
  /** The variable segment of the path, if it has one. */
  readonly id: string;
}

/** The router of Hono alone: one handler per method and path, no middleware (docs/decisions/0008). */
function createRouter(routes: Routes): (method: string, path: string) => Found {
  const router = new RegExpRouter<Found>();
  const paths = new RegExpRouter<Found>();
  for (const [path, { refuseMethod = methodNotAllowed, nature = 'read', ...handlers }] of Object.entries(
    routes,
  )) {
    const allow = allowOf(handlers).join(', ');
    const other: Handler = (exchange) =>
      exchange.method === 'OPTIONS' ? preflight(exchange, allow) : refuseMethod(exchange, allow);
    paths.add(ANY, path, { path, nature: 'read', handler: other, id: '' });
    for (const [method, handler] of Object.entries(handlers)) {
      router.add(method, path, { path, nature, handler, id: '' });
      if (method === 'GET') router.add('HEAD', path, { path, nature, handler, id: '' });
    }
  }
  return (method, path) => {
    const [[found], parameters] = router.match(method, path);
    if (found === undefined) {
      const [[known]] = paths.match(ANY, path);
      return known?.[0] ?? NOWHERE;
    }
    const [route, names] = found;
    const at = names['id'];
    if (at === undefined) return route;
    return { ...route, id: typeof at === 'number' ? (parameters?.[at] ?? '') : at };
  };
}

const ANY = 'ANY';

const NOWHERE: Found = {
  path: null,
  nature: 'read',
  handler: (exchange) =>
    exchange.method === 'OPTIONS' ? preflight(exchange, ANY_METHOD) : notFound(exchange),
  id: '',
};

function allowOf({ GET, POST }: RouteHandlers): string[] {
  return [...(GET === undefined ? [] : ['GET', 'HEAD']), ...(POST === undefined ? [] : ['POST']), 'OPTIONS'];
}

function notFound(exchange: Exchange): Answer {
  const detail = 'Nothing at this path; /openapi.json lists all paths.';
  return answerProblem(exchange, { code: 'not_found', detail });
}

function methodNotAllowed(exchange: Exchange, allow: string): Answer {
  const detail = `This path supports ${allow}.`;
  return answerProblem(exchange, { code: 'method_not_allowed', detail }, { allow });
}

const STORE_RETRY_SECONDS = 5;

function answerFault(exchange: Exchange, fault: unknown): Answer {
  if (fault instanceof StoreFault) {
    return answerProblem(exchange, {
      code: 'store_unavailable',
      detail: 'The store is unavailable; nothing was counted or charged.',
      retryAfterSeconds: STORE_RETRY_SECONDS,
    });
  }
  return answerProblem(exchange, {
    code: 'internal_error',
    detail: 'Internal error; quote the instance if you report it.',
  });
}

const ALLOWED_HEADERS = [
  'PAYMENT-SIGNATURE',
  'X-PAYMENT',
  'X-402-Version',
  // A response field that @x402/fetch sends by mistake, and for which browsers ask.
  'Access-Control-Expose-Headers',
  'Authorization',
  'Content-Type',
  'Accept',
  'If-None-Match',
  'MCP-Protocol-Version',
  'Mcp-Method',
  'Mcp-Name',
  'Mcp-Session-Id',
].join(', ');

const ANY_METHOD = 'GET, HEAD, POST, OPTIONS';

/** A browser asks before it sends a payment header; every origin may send everything (gap G81). */
function preflight(exchange: Exchange, allow: string): Answer {
  return answer(exchange, 204, null, {
    allow,
    'access-control-allow-methods': allow,
    'access-control-allow-headers': ALLOWED_HEADERS,
    'access-control-max-age': '86400',
  });
}
