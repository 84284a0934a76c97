import { registerExactEvmScheme } from '@x402/evm/exact/client';
import { x402Client } from '@x402/fetch';
import { BUYER } from '../sellers/in-process-seller.ts';
import type { Json } from './scripted-mcp-server.ts';

interface Transport {
  send(message: Json, options?: Json): Promise<void>;
  onmessage?: ((message: Json, extra?: Json) => void) | undefined;
  onclose?: (() => void) | undefined;
}

export interface ScriptedClient {
  /** Everything that came, in order. */
  readonly received: Json[];
  readonly closed: Promise<void>;
  /** The answer to a request. */
  ask(message: Readonly<Record<string, unknown>>, options?: Json): Promise<Json>;
  /** The answer to a call of a tool. */
  call(name: string, given?: object, meta?: Readonly<Record<string, unknown>>): Promise<Json>;
  /** Calls a tool, and once more with a payment if it is asked for one. */
  buy(name: string, given?: object, form?: 'object' | 'text'): Promise<Json>;
}

/** A client that does what it is told, and signs whatever it is shown. */
export function scriptedClient(transport: Transport): ScriptedClient {
  const received: Json[] = [];
  const waiting = new Map<unknown, (message: Json) => void>();
  let last = 0;
  transport.onmessage = (message) => {
    received.push(message);
    waiting.get(message?.id)?.(message);
  };
  const closed = new Promise<void>((resolve) => {
    transport.onclose = resolve;
  });
  const ask: ScriptedClient['ask'] = (message, options) => {
    last += 1;
    const id = last;
    return new Promise((resolve, reject) => {
      waiting.set(id, resolve);
      transport.send({ jsonrpc: '2.0', id, ...message }, options).catch(reject);
    });
  };
  const call: ScriptedClient['call'] = (name, given = {}, meta) =>
    ask({
      method: 'tools/call',
      params: { name, arguments: given, ...(meta === undefined ? {} : { _meta: meta }) },
    });
  return {
    received,
    closed,
    ask,
    call,
    async buy(name, given = {}, form = 'object') {
      const answer = await call(name, given);
      const required = requirementOf(answer);
      if (required === null) return answer;
      const payment = await signed(required);
      const text = Buffer.from(JSON.stringify(payment)).toString('base64');
      return call(name, given, { 'x402/payment': form === 'text' ? text : payment });
    },
  };
}

/** The payment that a client makes of a requirement. */
export function signed(required: Json): Promise<Json> {
  const wallet = registerExactEvmScheme(new x402Client().setSpendControls(false), { signer: BUYER });
  return wallet.createPaymentPayload(required);
}

/** Wherever it is, as clients of all kinds find it. */
export function requirementOf({ result, error }: Json): Json {
  const text = result?.content?.[0]?.text;
  const places = [
    result?.structuredContent,
    result?._meta?.['x402/error'],
    typeof text === 'string' && text.startsWith('{') ? JSON.parse(text) : null,
    result?.paymentRequired,
    error?.data,
  ];
  return places.find((one) => one?.accepts !== undefined) ?? null;
}
