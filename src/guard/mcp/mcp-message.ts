import { isJsonObject, type JsonObject, member } from '../../core/x402/read-json.ts';
import type { AssayInit } from '../call/call-scope.ts';

export type MessageId = string | number;

/** A `tools/call` of the client. */
export interface ToolCall {
  readonly id: MessageId;
  readonly name: string;
  readonly message: JsonObject;
  readonly params: JsonObject;
  readonly meta: JsonObject;
  readonly payments: readonly ClientPayment[];
}

/** A member of `_meta` that is a payment by its key, as the client sent it. */
export interface ClientPayment {
  readonly key: string;
  readonly value: unknown;
}

/** Where servers take payments: the specification's key, and that of the package `x402-mcp`. */
export const PAYMENT_KEYS = ['x402/payment', 'x402.payment'] as const;
export type PaymentKey = (typeof PAYMENT_KEYS)[number];

export function isPaymentKey(key: string): key is PaymentKey {
  const keys: readonly string[] = PAYMENT_KEYS;
  return keys.includes(key);
}

const SCOPE = { purchase: 'assay/purchase', task: 'assay/task', maxPrice: 'assay/max-price' } as const;
const NOT_A_NAME = /\p{Surrogate}/u;
const NAME_MAX_CHARS = 512;

/** Null for every other message, and for a call that names no tool or expects no answer. */
export function readToolCall(message: JsonObject): ToolCall | null {
  const id = idOf(message);
  const params = member(message, 'params');
  if (member(message, 'method') !== 'tools/call' || id === null || !isJsonObject(params)) return null;
  const name = member(params, 'name');
  if (typeof name !== 'string' || name.length > NAME_MAX_CHARS || NOT_A_NAME.test(name)) return null;
  return { id, name, message, params, meta: metaOf(message), payments: paymentsIn(message) };
}

export function idOf(message: JsonObject): MessageId | null {
  const id = member(message, 'id');
  return typeof id === 'string' || typeof id === 'number' ? id : null;
}

/** The ids that clients may read in an answer: those of the SDK read a number in text, and some take `method: null` for none. */
export function answeredIds(message: JsonObject): readonly MessageId[] {
  const id = typeof member(message, 'method') === 'string' ? null : idOf(message);
  if (id === null) return [];
  return [id, typeof id === 'string' ? Number(id) : String(id)];
}

/** With those under keys that no server is known to read: what looks like a payment must not pass as an ordinary message. */
export function paymentsIn(message: JsonObject): readonly ClientPayment[] {
  return Object.entries(metaOf(message))
    .filter(([key, value]) => value != null && isLikePaymentKey(key))
    .map(([key, value]) => ({ key, value }));
}

/** In any letter case, with any separators, prefix and suffix: `org.x402/payment`, `X402_Payment`, `x402.payment.payload`. */
function isLikePaymentKey(key: string): boolean {
  return key.toLowerCase().replaceAll(NOT_ALPHANUMERIC, '').includes('x402payment');
}

const NOT_ALPHANUMERIC = /[^a-z0-9]/g;

function metaOf(message: JsonObject): JsonObject {
  const params = member(message, 'params');
  const meta = isJsonObject(params) ? member(params, '_meta') : undefined;
  return isJsonObject(meta) ? meta : {};
}

const PREFIX = 'assay/';
const MEMBER_OF: ReadonlyMap<string, string> = new Map(
  Object.entries(SCOPE).map(([name, key]) => [key, name]),
);

/** What the client says about a call, under names that are removed before it is sent. The guard refuses a misspelt one. */
export function scopeOf({ meta }: ToolCall): AssayInit {
  const said = Object.entries(meta).flatMap(([key, value]) =>
    value != null && key.startsWith(PREFIX) ? [[MEMBER_OF.get(key) ?? key, value] as const] : [],
  );
  return Object.fromEntries(said);
}

/** The call under this id with these payments, and without what was meant for the guard. */
export function messageToSend(call: ToolCall, id: MessageId, payments: JsonObject): JsonObject {
  const isForGuard = Object.values(SCOPE).some((key) => Object.hasOwn(call.meta, key));
  if (Object.keys(payments).length === 0 && call.payments.length === 0 && !isForGuard) {
    return id === call.id ? call.message : { ...call.message, id };
  }
  const kept = Object.entries(call.meta).filter(([key]) => !isPaymentKey(key) && !FOR_GUARD.has(key));
  const _meta = { ...Object.fromEntries(kept), ...payments };
  return { ...call.message, id, params: { ...call.params, _meta } };
}

const FOR_GUARD: ReadonlySet<string> = new Set(Object.values(SCOPE));

/** The same call has the same text, in whatever order its members come. */
export function bodyOf({ params, name }: ToolCall): string {
  return JSON.stringify({ name, arguments: member(params, 'arguments') ?? {} }, (_, value: unknown) =>
    isJsonObject(value) ? Object.fromEntries(Object.entries(value).sort(byName)) : value,
  );
}

function byName([left]: [string, unknown], [right]: [string, unknown]): number {
  return left < right ? -1 : 1;
}

/** Requests of 2026-07-28 say so, and expect results to say what they are. */
export function resultType({ meta }: ToolCall): { readonly resultType?: 'complete' } {
  return member(meta, 'io.modelcontextprotocol/protocolVersion') === undefined
    ? {}
    : { resultType: 'complete' };
}
