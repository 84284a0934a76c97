import { createHttpFacilitator } from '../adapters/facilitator/http-facilitator.ts';
import { type LocalChain, startLocalChain } from './chain/local-chain.ts';
import { startDiscoveryLists } from './discovery-lists.ts';
import { startFacilitatorServer } from './facilitator-server.ts';
import { type OpenSeller, startSellers } from './sellers/start-sellers.ts';
import type { Stops } from './stops.ts';

/** All that a service stands on, on this machine and real: money, somebody who moves it, sellers, and lists of them. */
export interface Surroundings {
  readonly chain: LocalChain;
  readonly facilitatorUrl: string;
  readonly sellers: readonly OpenSeller[];
  /** By name. */
  readonly discoveryLists: Readonly<Record<string, string>>;
}

/** As often as Base makes one. */
const BLOCK_EVERY_MS = 2_000;

/** Everything is handed to `stops` as soon as it runs, so that a start that fails leaves nothing behind. */
export async function startSurroundings({
  stops,
  now,
}: {
  readonly stops: Stops;
  readonly now: () => Date;
}): Promise<Surroundings> {
  const chain = await startLocalChain();
  stops.add(chain.stop);
  // Payments get a block of their own at once. Without others the chain's clock would stand still between them, and after
  // ten quiet minutes nobody's signature would be valid yet.
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
  });
  const discoveryLists = await startDiscoveryLists({ sellers, stops, now });
  return { chain, facilitatorUrl: facilitator.url, sellers, discoveryLists };
}
