import { MAINNETS, type Mainnet, parseNetwork } from '../../core/x402/networks.ts';

/**
 * The networks that a task of the protocol may name. Unlike the guard, which sees only bytes, the adapter is told what a Solana
 * transaction does before it is signed, so Solana is among them.
 */
export const GDP_NETWORKS: readonly Mainnet[] = [
  ...MAINNETS,
  ...testnet('eip155:84532', 'base-sepolia', '0x036CbD53842c5426634e7929541eC2318f3dCF7e'),
  ...testnet(
    'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1',
    'solana-devnet',
    '4zMMC9srt5Ri5X14GAgXhaHii3GnPAEERYPJgZJDncDU',
  ),
];

function testnet(caip2: string, name: string, usdc: string): readonly Mainnet[] {
  const network = parseNetwork(caip2);
  if (network === null) return [];
  return [{ network, name, addresses: caip2.startsWith('eip155:') ? 'evm' : 'solana', usdc }];
}
