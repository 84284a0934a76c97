import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { type PaymentReading, readPayment } from '../../../../src/core/x402/payment-payload.ts';
import type { Facilitator } from '../../../../src/ports/facilitator.ts';
import { base64 } from '../../../../tools/samples/challenge.ts';
import { settleEntry } from '../settle-entry.ts';
import { demand, type Shown } from './seller-terms.ts';

/** How a seller behaves, from the first question to the answer. */
export interface SellerScript {
  /** What an unpaid request is shown. */
  readonly shows: (place: Place, seen: Stall['seen']) => Shown;
  /** Where a request is sent first; null for those that are answered here. */
  readonly redirects?: (place: Place, asked: Asked) => string | null;
  /** Answers a request with a payment, which is one of what is shown, or not. */
  readonly sells: (sale: Sale) => Promise<void>;
  /** Fields of every 402. */
  readonly fields?: Readonly<Record<string, string>>;
  /** The body of a 402 begins, and ends after a step of the test. */
  readonly isSlow?: boolean;
}

/** Where the seller is, and whom it names. */
export interface Place {
  readonly seller: string;
  /** Another origin, which belongs to a thief. */
  readonly elsewhere: string;
  /** The address of this stall. */
  readonly url: string;
}

export interface Asked {
  readonly path: string;
  readonly isPaid: boolean;
}

/** A request with a payment. */
export interface Sale {
  readonly response: ServerResponse;
  readonly place: Place;
  /** The same payment came before. */
  readonly isRepeated: boolean;
  /** Has the payment settled on the chain, if it is for an entry that was shown. Answers 402 and false where it is not. */
  settles(): Promise<boolean>;
  /** Asks for payment, as if none had come. */
  asks(error: string): void;
  /** Waits until the test lets the seller go on. */
  step(): Promise<void>;
}

/** What the seller counted. */
export interface Stall {
  readonly url: string;
  readonly seen: {
    unpaid: number;
    paid: number;
    settled: number;
    /** The headers that carried payments, in order. */
    readonly payments: string[];
    /** Every request, paid or not. */
    readonly requests: { readonly headers: IncomingHttpHeaders; readonly body: string }[];
    /** How long the longest authorization was valid when it came, in whole minutes' worth of seconds. */
    seconds: number;
  };
  /** Lets the seller take one step. */
  step(): void;
}

export interface SellerServer {
  readonly url: string;
  /** A new address with this behaviour. */
  open(script: SellerScript): Stall;
  stop(): Promise<void>;
}

export interface SellerServerOptions {
  /** An address of 127.0.0.0/8. */
  readonly host: string;
  readonly facilitator: Facilitator;
  readonly seller: string;
  readonly elsewhere: string;
}

interface OpenStall extends Stall {
  readonly script: SellerScript;
  readonly place: Place;
  readonly turn: () => Promise<void>;
}

/** A seller on loopback that does what a script says, and is paid on the chain. */
export async function startSeller(options: SellerServerOptions): Promise<SellerServer> {
  const stalls = new Map<string, OpenStall>();
  const server = createServer((request, response) => {
    const [, id = ''] = (request.url ?? '').split(/[/?]/);
    const stall = stalls.get(id);
    if (stall === undefined) {
      response.writeHead(404).end();
      return;
    }
    serve(stall, options.facilitator, request, response).catch(() => response.destroy());
  });
  server.listen(0, options.host);
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('a server on a port has no port');
  const url = `http://${options.host}:${address.port}`;
  return {
    url,
    open(script) {
      const id = `stall-${stalls.size + 1}`;
      const stall = newStall(script, { ...options, url: `${url}/${id}` });
      stalls.set(id, stall);
      return stall;
    },
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function newStall(script: SellerScript, { seller, elsewhere, url }: Place): OpenStall {
  const waiting: (() => void)[] = [];
  let allowed = 0;
  return {
    url,
    script,
    place: { seller, elsewhere, url },
    seen: { unpaid: 0, paid: 0, settled: 0, payments: [], requests: [], seconds: 0 },
    step() {
      const next = waiting.shift();
      if (next === undefined) allowed += 1;
      else next();
    },
    async turn() {
      if (allowed === 0) return new Promise((resolve) => waiting.push(resolve));
      allowed -= 1;
    },
  };
}

async function serve(
  stall: OpenStall,
  facilitator: Facilitator,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { script, place, seen } = stall;
  seen.requests.push({ headers: request.headers, body: await text(request) });
  const header = fieldOf(request, 'payment-signature') ?? fieldOf(request, 'x-payment');
  const to = script.redirects?.(place, { path: request.url ?? '', isPaid: header !== null }) ?? null;
  if (header === null) seen.unpaid += 1;
  if (header !== null && to === null) seen.paid += 1;
  if (to !== null) {
    response.writeHead(307, { location: to }).end();
    return;
  }
  const shown = script.shows(place, seen);
  const asks = (error: string) => {
    for (const [name, value] of Object.entries(script.fields ?? {})) response.setHeader(name, value);
    demand(response, shown, place.url, error);
  };
  if (header === null && script.isSlow === true) {
    response.writeHead(402, { 'content-type': 'application/json' }).write('{');
    await stall.turn();
  }
  if (header === null) return response.headersSent ? void response.end('}') : asks('Payment required');
  const isRepeated = seen.payments.includes(header);
  seen.payments.push(header);
  seen.seconds = Math.max(seen.seconds, secondsOf(request));
  await script.sells({
    ...{ response, place, isRepeated, asks, step: stall.turn },
    async settles() {
      const refused = await settleEntry(facilitator, paymentOf(request), [
        ...(shown.header ?? []),
        ...(shown.body ?? []),
      ]);
      if (refused !== null) asks(refused);
      else seen.settled += 1;
      return refused === null;
    },
  });
}

function fieldOf(request: IncomingMessage, name: string): string | null {
  const value = request.headers[name];
  return typeof value === 'string' ? value : null;
}

function paymentOf(request: IncomingMessage): PaymentReading {
  return readPayment({
    paymentSignature: withTextValue(fieldOf(request, 'payment-signature')),
    xPayment: withTextValue(fieldOf(request, 'x-payment')),
  });
}

/** Servers of the SDK take an authorization whose value is a number, as stock payers copy it from such an entry. */
function withTextValue(header: string | null): string | null {
  const text = Buffer.from(header ?? '', 'base64').toString();
  return header === null ? null : base64(text.replace(/"value":([0-9]+)/, '"value":"$1"'));
}

/** Rounded up to a minute, so that the way from the signature to the seller does not count. */
function secondsOf(request: IncomingMessage): number {
  const reading = paymentOf(request);
  if (reading.kind !== 'payment') return 0;
  const { validBefore } = reading.payment.authorization;
  return Math.ceil((Number(validBefore) - Date.now() / 1_000) / 60) * 60;
}
