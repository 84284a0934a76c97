import type { Question } from '../wire/mcp/mcp-port.ts';
import type { JsonSchema } from './output-outline.ts';

/** How payments travel in MCP: the same documents as in HTTP headers, under these names. */
const PAYMENT_KEY = 'x402/payment';
const PAYMENT_RESPONSE_KEY = 'x402/payment-response';
/** Where Cloudflare's client looks for the requirement. */
export const PAYMENT_ERROR_KEY = 'x402/error';
/** A client that announces it gets the requirement as a result of its own kind. */
export const PAYMENT_EXTENSION = 'org.x402/payment';

export type Meta = Readonly<Record<string, unknown>> | undefined;

/** A payment in _meta is passed on with the one in the headers; the payment reader refuses two that differ. */
export function paymentOf(
  meta: Meta,
  header: (name: string) => string | null,
): Pick<Question, 'paymentSignature' | 'xPayment'> {
  const sent = meta?.[PAYMENT_KEY];
  const [newer, older] = [header('payment-signature'), header('x-payment')];
  if (sent === undefined || sent === null) return { paymentSignature: newer, xPayment: older };
  const text = typeof sent === 'string' ? sent : Buffer.from(JSON.stringify(sent)).toString('base64');
  // Of two in the headers the one that differs goes along, so that three are refused like two.
  return { paymentSignature: text, xPayment: newer !== null && newer !== text ? newer : (older ?? newer) };
}

/** The settlement, as an object. */
export function settlementMeta(paymentResponse: string | null): Readonly<Record<string, unknown>> {
  if (paymentResponse === null) return {};
  try {
    const settlement: unknown = JSON.parse(Buffer.from(paymentResponse, 'base64').toString());
    return { [PAYMENT_RESPONSE_KEY]: settlement };
  } catch {
    // A remote service may send an invalid header; the response body is still valid.
    return {};
  }
}

interface Requirement {
  readonly extensions?: Readonly<Record<string, unknown>>;
  readonly resource?: Readonly<Record<string, unknown>>;
}

interface SoldTool {
  readonly name: string;
  readonly inputSchema: JsonSchema;
  readonly example: Readonly<Record<string, unknown>>;
}

/** The route's requirement, rewritten for the tool: directories identify a tool by the address of /mcp and its name. */
export function toolRequirement(required: Requirement, base: string, tool: SoldTool): Requirement {
  const bazaar = {
    info: {
      input: {
        type: 'mcp',
        toolName: tool.name,
        transport: 'streamable-http',
        inputSchema: tool.inputSchema,
        example: tool.example,
      },
    },
    schema: {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: {
        input: {
          type: 'object',
          properties: {
            type: { const: 'mcp' },
            toolName: { const: tool.name },
            transport: { const: 'streamable-http' },
            inputSchema: { type: 'object' },
            example: { type: 'object' },
          },
          required: ['type', 'toolName', 'inputSchema'],
        },
      },
      required: ['input'],
    },
  };
  return {
    ...required,
    resource: { ...required.resource, url: `${base}/mcp` },
    extensions: { ...required.extensions, bazaar },
  };
}
