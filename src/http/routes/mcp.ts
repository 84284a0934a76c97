import { MCP_BODY_MAX_BYTES } from '../../core/limits.ts';
import { mcpPage } from '../../pages/docs/mcp-page.ts';
import type { AnswerMcp } from '../../wire/mcp/mcp-port.ts';
import { INVALID_REQUEST, PARSE_ERROR, rpcError, UNSPECIFIED } from '../../wire/mcp/rpc-error.ts';
import { MESSAGE_BYTES } from '../admission/admission.ts';
import type { RouteHandlers } from '../app.ts';
import {
  type Answer,
  answer,
  answerJson,
  answerRendered,
  NO_STORE,
  type Rendered,
  rendered,
} from '../exchange/answer.ts';
import { FOR_FIVE_MINUTES } from '../exchange/caching.ts';
import type { Exchange } from '../exchange/exchange.ts';
import { HTML_TYPE, SCRIPTED_HTML_HEADERS } from '../exchange/html-headers.ts';
import { prefersHtml } from '../exchange/prefers-html.ts';
import { type BodyReading, readJsonBody } from '../exchange/read-body.ts';
import { createRenderedCache } from '../exchange/rendered-cache.ts';
import { type McpPolicy, mcpCallers } from './mcp-callers.ts';

export interface McpParts extends McpPolicy {
  readonly answerMcp: AnswerMcp;
  /** The wallet that receives; null when nothing can be bought. */
  readonly payTo: string | null;
}

/** POST /mcp: one JSON-RPC message, or a batch of an older client. Answers are JSON, whatever Accept says. */
export function mcpRoute({ answerMcp, payTo, ...policy }: McpParts): RouteHandlers {
  const page = createPage(payTo !== null);
  const { knowsHost, allowsOrigin } = mcpCallers(policy);
  return {
    nature: 'tools',
    async POST(exchange) {
      if (!knowsHost(exchange.header('host'))) {
        return refuse(exchange, 403, UNSPECIFIED, 'Host must be a public address of this service.');
      }
      if (!allowsOrigin(exchange.header('origin'))) {
        return refuse(exchange, 403, UNSPECIFIED, 'This Origin is not allowed.');
      }
      const body = await exchange.idle(readJsonBody(exchange, { maxBytes: MCP_BODY_MAX_BYTES }));
      if (body.kind !== 'json') return refuseBody(exchange, body);
      exchange.cost.reads = 1 + Math.floor(body.bytes / MESSAGE_BYTES);
      if (body.value === null) return refuse(exchange, 400, PARSE_ERROR, 'The body must be JSON.');
      const { links, header, ask } = exchange;
      const answered = await answerMcp({ body: body.value, base: links.base, header, ask });
      // The routes behind a tool have set their own path there.
      exchange.facts.route = MCP_PATH;
      if (answered.body === null) return answer(exchange, answered.status, null, NO_STORE);
      return answerJson(exchange, answered.status, answered.body, NO_STORE);
    },
    refuseMethod: (exchange, allow) => (isVisit(exchange) ? page(exchange) : refuse405(exchange, allow)),
  };
}

export const MCP_PATH = '/mcp';

/** A person with a browser. A GET of an MCP client asks for a stream of events, which there is none of. */
function isVisit({ method, header }: Exchange): boolean {
  return (method === 'GET' || method === 'HEAD') && prefersHtml(header('accept'));
}

const KEPT_BYTES = 200_000;
const PAGE_HEADERS = { ...SCRIPTED_HTML_HEADERS, ...FOR_FIVE_MINUTES, vary: 'Accept' };

function createPage(sells: boolean): (exchange: Exchange) => Promise<Answer> {
  const kept = createRenderedCache<Rendered>({ maxBytes: KEPT_BYTES });
  return async (exchange) => {
    const { links } = exchange;
    const page = await kept(links.base, async () =>
      rendered(await mcpPage({ links, sells }), HTML_TYPE, PAGE_HEADERS),
    );
    return answerRendered(exchange, page);
  };
}

function refuse405(exchange: Exchange, allow: string): Answer {
  const message = 'Send JSON-RPC messages by POST; there are no streams and no sessions.';
  return refuse(exchange, 405, UNSPECIFIED, message, { allow });
}

function refuseBody(exchange: Exchange, { kind, problem, headers }: Exclude<BodyReading, { kind: 'json' }>) {
  if (kind === 'repeated_name') return refuse(exchange, 400, INVALID_REQUEST, problem.detail);
  switch (problem.code) {
    case 'body_too_large':
      return refuse(exchange, 413, UNSPECIFIED, problem.detail, headers);
    case 'unsupported_media_type':
      return refuse(exchange, 415, UNSPECIFIED, problem.detail, headers);
    default:
      return refuse(exchange, 400, PARSE_ERROR, problem.detail, headers);
  }
}

function refuse(
  exchange: Exchange,
  status: number,
  code: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): Answer {
  return answerJson(exchange, status, rpcError(status, code, message).body, { ...NO_STORE, ...headers });
}
