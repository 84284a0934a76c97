import { Hono } from 'hono';
import { callerAddress, type TrustedProxies } from '../core/access/caller-address.ts';
import { StoreFault } from '../ports/store-fault.ts';
import type { Problem } from '../wire/problem.ts';
import { queryOf } from '../wire/query-parameters.ts';
import { answer, answerProblem } from './answer.ts';
import type { Exchange, Handler } from './exchange.ts';
import type { LinksFor } from './public-addresses.ts';

/** What the connection says beside the request itself. */
export interface Peer {
  readonly address: string;
  header(name: string): string | null;
}

export type Method = 'GET' | 'POST';
export type Routes = Readonly<Record<string, Readonly<Partial<Record<Method, Handler>>>>>;

export interface AppParts {
  readonly routes: Routes;
  readonly linksFor: LinksFor;
  readonly trusts: TrustedProxies;
  readonly newRequestId: () => string;
  /** Beyond so many requests under way, the next ones are sent away at once: waiting would only make it worse. */
  readonly inFlightMax: number;
  /** Told of every answer. */
  readonly onAnswer: (exchange: Exchange, status: number, startedAt: number) => void;
  /** Told of every failure that is our own fault; the caller only gets the id. */
  readonly onFault: (requestId: string, fault: unknown) => void;
  /** Milliseconds that never jump. */
  readonly stopwatch: () => number;
}

export interface App {
  /** At once where the answer is at hand: a promise would cost the server its shortest way. */
  answer(request: Request, peer: Peer): Response | Promise<Response>;
  /** The answer to what never became a request, such as a broken header line. */
  refuse(problem: Problem): Response;
}

interface Env {
  Bindings: Exchange;
}

export function createApp(parts: AppParts): App {
  const router = createRouter(parts);
  let inFlight = 0;
  const dispatch = (exchange: Exchange) => {
    if (inFlight >= parts.inFlightMax && !asksForHealth(exchange)) return overloaded(exchange);
    try {
      return router.fetch(exchange.request, exchange);
    } catch (fault) {
      return answerFault(exchange, fault, parts.onFault);
    }
  };
  return {
    answer(request, peer) {
      const startedAt = parts.stopwatch();
      const exchange = exchangeOf(request, peer, parts);
      const told = (response: Response) => {
        parts.onAnswer(exchange, response.status, startedAt);
        return response;
      };
      const response = dispatch(exchange);
      if (!(response instanceof Promise)) return told(response);
      inFlight += 1;
      const finished = (late: Response) => {
        inFlight -= 1;
        return told(late);
      };
      // The router answers for errors; what was thrown and is none comes through it and ends here.
      return response.then(finished, (fault) => finished(answerFault(exchange, fault, parts.onFault)));
    },
    refuse(problem) {
      const unread = new Request(parts.linksFor(null).base);
      return answerProblem(exchangeOf(unread, NOBODY, parts), problem);
    },
  };
}

const NOBODY: Peer = { address: '', header: () => null };

function exchangeOf(
  request: Request,
  { address, header }: Peer,
  { linksFor, trusts, newRequestId }: AppParts,
): Exchange {
  return {
    id: newRequestId(),
    method: request.method,
    query: queryOf(request.url),
    request,
    links: linksFor(header('host')),
    // Worked out when it is asked for: most routes never want to know.
    callerAddress() {
      const hops = {
        peer: address,
        xForwardedFor: header('x-forwarded-for'),
        forwarded: header('forwarded'),
      };
      return callerAddress(hops, trusts) ?? '';
    },
    header,
    facts: {},
  };
}

/** One handler per method and path and no middleware: with two of them the router composes a chain for every request. */
function createRouter({ routes, onFault }: AppParts): Hono<Env> {
  const router = new Hono<Env>({ strict: false });
  for (const [path, handlers] of Object.entries(routes)) {
    for (const [method, handler] of Object.entries(handlers)) {
      router.on(method, path, ({ env, req }) => {
        env.facts.route = path;
        return handler(env, req.param('id') ?? '');
      });
    }
    const methods = allowOf(handlers);
    const allow = methods.join(', ');
    router.on('OPTIONS', path, ({ env }) => preflight(env, allow));
    for (const method of METHODS) {
      if (!methods.includes(method)) router.on(method, path, ({ env }) => methodNotAllowed(env, path, allow));
    }
  }
  router.notFound(({ env }) => (env.method === 'OPTIONS' ? preflight(env, ANY_METHOD) : notFound(env)));
  router.onError((fault, { env }) => answerFault(env, fault, onFault));
  return router;
}

/** Every method that Node's parser lets through, but for HEAD, which is a GET here. */
const METHODS =
  'ACL BIND CHECKOUT COPY DELETE GET LINK LOCK M-SEARCH MERGE MKACTIVITY MKCALENDAR MKCOL MOVE NOTIFY PATCH POST PROPFIND PROPPATCH PURGE PUT QUERY REBIND REPORT SEARCH SOURCE SUBSCRIBE TRACE UNBIND UNLINK UNLOCK UNSUBSCRIBE'.split(
    ' ',
  );

function allowOf({ GET, POST }: Routes[string]): string[] {
  return [...(GET === undefined ? [] : ['GET', 'HEAD']), ...(POST === undefined ? [] : ['POST']), 'OPTIONS'];
}

function notFound(exchange: Exchange): Response {
  const detail = 'There is nothing at this path; /openapi.json lists what is.';
  return answerProblem(exchange, { code: 'not_found', detail });
}

function methodNotAllowed(exchange: Exchange, path: string, allow: string): Response {
  exchange.facts.route = path;
  const detail = `This path answers ${allow}.`;
  return answerProblem(exchange, { code: 'method_not_allowed', detail }, { allow });
}

const STORE_RETRY_SECONDS = 5;

function answerFault(exchange: Exchange, fault: unknown, onFault: AppParts['onFault']): Response {
  onFault(exchange.id, fault);
  if (fault instanceof StoreFault) {
    return answerProblem(exchange, {
      code: 'store_unavailable',
      detail: 'The store cannot be used just now; nothing was counted and nothing charged.',
      retryAfterSeconds: STORE_RETRY_SECONDS,
    });
  }
  return answerProblem(exchange, {
    code: 'internal_error',
    detail: 'Something failed on our side; please quote the instance when you report it.',
  });
}

/** A busy process is alive: whoever watches it must not take it for dead. */
function asksForHealth({ request }: Exchange): boolean {
  return new URL(request.url).pathname === '/healthz';
}

function overloaded(exchange: Exchange): Response {
  return answerProblem(exchange, {
    code: 'overloaded',
    detail: 'Too many requests are under way; try again in a moment.',
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
  'Mcp-Session-Id',
].join(', ');

const ANY_METHOD = 'GET, HEAD, POST, OPTIONS';

/** A browser asks before it sends a payment header; everything may be sent from everywhere (gap G81). */
function preflight(exchange: Exchange, allow: string): Response {
  return answer(exchange, 204, null, {
    allow,
    'access-control-allow-methods': allow,
    'access-control-allow-headers': ALLOWED_HEADERS,
    'access-control-max-age': '86400',
  });
}
