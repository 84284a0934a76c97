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
  /** `_meta["x402/payment"]` as the client sent it; null without one. */
  readonly payment: unknown;
}

const PAYMENT = 'x402/payment';
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
  return { id, name, message, params, meta: metaOf(message), payment: paymentOf(message) };
}

export function idOf(message: JsonObject): MessageId | null {
  const id = member(message, 'id');
  return typeof id === 'string' || typeof id === 'number' ? id : null;
}

export function isResponse(message: JsonObject): boolean {
  return member(message, 'method') === undefined && member(message, 'id') !== undefined;
}

/** Null without a payment. */
export function paymentOf(message: JsonObject): unknown {
  return member(metaOf(message), PAYMENT) ?? null;
}

function metaOf(message: JsonObject): JsonObject {
  const params = member(message, 'params');
  const meta = isJsonObject(params) ? member(params, '_meta') : undefined;
  return isJsonObject(meta) ? meta : {};
}

/** What the client says about a call, under names that are removed before it is sent. */
export function scopeOf({ meta }: ToolCall): AssayInit {
  const said = Object.entries(SCOPE).flatMap(([name, key]) => {
    const value = member(meta, key) ?? null;
    return value === null ? [] : [[name, value] as const];
  });
  return Object.fromEntries(said);
}

/** The call under this id with this payment, and without what was meant for the guard. */
export function messageToSend(call: ToolCall, id: MessageId, payment: unknown): JsonObject {
  const isForGuard = Object.values(SCOPE).some((key) => Object.hasOwn(call.meta, key));
  if (payment === null && call.payment === null && !isForGuard) {
    return id === call.id ? call.message : { ...call.message, id };
  }
  const kept = Object.entries(call.meta).filter(([key]) => key !== PAYMENT && !FOR_GUARD.has(key));
  const _meta = { ...Object.fromEntries(kept), ...(payment === null ? {} : { [PAYMENT]: payment }) };
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
