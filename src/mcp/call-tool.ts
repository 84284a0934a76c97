import type { CallToolResult } from '@modelcontextprotocol/server';
import type { McpCall, ToolAnswer } from '../wire/mcp/mcp-port.ts';
import {
  type Meta,
  PAYMENT_ERROR_KEY,
  paymentOf,
  settlementMeta,
  toolRequirement,
} from './payment-binding.ts';
import { withoutSellerWords } from './seller-words.ts';
import { inputSchemaOf, type Tool } from './tool.ts';

export interface ToolRequest {
  readonly tool: Tool;
  /** As the client sent them. */
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly meta: Meta;
  /** The client has announced the payment extension. */
  readonly knowsPayments: boolean;
}

type Json = Readonly<Record<string, unknown>>;

/** Calls the route behind the tool and translates the response to MCP. Every outcome is a tool result. */
export async function callTool(request: ToolRequest, call: McpCall): Promise<CallToolResult> {
  const { tool, meta } = request;
  const reading = readArguments(request.arguments, tool);
  if (reading.kind === 'fault') return refusal(reading.field, reading.detail);
  const way = tool.path(reading.given);
  if (way.kind === 'fault') return refusal(way.field, way.detail);
  const query = new URLSearchParams([...reading.given].filter(([name]) => name !== way.taken)).toString();
  const target = query === '' ? way.path : `${way.path}?${query}`;
  const answer = await call.ask({ target, ...paymentOf(meta, call.header) });
  if (answer.status === 402) return unpaid(answer, request, call);
  return answer.status === 200 ? done(answer) : failed(answer);
}

function done({ text, paymentResponse }: ToolAnswer): CallToolResult {
  const _meta = settlementMeta(paymentResponse);
  const structuredContent = parsed(text);
  const content: CallToolResult['content'] = [
    { type: 'text', text: JSON.stringify(structuredContent, withoutSellerWords) },
  ];
  return { content, structuredContent, ...(paymentResponse === null ? {} : { _meta }) };
}

/** A caller of a tool sees no header fields, so the problem says itself when to come back. */
function failed({ text, retryAfterSeconds }: ToolAnswer): CallToolResult {
  const told =
    retryAfterSeconds === null
      ? text
      : JSON.stringify({ ...parsed(text), retry_after_seconds: retryAfterSeconds });
  return { ...both(told), isError: true };
}

/** A problem that never reached a route. */
function refusal(field: string, detail: string): CallToolResult {
  const problem = { title: 'Bad request', status: 400, detail, code: 'bad_request', field };
  return { ...both(JSON.stringify(problem)), isError: true };
}

/** In every form that clients read today, unless the client has announced one. */
function unpaid(
  { text, paymentResponse }: ToolAnswer,
  { tool, knowsPayments }: ToolRequest,
  { base }: McpCall,
): CallToolResult {
  const inputSchema = inputSchemaOf(tool);
  const required = toolRequirement(parsed(text), base, {
    name: tool.name,
    inputSchema,
    example: Object.fromEntries(
      tool.parameters.filter(({ required: must }) => must).map(({ name, example }) => [name, example]),
    ),
  });
  const settled = settlementMeta(paymentResponse);
  if (knowsPayments) {
    return { resultType: 'payment_required', paymentRequired: required, content: [], _meta: settled };
  }
  const _meta = { ...settled, [PAYMENT_ERROR_KEY]: required };
  return { ...both(JSON.stringify(required)), isError: true, _meta };
}

/** The same JSON as text and as an object: older clients read the one, newer ones the other. */
function both(text: string): Pick<CallToolResult, 'content' | 'structuredContent'> {
  return { content: [{ type: 'text', text }], structuredContent: parsed(text) };
}

function parsed(text: string): Json {
  const value: unknown = JSON.parse(text);
  // Every answer of our routes is a JSON object.
  return value as Json;
}

type Arguments =
  | { readonly kind: 'given'; readonly given: ReadonlyMap<string, string> }
  | { readonly kind: 'fault'; readonly field: string; readonly detail: string };

/** As the text that the same parameter has in a query; types are checked here, and the route judges the values. */
function readArguments(sent: Readonly<Record<string, unknown>>, { parameters }: Tool): Arguments {
  const known = new Map(parameters.map(({ name, schema }) => [name, schema['type']]));
  const given = new Map<string, string>();
  for (const [name, value] of Object.entries(sent)) {
    if (!known.has(name)) {
      const names = known.size === 0 ? 'none' : [...known.keys()].join(', ');
      return { kind: 'fault', field: 'arguments', detail: `Unknown argument; known arguments: ${names}.` };
    }
    // Many clients write null for an argument that they leave out.
    if (value === null) continue;
    const type = known.get(name);
    if (!hasType(value, type)) {
      return { kind: 'fault', field: name, detail: `${name} must be of type ${type}.` };
    }
    given.set(name, typeof value === 'number' ? plainNumber(value) : String(value));
  }
  return { kind: 'given', given };
}

/** Text is a value of every type: the route reads it as it reads a query (gap G90). Other values have the type of the schema. */
function hasType(value: unknown, type: unknown): boolean {
  return typeof value === 'string' || typeof value === (type === 'integer' ? 'number' : type);
}

/** Small prices must not become 1e-7. */
function plainNumber(value: number): string {
  const text = String(value);
  return text.includes('e-') ? value.toFixed(20).replace(/0+$/, '') : text;
}
