import { USDC } from '../adapters/facilitator/base-chain.ts';
import { SELF_TEST_KEY } from './sandbox/sandbox-service.ts';
import type { Sandbox } from './sandbox/start.ts';

/** Where everything is, for programs. */
export function reportOf({ addresses, surroundings }: Pick<Sandbox, 'addresses' | 'surroundings'>) {
  const { chain, facilitatorUrl, sellers, discoveryLists } = surroundings;
  return {
    base_url: addresses.baseUrl,
    alt_url: addresses.altUrl,
    legacy_url: addresses.legacyUrl,
    rpc_url: chain.rpcUrl,
    facilitator_url: facilitatorUrl,
    usdc: USDC,
    pay_to: chain.accounts.seller.address,
    buyer_keys: chain.accounts.buyers.map(({ key }) => key),
    self_test_key: SELF_TEST_KEY,
    sellers: Object.fromEntries(sellers.map(({ name, url }) => [name, url])),
    discovery_lists: discoveryLists,
  };
}
