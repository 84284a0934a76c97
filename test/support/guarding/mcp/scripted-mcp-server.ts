import type { PaidDocument } from '../sellers/in-process-seller.ts';

// biome-ignore lint/suspicious/noExplicitAny: a test looks at whatever a message holds.
export type Json = any;

export interface Call {
  readonly message: Json;
  /** `_meta["x402/payment"]` as it came. */
  readonly sent: unknown;
  readonly payment: PaidDocument | null;
  /** How many calls with payments came before. */
  readonly paidBefore: number;
}

/** An answer without its id; `lost` never comes, `refused` is a transport that fails. */
export type Scripted = Readonly<Record<string, unknown>> | 'lost' | 'refused';

export interface ScriptedServer {
  readonly transport: ScriptedTransport;
  /** Everything that reached the server. */
  readonly seen: Json[];
  /** Options of `send`, in the same order. */
  readonly options: Json[];
  /** The different payments that arrived: each could have been settled. */
  payments(): number;
  /** Whatever the server wants to send. */
  push(message: unknown, extra?: unknown): void;
}

/** A transport with the listeners of either SDK, which a client sets. */
export class ScriptedTransport {
  onmessage?: (message: Json, extra?: Json) => void;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  sessionId = 'session-1';
  readonly versions: string[] = [];
  #isStarted = false;
  readonly #receive: (message: Json, options: Json) => Promise<void>;

  constructor(receive: (message: Json, options: Json) => Promise<void>) {
    this.#receive = receive;
  }

  get isStarted(): boolean {
    return this.#isStarted;
  }

  setProtocolVersion(version: string): void {
    this.versions.push(version);
  }

  async start(): Promise<void> {
    this.#isStarted = true;
  }

  async send(message: Json, options?: Json): Promise<void> {
    await this.#receive(message, options);
  }

  async close(): Promise<void> {
    this.onclose?.();
  }
}

export function scriptedServer(answer: (call: Call) => Scripted | Promise<Scripted>): ScriptedServer {
  const seen: Json[] = [];
  const options: Json[] = [];
  const paid: PaidDocument[] = [];
  const transport = new ScriptedTransport(async (message, given) => {
    seen.push(message);
    options.push(given);
    if (message?.id === undefined || message.method === undefined) return;
    const sent: unknown = message.params?._meta?.['x402/payment'] ?? null;
    const payment = sent === null ? null : documentIn(sent);
    const paidBefore = paid.length;
    if (payment !== null) paid.push(payment);
    const scripted = await answer({ message, sent, payment, paidBefore });
    if (scripted === 'refused') throw new TypeError('fetch failed');
    if (scripted !== 'lost') transport.onmessage?.({ jsonrpc: '2.0', id: message.id, ...scripted });
  });
  return {
    transport,
    seen,
    options,
    payments: () => new Set(paid.map(({ payload }) => payload.authorization.nonce)).size,
    push: (message, extra) => transport.onmessage?.(message, extra),
  };
}

function documentIn(sent: unknown): PaidDocument {
  // Written by the client under test, and only compared.
  return (
    typeof sent === 'string' ? JSON.parse(Buffer.from(sent, 'base64').toString()) : sent
  ) as PaidDocument;
}
