import type { JSONRPCMessage, JSONRPCRequest, Transport } from '@modelcontextprotocol/server';
import type { McpCall } from '../wire/mcp/mcp-port.ts';
import { createMcpServer } from './create-mcp-server.ts';

/** The answer to one request, under the request's id. */
export type RpcAnswer = Readonly<Record<string, unknown>>;

interface Waiting {
  readonly call: McpCall;
  readonly resolve: (answer: JSONRPCMessage) => void;
}

/**
 * A server that stays connected and answers any number of callers. Each request gets an id of ours, because two callers may
 * choose the same one. The server never sees notifications, so it learns nothing about a caller's session.
 */
export function connectShared(onFault: (fault: unknown) => void, sells: boolean) {
  const waiting = new Map<number, Waiting>();
  const server = createMcpServer(
    ({ mcpReq }) => callOf(waiting, mcpReq.id),
    onFault,
    sells ? 'sold' : 'free',
  );
  const transport: Transport = {
    async start() {},
    async close() {},
    async send(message) {
      const number = 'id' in message ? Number(message.id) : Number.NaN;
      const asked = waiting.get(number);
      waiting.delete(number);
      asked?.resolve(message);
    },
  };
  server.onerror = onFault;
  const connected = server.connect(transport);
  let last = 0;
  return async (message: JSONRPCRequest, call: McpCall): Promise<RpcAnswer> => {
    await connected;
    last += 1;
    const number = last;
    const answer = await new Promise<JSONRPCMessage>((resolve) => {
      waiting.set(number, { call, resolve });
      transport.onmessage?.({ ...message, id: number });
    });
    return { ...answer, id: message.id };
  };
}

function callOf(waiting: ReadonlyMap<number, Waiting>, id: string | number): McpCall {
  const asked = waiting.get(Number(id));
  if (asked === undefined) throw new Error('a message came without its caller');
  return asked.call;
}
