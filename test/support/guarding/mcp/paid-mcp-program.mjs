/**
 * An MCP server on standard input as Cloudflare's users write it. Its arguments are the payee and the address of a facilitator.
 * The tool `paid` costs one cent, `free` nothing, and `leave` ends the process.
 */
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { withX402 } from 'agents/x402';
import { z } from 'zod';

const [, , recipient, facilitator] = process.argv;
const said = (text) => ({ content: [{ type: 'text', text }] });
const server = withX402(new McpServer({ name: 'a-seller', version: '1.0.0' }), {
  network: 'base',
  recipient,
  facilitator: { url: facilitator },
});
server.paidTool('paid', 'Doubles a number.', 0.01, { number: z.number() }, {}, async ({ number }) =>
  said(String(number * 2)),
);
server.registerTool('free', { description: 'Says a variable.' }, async () =>
  said(process.env.GREETING ?? ''),
);
server.registerTool('leave', { description: 'Ends.' }, async () => process.exit(3));
await server.connect(new StdioServerTransport());
