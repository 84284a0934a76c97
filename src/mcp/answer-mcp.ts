import {
  classifyInboundRequest,
  createMcpHandler,
  isJSONRPCRequest,
  type JSONRPCRequest,
  SUPPORTED_PROTOCOL_VERSIONS,
} from '@modelcontextprotocol/server';
import { isDeeperThan } from '../core/is-deeper-than.ts';
import { JSON_MAX_DEPTH, MCP_BATCH_MAX } from '../core/limits.ts';
import type { AnswerMcp, McpAnswer, McpCall } from '../wire/mcp/mcp-port.ts';
import { INVALID_REQUEST, METHOD_NOT_FOUND, rpcError, UNSPECIFIED } from '../wire/mcp/rpc-error.ts';
import { createMcpServer } from './create-mcp-server.ts';
import { connectShared, type RpcAnswer } from './shared-server.ts';

/**
 * Both eras on one path, without sessions. A request of 2026-07-28 gets its own server from the SDK's handler. Earlier revisions
 * share one server without per-caller state, which is faster.
 */
export function createAnswerMcp(onFault: (fault: unknown) => void, sells: boolean): AnswerMcp {
  const modern = createModern(onFault, sells);
  const shared = connectShared(onFault, sells);
  const legacy = (message: JSONRPCRequest, call: McpCall): Promise<RpcAnswer> =>
    // A handshake changes the state of its server, so it gets its own.
    message.method === INITIALIZE ? connectShared(onFault, sells)(message, call) : shared(message, call);
  return async (call) => {
    // Before anything iterates over the batch.
    if (Array.isArray(call.body) && call.body.length > MCP_BATCH_MAX) {
      return rpcError(400, INVALID_REQUEST, `A batch must have 1 to ${MCP_BATCH_MAX} messages.`);
    }
    if (isDeeperThan(call.body, JSON_MAX_DEPTH)) {
      return rpcError(
        400,
        INVALID_REQUEST,
        `A message must not be nested deeper than ${JSON_MAX_DEPTH} levels.`,
      );
    }
    const outcome = classifyInboundRequest({ httpMethod: 'POST', ...standardHeaders(call), body: call.body });
    switch (outcome.kind) {
      case 'reject':
        return rpcError(outcome.httpStatus, outcome.code, outcome.message, {
          id: idOf(call.body),
          data: outcome.data,
        });
      case 'modern':
        return modern(call);
      case 'legacy':
        if (outcome.reason === 'batch') return answerBatch(call, legacy);
        // Notifications get no response.
        if (outcome.reason === 'notification' || outcome.reason === 'response') return ACCEPTED;
        return answerOne(call, legacy);
    }
  };
}

function standardHeaders({ header }: McpCall) {
  const version = header('mcp-protocol-version');
  const method = header('mcp-method');
  const name = header('mcp-name');
  return {
    ...(version === null ? {} : { protocolVersionHeader: version }),
    ...(method === null ? {} : { mcpMethodHeader: method }),
    ...(name === null ? {} : { mcpNameHeader: name }),
  };
}

const INITIALIZE = 'initialize';

type Legacy = (message: JSONRPCRequest, call: McpCall) => Promise<RpcAnswer>;

const ACCEPTED: McpAnswer = { status: 202, body: null };

async function answerOne(call: McpCall, legacy: Legacy): Promise<McpAnswer> {
  // Safe: the request was classified above; validating it again would double the cost of a call.
  const message = call.body as JSONRPCRequest;
  const refused = message.method === INITIALIZE ? null : refusedVersion(call);
  return refused ?? { status: 200, body: JSON.stringify(await legacy(message, call)) };
}

/** Only old clients send batches. A payment in the headers is refused: it pays one call, and it is unclear which. */
async function answerBatch(call: McpCall, legacy: Legacy): Promise<McpAnswer> {
  const batch = Array.isArray(call.body) ? call.body : [];
  if (call.header('payment-signature') !== null || call.header('x-payment') !== null) {
    const said =
      'A payment in a header cannot pay for a batch; put it into _meta of the call that it pays for.';
    return rpcError(400, INVALID_REQUEST, said);
  }
  const refused = refusedVersion(call);
  if (refused !== null) return refused;
  const answers = await Promise.all(
    batch.map((message: unknown) => {
      // Notifications and responses get no answer.
      return isJSONRPCRequest(message) ? legacy(message, call) : null;
    }),
  );
  const said = answers.filter((answer) => answer !== null);
  return said.length === 0 ? ACCEPTED : { status: 200, body: JSON.stringify(said) };
}

function refusedVersion({ header, body }: McpCall): McpAnswer | null {
  const version = header('mcp-protocol-version');
  if (version === null || SUPPORTED_PROTOCOL_VERSIONS.includes(version.trim())) return null;
  const known = SUPPORTED_PROTOCOL_VERSIONS.join(', ');
  const said = `Unsupported MCP-Protocol-Version; supported: ${known}.`;
  return rpcError(400, UNSPECIFIED, said, { id: idOf(body) });
}

/** Only requests have an id to answer under. */
function idOf(body: unknown): string | number | null {
  return isJSONRPCRequest(body) ? body.id : null;
}

/** The SDK's own handler: header rules, discovery, cache hints. */
function createModern(onFault: (fault: unknown) => void, sells: boolean): AnswerMcp {
  const calls = new WeakMap<Request, McpCall>();
  const callOf = (request: Request | undefined): McpCall => {
    const call = request === undefined ? undefined : calls.get(request);
    if (call === undefined) throw new Error('a message came without its caller');
    return call;
  };
  const handler = createMcpHandler(
    ({ requestInfo }) => createMcpServer(() => callOf(requestInfo), onFault, sells ? 'sold' : 'free'),
    {
      legacy: 'reject',
      // Invalid requests are reported here, too; their callers get an answer anyway.
      onerror: (fault) => {
        if (fault instanceof TypeError) onFault(fault);
      },
    },
  );
  return async (call) => {
    if (isListening(call.body)) return noStreams(call.body);
    const request = new Request(`${call.base}/mcp`, { method: 'POST', headers: modernHeaders(call) });
    calls.set(request, call);
    const response = await handler.fetch(request, { parsedBody: call.body });
    const text = await response.text();
    return { status: response.status, body: text === '' ? null : text };
  };
}

const MODERN_HEADERS = ['mcp-protocol-version', 'mcp-method', 'mcp-name'];

function modernHeaders({ header }: McpCall): Record<string, string> {
  const sent = MODERN_HEADERS.flatMap((name): [string, string][] => {
    const value = header(name);
    return value === null ? [] : [[name, value]];
  });
  return { 'content-type': 'application/json', ...Object.fromEntries(sent) };
}

/** Nothing changes while a client listens, so there are no streams. */
function isListening(body: unknown): body is JSONRPCRequest {
  return isJSONRPCRequest(body) && body.method === 'subscriptions/listen';
}

function noStreams({ id }: JSONRPCRequest): McpAnswer {
  return rpcError(404, METHOD_NOT_FOUND, 'Method not found', { id });
}
