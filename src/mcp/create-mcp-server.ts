import {
  CLIENT_CAPABILITIES_META_KEY,
  ProtocolError,
  ProtocolErrorCode,
  type Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { INTERFACE_VERSION } from '../core/interface-version.ts';
import type { McpCall } from '../wire/mcp/mcp-port.ts';
import { callTool } from './call-tool.ts';
import { PAYMENT_EXTENSION } from './payment-binding.ts';
import { getPrompt, PROMPTS } from './prompts.ts';
import { RECEIPT_TEMPLATE, RESOURCE_TEMPLATES, RESOURCES, readResource, suggestions } from './resources.ts';
import { guarded, StrictServer } from './strict-server.ts';
import { listedTool, type Tool } from './tool.ts';
import { FREE_TOOLS, TOOLS, UNMETERED_TOOLS } from './tools.ts';

/** Two sentences; a model reads them at every start. */
const INSTRUCTIONS =
  'Call endpoint_spot_check before paying any x402 endpoint, and sign only the payment it approves. Use lookup to choose a service by its known-answer pass rate.';

const MINUTE_MS = 60_000;
const LISTS = { ttlMs: 5 * MINUTE_MS, cacheScope: 'public' } as const;

/** Made once: the lists of tools are the same for everybody and for ever. */
const LISTED_TOOLS = {
  sold: TOOLS.map(listedTool),
  free: FREE_TOOLS.map(listedTool),
  unmetered: UNMETERED_TOOLS.map(listedTool),
};
const byName = (tools: readonly Tool[]) => new Map(tools.map((tool) => [tool.name, tool]));
/** A service without a wallet answers a purchase with what it has instead, where a process of one user has no such tool. */
const CALLED_TOOLS = {
  sold: byName(TOOLS),
  free: byName(TOOLS),
  unmetered: byName(UNMETERED_TOOLS),
};

/** An MCP server without per-caller state. Tools name a price only where they are sold, and a quota only where one is counted. */
export function createMcpServer(
  callOf: (context: ServerContext) => McpCall,
  onFault: (fault: unknown) => void,
  offer: keyof typeof LISTED_TOOLS,
): Server {
  const server = new StrictServer(
    { name: 'assay', title: 'Assay: ask before you pay', version: INTERFACE_VERSION },
    {
      instructions: INSTRUCTIONS,
      capabilities: {
        tools: { listChanged: false },
        resources: { listChanged: false },
        prompts: { listChanged: false },
        completions: {},
        extensions: { [PAYMENT_EXTENSION]: {} },
      },
      cacheHints: {
        'server/discover': LISTS,
        'tools/list': LISTS,
        'prompts/list': LISTS,
        'resources/list': LISTS,
        'resources/templates/list': LISTS,
        'resources/read': { ttlMs: MINUTE_MS, cacheScope: 'public' },
      },
    },
  );
  server.setRequestHandler('tools/list', () => ({ tools: LISTED_TOOLS[offer] }));
  server.setRequestHandler(
    'tools/call',
    guarded(({ params }, context) => {
      const tool = CALLED_TOOLS[offer].get(params.name);
      if (tool === undefined) {
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Unknown tool; tools/list lists all tools.');
      }
      const { _meta: meta } = context.mcpReq;
      const knowsPayments = announcesPayments(context);
      return callTool({ tool, arguments: params.arguments ?? {}, meta, knowsPayments }, callOf(context));
    }, onFault),
  );
  server.setRequestHandler('resources/list', () => ({ resources: RESOURCES }));
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: RESOURCE_TEMPLATES }));
  server.setRequestHandler(
    'resources/read',
    guarded(({ params }, context) => readResource(params.uri, callOf(context)), onFault),
  );
  server.setRequestHandler('prompts/list', () => ({ prompts: PROMPTS }));
  server.setRequestHandler('prompts/get', ({ params }) => getPrompt(params.name, params.arguments ?? {}));
  server.setRequestHandler(
    'completion/complete',
    guarded(
      async ({ params }, context) => ({
        completion: { values: await completed(params, callOf(context)), hasMore: false },
      }),
      onFault,
    ),
  );
  return server;
}

/** In 2026-07-28 every request carries the client's capabilities; earlier revisions need a session, which we do not have. */
function announcesPayments({ mcpReq }: ServerContext): boolean {
  const envelope: Readonly<Record<string, unknown>> = { ...mcpReq.envelope };
  const capabilities = envelope[CLIENT_CAPABILITIES_META_KEY];
  return member(member(capabilities, 'extensions'), PAYMENT_EXTENSION) !== undefined;
}

function member(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return Object.entries(value).find(([key]) => key === name)?.[1];
}

interface Completing {
  readonly ref:
    | { readonly type: 'ref/prompt'; readonly name: string }
    | { readonly type: 'ref/resource'; readonly uri: string };
  readonly argument: { readonly name: string; readonly value: string };
}

async function completed({ ref, argument }: Completing, call: McpCall): Promise<string[]> {
  const { name, value } = argument;
  if (ref.type === 'ref/resource') {
    return ref.uri === RECEIPT_TEMPLATE && name === 'id' ? suggestions('receipt', value, call) : [];
  }
  return ref.name === 'pick_service' && name === 'task' ? suggestions('task', value, call) : [];
}
