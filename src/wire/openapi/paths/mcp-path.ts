import type { z } from 'zod';
import { MCP_BATCH_MAX } from '../../../core/limits.ts';
import { MCP_REVISIONS } from '../../mcp/server-card.ts';
import type { mcpAnswer, mcpError, mcpMessage } from '../../mcp/shapes.ts';
import type { Frame, Paths } from '../frame.ts';
import type { JsonObject } from '../json-schema.ts';
import { headerRefs } from '../response-headers.ts';
import { mediaType, problems } from '../responses.ts';

type Message = z.infer<typeof mcpMessage>;

const LIST: Message = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
const SEARCH: Message = {
  jsonrpc: '2.0',
  id: 2,
  method: 'tools/call',
  params: { name: 'search_catalog', arguments: { limit: 1 } },
};
const NOTIFICATION: Message = { jsonrpc: '2.0', method: 'notifications/initialized' };
const LISTED: z.infer<typeof mcpAnswer> = { jsonrpc: '2.0', id: 1, result: { tools: [] } };
const FOUND: z.infer<typeof mcpAnswer> = {
  jsonrpc: '2.0',
  id: 2,
  result: {
    content: [{ type: 'text', text: '{"count":0,"results":[]}' }],
    structuredContent: { count: 0, results: [] },
  },
};

const PAYING =
  ' So are prices: to pay, repeat tools/call with the payment in params._meta as x402/payment, or in the header PAYMENT-SIGNATURE, which cannot pay for a batch.';

/** Only the envelope: the tools of /mcp describe themselves. */
export function mcpPath({ links, payTo }: Frame): Paths {
  const { 429: limited, 500: failed, 503: unavailable } = problems(links, []);
  return {
    '/mcp': {
      post: {
        operationId: 'mcp',
        tags: ['Lookup'],
        summary: 'The same operations as Model Context Protocol tools',
        description: `Streamable HTTP without sessions or streams, in the revisions ${MCP_REVISIONS.join(', ')}; answers are JSON, whatever Accept says. tools/list names the tools with their arguments. A batch has 1 to ${MCP_BATCH_MAX} messages and is answered by an array. Free quotas are those of the routes behind the tools.${payTo === null ? '' : PAYING}`,
        security: [],
        requestBody: {
          description: 'One message, or a batch. At most 64 kB.',
          required: true,
          content: {
            'application/json': mediaType({
              list: { shape: 'McpMessage', summary: 'The tools', value: LIST },
              call: { shape: 'McpMessage', summary: 'A call of a tool', value: SEARCH },
              batch: { shape: 'McpBatch', summary: 'Both at once', value: [LIST, SEARCH] },
              notification: {
                shape: 'McpMessage',
                summary: 'A notification, answered by 202',
                value: NOTIFICATION,
              },
            }),
          },
        },
        responses: {
          200: {
            description: 'The answer to a request, or an array of the answers to a batch.',
            headers: headerRefs('X-Request-Id', 'Cache-Control'),
            content: {
              'application/json': mediaType({
                tools: { shape: 'McpAnswer', summary: 'The list of tools, here without them', value: LISTED },
                called: { shape: 'McpAnswer', summary: 'The result of a tool', value: FOUND },
                unknown: { shape: 'McpError', summary: 'An unknown method', value: error(1, -32_601) },
                batch: { shape: 'McpBatchAnswer', summary: 'The answers to a batch', value: [LISTED, FOUND] },
              }),
            },
          },
          202: {
            description: 'Notifications only: accepted, and not answered.',
            headers: headerRefs('X-Request-Id'),
          },
          400: refused(
            'Not JSON, not JSON-RPC, a name twice, headers that contradict the message, or a batch that is too long.',
            -32_700,
          ),
          403: refused('Host or Origin is not allowed.', -32_000),
          404: refused('Method not found (revision 2026-07-28).', -32_601),
          405: refused('Methods other than POST.', -32_000),
          413: refused('More than 64 kB.', -32_000),
          415: refused('Content types other than application/json.', -32_000),
          429: limited,
          500: failed,
          503: unavailable,
        },
      },
    },
  };
}

function refused(description: string, code: number): JsonObject {
  const value = error(null, code);
  return {
    description,
    headers: headerRefs('X-Request-Id'),
    content: { 'application/json': mediaType({ error: { shape: 'McpError', summary: description, value } }) },
  };
}

function error(id: number | null, code: number): z.infer<typeof mcpError> {
  return { jsonrpc: '2.0', id, error: { code, message: 'What is wrong.' } };
}
