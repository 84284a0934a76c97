import { createHttpFacilitator } from '../adapters/facilitator/http-facilitator.ts';
import { type LocalChain, startLocalChain } from './chain/local-chain.ts';
import { startDiscoveryLists } from './discovery-lists.ts';
import { startFacilitatorServer } from './facilitator-server.ts';
import { type OpenSeller, startSellers } from './sellers/start-sellers.ts';
import type { Stops } from './stops.ts';

/** The x402 ecosystem of the sandbox: chain, facilitator, sellers, and discovery lists. */
export interface Ecosystem {
  readonly chain: LocalChain;
  readonly facilitatorUrl: string;
  readonly sellers: readonly OpenSeller[];
  /** By name. */
  readonly discoveryLists: Readonly<Record<string, string>>;
}

/** The block time of Base. */
const BLOCK_EVERY_MS = 2_000;

/** Every server is added to `stops` as soon as it runs, so that a failed start leaves nothing behind. */
export async function startEcosystem({
  stops,
  now,
  sellersPort,
}: {
  readonly stops: Stops;
  readonly now: () => Date;
  readonly sellersPort?: number;
}): Promise<Ecosystem> {
  const chain = await startLocalChain();
  stops.add(chain.stop);
  // Transactions are mined at once. Without further blocks the chain's clock would stand still between them, and after ten
  // idle minutes new signatures would not be valid yet.
  await chain.ask('evm_setIntervalMining', [BLOCK_EVERY_MS]);
  const facilitator = await startFacilitatorServer({
    rpcUrl: chain.rpcUrl,
    gasKey: chain.accounts.gas.key,
  });
  stops.add(facilitator.stop);
  const sellers = await startSellers({
    facilitator: createHttpFacilitator({ url: facilitator.url }),
    stops,
    now: () => now().getTime(),
    port: sellersPort,
  });
  const discoveryLists = await startDiscoveryLists({ sellers, stops, now });
  return { chain, facilitatorUrl: facilitator.url, sellers, discoveryLists };
}
