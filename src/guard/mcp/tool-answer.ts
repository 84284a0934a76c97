import { encodeBase64Text } from '../../core/x402/base64.ts';
import { isJsonObject, type JsonObject, member } from '../../core/x402/read-json.ts';

const JSON_TYPE = { 'content-type': 'application/json' } as const;
const SETTLEMENT_MAX_CHARS = 12_000;

/** The answer to a call with a payment, as the guard reads answers: nothing of use is 500, and no content is an empty body. */
export function responseOf(answer: JsonObject): Response {
  const result = member(answer, 'result');
  if (member(answer, 'error') != null || !isJsonObject(result) || isFailed(result)) {
    return new Response(null, { status: 500 });
  }
  const headers = { ...JSON_TYPE, ...settlementOf(result) };
  return new Response(isEmpty(result) ? null : JSON.stringify(result), { headers });
}

export function response402(text: string): Response {
  return new Response(text, { status: 402, headers: JSON_TYPE });
}

/** The other way round, for an answer that another call has bought. */
export async function answerOf(response: Response): Promise<JsonObject> {
  const text = await response.text();
  const result: unknown = text === '' ? { content: [] } : JSON.parse(text);
  return { result };
}

function isFailed(result: JsonObject): boolean {
  return member(result, 'isError') === true || (member(result, 'resultType') ?? 'complete') !== 'complete';
}

const ABOUT_RESULT: ReadonlySet<string> = new Set(['_meta', 'resultType', 'isError', 'content']);

function isEmpty(result: JsonObject): boolean {
  if (Object.keys(result).some((key) => !ABOUT_RESULT.has(key))) return false;
  const content = member(result, 'content') ?? [];
  return Array.isArray(content) && content.every(isBlank);
}

function isBlank(block: unknown): boolean {
  const text = isJsonObject(block) ? member(block, 'text') : undefined;
  return typeof text === 'string' && text.trim() === '';
}

/** Under the specification's key, or that of the package `x402-mcp`. */
const SETTLEMENT_KEYS = ['x402/payment-response', 'x402.payment-response'] as const;

/** As the header that the evidence keeps. */
function settlementOf(result: JsonObject): { readonly 'payment-response'?: string } {
  const meta = member(result, '_meta');
  const said = SETTLEMENT_KEYS.map((key) => (isJsonObject(meta) ? member(meta, key) : undefined));
  const settlement = said.find(isJsonObject);
  if (settlement === undefined) return {};
  const text = JSON.stringify(settlement);
  return text.length > SETTLEMENT_MAX_CHARS ? {} : { 'payment-response': encodeBase64Text(text) };
}
