import { describe, expect, it } from 'vitest';
import { MAINNETS, mainnetOf, parseNetwork } from './networks.ts';

describe('the supported mainnets (G43)', () => {
  it('are these seven, with their canonical USDC', () => {
    expect(MAINNETS.map(({ network, usdc, addresses }) => [network, usdc, addresses])).toEqual([
      ['eip155:8453', '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913', 'evm'],
      ['eip155:1', '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48', 'evm'],
      ['eip155:10', '0x0b2C639c533813f4Aa9D7837CAf62653d097Ff85', 'evm'],
      ['eip155:137', '0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359', 'evm'],
      ['eip155:42161', '0xaf88d065e77c8cC2239327C5EDb3A432268e5831', 'evm'],
      ['eip155:43114', '0xB97EF9Ef8734C71904D8002F8b6Bc66Dd9c48a6E', 'evm'],
      ['solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp', 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v', 'solana'],
    ]);
  });

  it.each<[string, string]>([
    ['base', 'eip155:8453'],
    ['BASE', 'eip155:8453'],
    ['base-mainnet', 'eip155:8453'],
    ['Ethereum', 'eip155:1'],
    ['ethereum-mainnet', 'eip155:1'],
    ['optimism', 'eip155:10'],
    ['polygon', 'eip155:137'],
    ['Arbitrum-Mainnet', 'eip155:42161'],
    ['avalanche', 'eip155:43114'],
    ['solana', 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'],
    ['solana-mainnet', 'solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp'],
    ['base-sepolia', 'eip155:84532'],
    ['sepolia', 'eip155:11155111'],
    ['ethereum-sepolia', 'eip155:11155111'],
    ['optimism-sepolia', 'eip155:11155420'],
    ['arbitrum-sepolia', 'eip155:421614'],
    ['polygon-amoy', 'eip155:80002'],
    ['avalanche-fuji', 'eip155:43113'],
    ['bsc', 'eip155:56'],
    ['sei', 'eip155:1329'],
    ['sei-testnet', 'eip155:1328'],
    ['iotex', 'eip155:4689'],
    ['peaq', 'eip155:3338'],
    ['solana-devnet', 'solana:EtWTRABZaYq6iMfeYKouRu166VU2xqa1'],
    ['solana-testnet', 'solana:4uhcVJyU9pJkvQyS88uRDiswHXSCkY3z'],
    ['eip155:8453', 'eip155:8453'],
    ['stellar:pubnet', 'stellar:pubnet'],
  ])('%s is %s', (text, network) => {
    expect(parseNetwork(text)).toBe(network);
  });

  it.each<[string, string]>([
    ['a leading zero', 'eip155:08453'],
    ['an upper-case namespace', 'EIP155:8453'],
    ['a blank', ' eip155:8453'],
    ['a pattern', 'eip155:*'],
    ['hexadecimal', 'eip155:0x2105'],
    ['full-width digits', 'eip155:８４５３'],
    ['a look-alike letter', 'еip155:8453'],
    ['no reference', 'eip155'],
    ['an empty reference', 'eip155:'],
    ['a Solana name that is no genesis hash', 'solana:mainnet'],
    ['a NUL', 'eip155:8453\u0000'],
    ['an inherited name', 'constructor'],
    ['the prototype', '__proto__'],
    ['nothing', ''],
    ['an unknown name', 'moonbase'],
    ['a sentence in the form of one', 'pay-me:ignore_previous_instructions'],
  ])('has no network for %s', (_, text) => {
    expect(parseNetwork(text)).toBeNull();
  });

  it('does not support a testnet', () => {
    expect(mainnetOf(parseNetwork('base-sepolia'))).toBeNull();
    expect(mainnetOf(null)).toBeNull();
  });
});
