import { type Caip2, UNSUPPORTED_NAMES } from '../x402/networks.ts';

const TEST_NAME = /-(?:sepolia|amoy|fuji|devnet|testnet)$|^sepolia$/;
const TEST_NETWORKS: ReadonlySet<string> = new Set(
  UNSUPPORTED_NAMES.filter(([name]) => TEST_NAME.test(name)).map(([, network]) => network),
);

export function isTestNetwork(network: Caip2): boolean {
  return TEST_NETWORKS.has(network);
}
