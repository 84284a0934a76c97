import * as z from 'zod';
import { MCP_BATCH_MAX } from '../../core/limits.ts';

const jsonrpc = z.literal('2.0').describe('Version of JSON-RPC.');
const id = z.union([z.string(), z.int()]);

/** The envelopes of /mcp; the tools describe their own content. */
export const mcpMessage = z
  .object({
    jsonrpc,
    id: id.optional().describe('Chosen by the client and repeated in the answer; absent in a notification.'),
    method: z.string().describe('Method of MCP, such as tools/list or tools/call.'),
    params: z
      .record(z.string(), z.unknown())
      .optional()
      .describe('Of tools/call: name, arguments and, to pay, _meta with x402/payment.'),
  })
  .describe('A request, or a notification if it has no id.');

export const mcpBatch = z
  .array(mcpMessage)
  .min(1)
  .max(MCP_BATCH_MAX)
  .describe('Several messages at once, for clients of revision 2025-03-26 and earlier.');

export const mcpAnswer = z
  .object({
    jsonrpc,
    id: id.describe('The id of the request.'),
    result: z
      .record(z.string(), z.unknown())
      .describe(
        'Of tools/call: structuredContent has the JSON of the route behind the tool, content the same as text. isError is true for a problem and for a payment requirement, which is also in _meta as x402/error; a settlement is in _meta as x402/payment-response.',
      ),
  })
  .describe('The answer to a request.');

export const mcpError = z
  .object({
    jsonrpc,
    id: z.union([z.string(), z.int(), z.null()]).describe('The id of the request; null if it is not known.'),
    error: z
      .object({
        code: z
          .int()
          .describe(
            '-32700: not JSON; -32600: no valid message; -32601: unknown method; -32602: bad parameters; others: see message.',
          ),
        message: z.string().describe('What is wrong.'),
        data: z.record(z.string(), z.unknown()).optional().describe('Details, such as supported revisions.'),
      })
      .describe('The error.'),
  })
  .describe('A message that was not carried out.');

export const mcpBatchAnswer = z
  .array(z.union([mcpAnswer, mcpError]))
  .describe('One answer for each request of a batch, in its order; notifications have none.');
