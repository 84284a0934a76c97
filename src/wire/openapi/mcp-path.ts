import type { z } from 'zod';
import { MCP_REVISIONS } from '../mcp/server-card.ts';
import type { mcpAnswer, mcpError, mcpMessage } from '../mcp/shapes.ts';
import { type JsonObject, schemaRef } from './component-schemas.ts';
import type { Frame, Paths } from './frame.ts';
import { headerRefs } from './response-headers.ts';
import { mediaType, problems } from './responses.ts';

const REQUEST: z.infer<typeof mcpMessage> = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
const ANSWER: z.infer<typeof mcpAnswer> = { jsonrpc: '2.0', id: 1, result: { tools: [] } };

/** Only the envelope: the tools of /mcp describe themselves. */
export function mcpPath({ links }: Frame): Paths {
  const { 429: limited, 500: failed, 503: unavailable } = problems(links, []);
  return {
    '/mcp': {
      post: {
        operationId: 'mcp',
        tags: ['Lookup'],
        summary: 'The same operations as Model Context Protocol tools',
        description: `Streamable HTTP without sessions or streams, in the revisions ${MCP_REVISIONS.join(', ')}. Free quotas and payments are those of the routes behind the tools.`,
        security: [],
        requestBody: {
          required: true,
          content: { 'application/json': { schema: schemaRef('McpMessage'), example: REQUEST } },
        },
        responses: {
          200: {
            description: 'The response to a request.',
            headers: headerRefs('X-Request-Id', 'Cache-Control'),
            content: {
              'application/json': mediaType({
                tools: { shape: 'McpAnswer', summary: 'The list of tools', value: ANSWER },
                unknown: { shape: 'McpError', summary: 'An unknown method', value: error(1, -32_601) },
              }),
            },
          },
          202: { description: 'Notification accepted.', headers: headerRefs('X-Request-Id') },
          400: refused('Not JSON, not JSON-RPC, or headers that contradict the message.', -32_700),
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
