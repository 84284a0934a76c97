import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { z } from 'zod';

/**
 * A stateless server as the guide of SDK 1.x has it: one server and one transport a request. Its lookup tool takes the same
 * arguments and sends the same answer, which it was told beforehand: it counts nobody and asks no store.
 */
process.once('message', (message) => {
  const text = String(message);
  const content: Record<string, unknown> = JSON.parse(text);
  const create = () => {
    const server = new McpServer({ name: 'stock', version: '1' });
    server.registerTool(
      'lookup',
      {
        title: 'Best service for a task',
        description: 'Rank the services for a task.',
        inputSchema: {
          task: z.string().max(256).optional(),
          endpoint: z.string().max(2_048).optional(),
          max_price: z.number().min(0).optional(),
          n: z.int().min(1).max(20).optional(),
          limit: z.int().min(1).max(20).optional(),
          client: z.string().optional(),
        },
      },
      async () => ({ content: [{ type: 'text', text }], structuredContent: content }),
    );
    return server;
  };
  const http = createServer(async (request, response) => {
    const server = create();
    const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
    response.on('close', () => {
      transport.close();
      server.close();
    });
    await server.connect(transport);
    await transport.handleRequest(request, response);
  });
  http.listen(0, '127.0.0.1', () => {
    // A server that listens on TCP answers with an AddressInfo.
    process.send?.((http.address() as AddressInfo).port);
  });
});
