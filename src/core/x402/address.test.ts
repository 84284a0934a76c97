import { describe, expect, it } from 'vitest';
import { addressKey, canReceive, isAddress, isAnyAddress, isSameAddress } from './address.ts';
import { MAINNETS, type Mainnet } from './networks.ts';

const PAYEE = '0x209693Bc6afc0C5328bA36FaF03C514EF312287C';
const SOLANA_PAYEE = '7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV';

function named(wanted: string): Mainnet {
  const found = MAINNETS.find(({ name }) => name === wanted);
  if (found === undefined) throw new Error(`no mainnet ${wanted}`);
  return found;
}

it.each<[string, string, string, boolean]>([
  ['hexadecimal in another letter case', PAYEE, PAYEE.toLowerCase(), true],
  ['another last digit', PAYEE, `${PAYEE.slice(0, -1)}D`, false],
  ['base58, the same', SOLANA_PAYEE, SOLANA_PAYEE, true],
  [
    'base58 in another letter case, which is another account',
    SOLANA_PAYEE,
    SOLANA_PAYEE.toLowerCase(),
    false,
  ],
  ['without its prefix', PAYEE, PAYEE.slice(2), false],
  ['a capital X in the prefix, which is no address', PAYEE, PAYEE.replace('x', 'X'), false],
])('addresses compare: %s', (_, left, right, same) => {
  expect(isSameAddress(left, right)).toBe(same);
});

it('knows an address by its shape', () => {
  expect(isAddress(PAYEE, 'evm')).toBe(true);
  expect(isAddress(PAYEE, 'solana')).toBe(false);
  expect(isAddress(SOLANA_PAYEE, 'solana')).toBe(true);
  expect(isAnyAddress(PAYEE)).toBe(true);
  expect(isAnyAddress(SOLANA_PAYEE)).toBe(true);
  expect(isAnyAddress('<img src=x>')).toBe(false);
  expect(isAnyAddress('TJRabPrwbZy45sbavfcjinPJC18kjpRTv8')).toBe(false);
});

it.each<[string, boolean]>([
  ['A'.repeat(39), false],
  ['A'.repeat(40), true],
  ['A'.repeat(44), true],
  ['A'.repeat(45), false],
  [`${SOLANA_PAYEE}\n`, false],
  [` ${SOLANA_PAYEE}`, false],
  [` ${PAYEE}`, false],
])('%j is an address: %s', (text, isOne) => {
  expect([isAnyAddress(text), addressKey(text)]).toEqual([isOne, isOne ? text : null]);
});

it('has one key for the spellings of an address', () => {
  expect(addressKey(PAYEE)).toBe(PAYEE.toLowerCase());
});

describe('a payee that can receive USDC', () => {
  it.each<[string, string, string, boolean]>([
    ['a wallet', 'base', PAYEE, true],
    ['a Solana wallet', 'solana', SOLANA_PAYEE, true],
    ['the zero address', 'base', '0x0000000000000000000000000000000000000000', false],
    ['the usual burn address', 'base', '0x000000000000000000000000000000000000dEaD', false],
    ['the usual burn address, in lower case', 'base', '0x000000000000000000000000000000000000dead', false],
    ['the Solana system program', 'solana', '11111111111111111111111111111111', false],
    ['the Solana incinerator', 'solana', '1nc1nerator11111111111111111111111111111111', false],
    ['the token contract itself, in lower case', 'base', named('base').usdc.toLowerCase(), false],
    ['the token mint itself', 'solana', named('solana').usdc, false],
    ['an address of another kind of network', 'base', SOLANA_PAYEE, false],
    ['41 digits', 'base', `${PAYEE}0`, false],
  ])('%s on %s', (_, network, payTo, receives) => {
    expect(canReceive(payTo, named(network))).toBe(receives);
  });
});
