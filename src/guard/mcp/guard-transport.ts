import { isJsonObject, type JsonObject, member } from '../../core/x402/read-json.ts';
import type { Guard } from '../create-guard.ts';
import { GuardRefused } from '../guard-refused.ts';
import { createCalls } from './calls.ts';
import type { ClientTransport, SendOptions } from './client-transport.ts';
import { createExchanges } from './exchanges.ts';
import type { Calling } from './guarded-call.ts';
import { loginOf } from './login.ts';
import { idOf, type MessageId, paymentsIn, readToolCall } from './mcp-message.ts';
import { serverUrl, toolUrl } from './tool-url.ts';

export interface GuardTransportOptions {
  /** The address of the server, if the transport does not have it: hosts, limits and listings go by it. */
  readonly server?: string;
  /**
   * Who the client is to the server, if others use the same one by this guard: answers and payments are not shared between
   * accounts. By default the headers of its transport say so.
   */
  readonly account?: string;
  /** The scope of `perTask`. */
  readonly task?: string;
}

/**
 * An MCP client transport around another one. A call of a paid tool is a purchase like a request by HTTP: the client sees only
 * payments that were approved, and the server gets one payment for it. Everything else passes through as it is.
 */
export function guardTransport<T extends ClientTransport>(
  transport: T,
  guard: Pick<Guard, 'for' | 'refused'>,
  { server, account, task }: GuardTransportOptions = {},
): T {
  const base = serverUrl(server, transport);
  const exchanges = createExchanges(transport);
  const calling: Calling = {
    guard,
    task,
    login: loginOf(account, transport),
    exchanges,
    urlOf: (name: string) => toolUrl(base, name),
    refuse(words, address) {
      const refused = new GuardRefused('not_approved', { words });
      guard.refused(refused, { address, method: 'POST' });
      return refused;
    },
    learned: { form: null },
  };
  const { onmessage, onclose, onerror } = transport;
  const client: Listeners = { onmessage, onclose, onerror };
  const calls = createCalls(calling, (answer) => deliver(client, answer));

  const receiveOne = (message: unknown, extra: unknown): void => {
    const isTaken = isJsonObject(message) && (exchanges.take(message, extra) || calls.isLate(message));
    if (!isTaken) deliver(client, { message, extra });
  };
  transport.onmessage = (message: unknown, extra: unknown) => {
    for (const one of Array.isArray(message) ? message : [message]) receiveOne(one, extra);
  };
  transport.onclose = () => {
    const ended = calls.end(new Error('the transport was closed before the answer'));
    // An answer that came just before the end belongs before the end.
    if (ended === null) client.onclose?.();
    else ended.then(() => client.onclose?.());
  };
  transport.onerror = (error) => client.onerror?.(error);

  const sendOne = async (message: object, options: SendOptions | undefined): Promise<void> => {
    if (!isJsonObject(message)) return transport.send(message, options);
    const call = readToolCall(message);
    if (call !== null) return calls.begin(call, options);
    if (paymentsIn(message).length > 0)
      return refuseElsewhere(message, client, calling.refuse(NO_TOOL, base.href));
    const cancelled = calls.cancelledBy(message);
    if (cancelled === null) return transport.send(message, options);
    const { requestId, end } = cancelled;
    const told = requestId === null ? null : transport.send(withRequestId(message, requestId), options);
    end();
    await told;
  };
  const send = async (message: object, options?: SendOptions): Promise<void> => {
    const parts: readonly unknown[] | null = Array.isArray(message) ? message : null;
    // A payment could hide in a batch.
    if (parts?.some(isGuarded) !== true) return sendOne(message, options);
    await Promise.all(parts.filter(isJsonObject).map((part) => sendOne(part, options)));
  };
  return inFrontOf(transport, client, send);
}

type Listeners = Pick<ClientTransport, 'onmessage' | 'onclose' | 'onerror'>;

function isGuarded(message: unknown): boolean {
  return isJsonObject(message) && (readToolCall(message) !== null || paymentsIn(message).length > 0);
}

/** The client's listeners and `send` are here; every other member is the transport's. */
function inFrontOf<T extends ClientTransport>(
  transport: T,
  client: Listeners,
  send: (message: object, options?: SendOptions) => Promise<void>,
): T {
  return new Proxy(transport, {
    get(target, key) {
      if (key === 'send') return send;
      if (isListener(key)) return client[key];
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === 'function' && key !== 'constructor' ? value.bind(target) : value;
    },
    set(target, key, value) {
      return isListener(key) ? Reflect.set(client, key, value) : Reflect.set(target, key, value, target);
    },
  });
}

function isListener(key: string | symbol): key is keyof Listeners {
  return key === 'onmessage' || key === 'onclose' || key === 'onerror';
}

function deliver({ onmessage }: Listeners, { message, extra }: { message: unknown; extra: unknown }): void {
  // Whatever the server sent goes to the client, which reads it as it would without the guard.
  onmessage?.(message as never, extra as never);
}

const NO_TOOL = 'Only calls of tools can be paid for.';

/** Only a call of a tool can be judged. */
function refuseElsewhere(message: JsonObject, client: Listeners, refused: GuardRefused): void {
  const id = idOf(message);
  if (id === null) throw refused;
  const error = { code: -32_000, message: refused.message, data: { code: refused.code } };
  deliver(client, { message: { jsonrpc: '2.0', id, error }, extra: undefined });
}

function withRequestId(message: JsonObject, requestId: MessageId): JsonObject {
  const params = member(message, 'params');
  return { ...message, params: { ...(isJsonObject(params) ? params : {}), requestId } };
}
