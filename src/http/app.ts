import { Readable } from 'node:stream';
import { RegExpRouter } from 'hono/router/reg-exp-router';
import type { Clock } from '../ports/clock.ts';
import { StoreFault } from '../ports/store-fault.ts';
import type { Problem } from '../wire/responses/problem.ts';
import { type Answer, answer, answerProblem, type Handler } from './exchange/answer.ts';
import type { Exchange } from './exchange/exchange.ts';
import { type ExchangeParts, type Incoming, openExchange, pathOf } from './exchange/open-exchange.ts';

export type Method = 'GET' | 'POST';
export type Routes = Readonly<Record<string, RouteHandlers>>;

export interface RouteHandlers extends Readonly<Partial<Record<Method, Handler>>> {
  /** The answer to a method that is not allowed, where it differs from the usual problem body. */
  readonly refuseMethod?: (exchange: Exchange, allow: string) => Answer;
}

export interface AppParts extends ExchangeParts, Pick<Clock, 'stopwatch'> {
  readonly routes: Routes;
  /** Requests beyond this number in flight are refused at once: a queue would only add latency. */
  readonly inFlightMax: number;
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
  const route = createRouter(parts.routes);
  const inFlight = { count: 0 };
  const answerPath = async (exchange: Exchange, path: string): Promise<Answer> => {
    if (inFlight.count > parts.inFlightMax && path !== HEALTH) return overloaded(exchange);
    try {
      return await route(exchange, path);
    } catch (fault) {
      parts.onFault(exchange.id, fault);
      return answerFault(exchange, fault);
    }
  };
  const surroundings = { inFlight, answerPath };
  return {
    async answer(incoming) {
      const startedAt = parts.stopwatch();
      const exchange = openExchange(incoming, parts, surroundings);
      inFlight.count += 1;
      try {
        const answered = await answerPath(exchange, pathOf(incoming.target));
        parts.onAnswer(exchange, answered.status, startedAt);
        return answered;
      } finally {
        inFlight.count -= 1;
      }
    },
    refuse: (problem) => answerProblem(openExchange(NOTHING, parts, surroundings), problem),
  };
}

/** A busy process is alive: a liveness check must not restart it. */
const HEALTH = '/healthz';

const NOTHING: Incoming = {
  method: 'GET',
  target: '/',
  address: '',
  header: () => null,
  body: Readable.from([]),
};

/** The router of Hono alone: one handler per method and path, no middleware (docs/decisions/0008). */
function createRouter(routes: Routes): (exchange: Exchange, path: string) => Answer | Promise<Answer> {
  const router = new RegExpRouter<Handler>();
  const paths = new RegExpRouter<KnownPath>();
  for (const [path, { refuseMethod = methodNotAllowed, ...handlers }] of Object.entries(routes)) {
    paths.add(ANY, path, { path, allow: allowOf(handlers).join(', '), refuseMethod });
    for (const [method, handler] of Object.entries(handlers)) {
      const named: Handler = (exchange, id) => {
        exchange.facts.route = path;
        return handler(exchange, id);
      };
      router.add(method, path, named);
      if (method === 'GET') router.add('HEAD', path, named);
    }
  }
  return (exchange, path) => {
    const [[found], parameters] = router.match(exchange.method, path);
    if (found === undefined) {
      const [[known]] = paths.match(ANY, path);
      return withoutHandler(exchange, known?.[0] ?? null);
    }
    const [answerIt, names] = found;
    const at = names['id'];
    return answerIt(exchange, typeof at === 'number' ? (parameters?.[at] ?? '') : (at ?? ''));
  };
}

const ANY = 'ANY';

interface KnownPath extends Required<Pick<RouteHandlers, 'refuseMethod'>> {
  readonly path: string;
  readonly allow: string;
}

function withoutHandler(exchange: Exchange, known: KnownPath | null): Answer {
  if (exchange.method === 'OPTIONS') return preflight(exchange, known?.allow ?? ANY_METHOD);
  if (known === null) return notFound(exchange);
  exchange.facts.route = known.path;
  return known.refuseMethod(exchange, known.allow);
}

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

function overloaded(exchange: Exchange): Answer {
  return answerProblem(exchange, {
    code: 'overloaded',
    detail: 'Too many requests in progress; try again shortly.',
    retryAfterSeconds: 1,
  });
}

const ALLOWED_HEADERS = [
  'PAYMENT-SIGNATURE',
  'X-PAYMENT',
  'X-402-Version',
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
