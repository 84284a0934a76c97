import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { generatePrivateKey } from 'viem/accounts';
import { readPayment } from '../../../../src/core/x402/payment-payload.ts';
import { base64, ENTRY } from '../../../../tools/samples/challenge.ts';

const PROGRAM = fileURLToPath(new URL('./racing-buyer.mjs', import.meta.url));

export interface RacingBuyer {
  /** Buys all of them at once; answers how each ended: a status or the code of a refusal. */
  buy(round: number, goods: readonly string[]): Promise<readonly (number | string)[]>;
  end(): Promise<void>;
}

export interface Race {
  readonly seller: string;
  /** Each round has a ledger of its own, whose name begins with this. */
  readonly file: string;
  readonly perDay: string;
}

/** A process that is ready to buy when this resolves. */
export async function startRacingBuyer(race: Race): Promise<RacingBuyer> {
  const child = spawn(process.execPath, [PROGRAM, JSON.stringify({ ...race, key: generatePrivateKey() })], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const closed = once(child, 'close');
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const nextLine = async () => {
    const { value, done } = await lines.next();
    if (done === true) throw new Error('the buyer ended early');
    return JSON.parse(value);
  };
  await nextLine();
  return {
    async buy(round, goods) {
      child.stdin.write(`${JSON.stringify({ round, goods })}\n`);
      return nextLine();
    },
    async end() {
      child.stdin.end();
      await closed;
    },
  };
}

/** A payment as it reached the seller: each nonce could have been settled once. */
export interface Received {
  readonly path: string;
  readonly nonce: string;
  readonly value: bigint;
}

/** A seller on loopback that asks one cent and takes whatever is signed, without a chain. */
export async function startTakingSeller() {
  const received = new Map<string, Received>();
  const server = createServer(({ url: path = '', headers }, response) => {
    const header = headers['payment-signature'];
    if (typeof header !== 'string') {
      const resource = { url: `http://127.0.0.1${path}`, description: '', mimeType: 'application/json' };
      const terms = base64(JSON.stringify({ x402Version: 2, resource, accepts: [ENTRY] }));
      response.writeHead(402, { 'payment-required': terms }).end('{}');
      return;
    }
    const reading = readPayment({ paymentSignature: header, xPayment: null });
    if (reading.kind !== 'payment') throw new Error('something was sent that is no payment');
    const { nonce, value } = reading.payment.authorization;
    received.set(nonce, { path, nonce, value });
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"delivered":true}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('a server on a port has no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    receivedIn: (round: number): readonly Received[] =>
      [...received.values()].filter(({ path }) => path.startsWith(`/${round}/`)),
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
