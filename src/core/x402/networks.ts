declare const brand: unique symbol;

/** A network in CAIP-2 form, such as 'eip155:8453'. The spelling is canonical, so equal networks are equal strings. */
export type Caip2 = `${string}:${string}` & { readonly [brand]: 'Caip2' };

export type AddressKind = 'evm' | 'solana';

export interface Mainnet {
  readonly network: Caip2;
  readonly name: string;
  readonly addresses: AddressKind;
  /** The canonical USDC contract or mint, in its published spelling. It has six decimals on all of them. */
  readonly usdc: string;
}

/** The networks on which a payment may be approved (gap G43). Base comes first because nearly every seller is there. */
export const MAINNETS: readonly Mainnet[] = [
  mainnet('eip155:8453', 'base', '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'),
  mainnet('eip155:1', 'ethereum', '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'),
  mainnet('eip155:10', 'optimism', '0x0b2C639c533813f4Aa9D7837CAf62653d097Ff85'),
  mainnet('eip155:137', 'polygon', '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359'),
  mainnet('eip155:42161', 'arbitrum', '0xaf88d065e77c8cC2239327C5EDb3A432268e5831'),
  mainnet('eip155:43114', 'avalanche', '0xB97EF9Ef8734C71904D8002F8b6Bc66Dd9c48a6E'),
  mainnet(
    'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp',
    'solana',
    'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
  ),
];

const UNSUPPORTED_CHAINS: readonly (readonly [name: string, chainId: number])[] = [
  ['base-sepolia', 84_532],
  ['sepolia', 11_155_111],
  ['ethereum-sepolia', 11_155_111],
  ['optimism-sepolia', 11_155_420],
  ['arbitrum-sepolia', 421_614],
  ['polygon-amoy', 80_002],
  ['avalanche-fuji', 43_113],
  ['bsc', 56],
  ['sei', 1_329],
  ['sei-testnet', 1_328],
  ['iotex', 4_689],
  ['peaq', 3_338],
];
/** Names that x402 version 1 uses for networks we never approve; known only so that answers can say CAIP-2. */
export const UNSUPPORTED_NAMES: readonly (readonly [string, string])[] = [
  ...UNSUPPORTED_CHAINS.map(([name, id]) => [name, `eip155:${id}`] as const),
  ['solana-devnet', 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1'],
  ['solana-testnet', 'solana:4uhcVJyU9pJkvQyS88uRDiswHXSCkY3z'],
];

const BY_NAME: ReadonlyMap<string, string> = new Map([
  ...MAINNETS.flatMap(({ name, network }): [string, string][] => [
    [name, network],
    [`${name}-mainnet`, network],
  ]),
  ...UNSUPPORTED_NAMES,
]);

/** Namespaces in use; an invented one could smuggle a sentence into our text. */
const NAMESPACES =
  'algorand|antelope|aptos|bip122|cosmos|fil|hedera|near|polkadot|starknet|stacks|stellar|sui|tezos|ton|tron|tvm|xrpl';

// Chain ids without leading zeros, Solana genesis hashes, and the general CAIP-2 form for the other namespaces.
const NETWORK = new RegExp(
  `^(?:eip155:[1-9][0-9]{0,31}|solana:[1-9A-HJ-NP-Za-km-z]{32}|(?:${NAMESPACES}):[-_a-zA-Z0-9]{1,32})$`,
);
const ASCII_NAME = /^[A-Za-z-]{2,32}$/;

/** Canonical CAIP-2 for a CAIP-2 string or a version 1 name in any letter case; null when it is neither. */
export function parseNetwork(text: string): Caip2 | null {
  const named = ASCII_NAME.test(text) ? BY_NAME.get(text.toLowerCase()) : undefined;
  const network = named ?? text;
  if (!NETWORK.test(network)) return null;
  return caip2(network);
}

export function mainnetOf(network: Caip2 | null, networks: readonly Mainnet[] = MAINNETS): Mainnet | null {
  return networks.find((known) => known.network === network) ?? null;
}

function mainnet(network: string, name: string, usdc: string): Mainnet {
  return { network: caip2(network), name, addresses: network.startsWith('eip155:') ? 'evm' : 'solana', usdc };
}

function caip2(text: string): Caip2 {
  // Called with our own table and with text that matched one of the three patterns above, never with anything else.
  return text as Caip2;
}
