import { once } from 'node:events';
import { createServer } from 'node:http';
import { ENTRY, header } from '../../../../tools/samples/challenge.ts';
import { GOODS } from './in-process-seller.ts';

export interface LoopbackSeller {
  readonly url: string;
  /** What its 402 asks for; a test may change it. */
  entry: object;
  /** The method and path of every request, with a star where a payment came along. */
  readonly seen: string[];
  close(): Promise<void>;
}

/** A seller on a real socket that takes any payment. */
export async function startLoopbackSeller(): Promise<LoopbackSeller> {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    const isPaid = request.headers['payment-signature'] !== undefined;
    seen.push(`${request.method} ${request.url}${isPaid ? ' *' : ''}`);
    if (isPaid) return void response.writeHead(200, { 'content-type': 'application/json' }).end(GOODS);
    const [name, value] = header({ x402Version: 2, accepts: [seller.entry] });
    return void response.writeHead(402, { [name]: value }).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the seller has no port');
  const seller: LoopbackSeller = {
    url: `http://127.0.0.1:${address.port}/paid`,
    entry: ENTRY,
    seen,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return seller;
}
