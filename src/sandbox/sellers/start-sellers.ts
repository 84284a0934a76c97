import type { Facilitator } from '../../ports/facilitator.ts';
import { serveLoopback } from '../loopback-server.ts';
import type { Stops } from '../stops.ts';
import { type Seller, sellerTable } from './seller-table.ts';

export interface OpenSeller extends Seller {
  readonly url: string;
}

export interface SellersOptions {
  readonly facilitator: Facilitator;
  readonly stops: Stops;
  /** Milliseconds, for the seller that drifts. */
  readonly now: () => number;
  /** Of every seller, so that the addresses in the documents are right. 0 or left out: any free one of each. */
  readonly port?: number | undefined;
}

/** Every seller has its own address, so that limits per host apply to each. */
export async function startSellers(options: SellersOptions): Promise<readonly OpenSeller[]> {
  const open: OpenSeller[] = [];
  for (const [index, seller] of sellerTable().entries()) {
    open.push(await startSeller(seller, `127.0.1.${index + 1}`, options));
  }
  return open;
}

async function startSeller(
  seller: Seller,
  host: string,
  { facilitator, stops, now, port }: SellersOptions,
): Promise<OpenSeller> {
  const path = `/${seller.name}`;
  const { about, versions } = seller;
  const server = await serveLoopback({
    host,
    port,
    handle: async (request) =>
      request.path.split('?', 1).join('') === path
        ? seller.behave(request, { url: server.url + path, about, versions, facilitator, now })
        : { kind: 'json', status: 404, body: '{"error":"not_found"}' },
  });
  stops.add(server.stop);
  return { ...seller, url: server.url + path };
}
