import { z } from 'zod';

const jsonrpc = z.literal('2.0');

/** The envelopes of /mcp; the tools describe their own content. */
export const mcpMessage = z.object({
  jsonrpc,
  id: z.union([z.string(), z.int()]).optional().describe('Absent in a notification'),
  method: z.string(),
  params: z.record(z.string(), z.unknown()).optional(),
});

export const mcpAnswer = z.object({
  jsonrpc,
  id: z.union([z.string(), z.int()]),
  result: z.record(z.string(), z.unknown()),
});

export const mcpError = z.object({
  jsonrpc,
  id: z.union([z.string(), z.int(), z.null()]),
  error: z.object({ code: z.int(), message: z.string(), data: z.record(z.string(), z.unknown()).optional() }),
});
