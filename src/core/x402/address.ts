import type { AddressKind, Mainnet } from './networks.ts';

const EVM_ADDRESS = /^0x[0-9a-fA-F]{40}$/;
// A key of 32 bytes has 43 or 44 characters, one less for about three leading zero bytes. Those of Tron, XRPL and Bitcoin have 25 to 35.
const BASE58_ADDRESS = /^[1-9A-HJ-NP-Za-km-z]{40,44}$/;

// Burn addresses: nobody holds their key.
const NOBODY: Readonly<Record<AddressKind, readonly string[]>> = {
  evm: [`0x${'0'.repeat(40)}`, `0x${'0'.repeat(36)}dEaD`],
  solana: [`1nc1nerator${'1'.repeat(32)}`],
};

export function isAddress(text: string, kind: AddressKind): boolean {
  return kind === 'evm' ? EVM_ADDRESS.test(text) : BASE58_ADDRESS.test(text);
}

/** True for an address of any network we support, when the network itself is not known. */
export function isAnyAddress(text: string): boolean {
  return EVM_ADDRESS.test(text) || BASE58_ADDRESS.test(text);
}

/** Hexadecimal addresses are compared without letter case, base58 ones exactly (gap G43). */
export function isSameAddress(left: string, right: string): boolean {
  if (EVM_ADDRESS.test(left) && EVM_ADDRESS.test(right)) return left.toLowerCase() === right.toLowerCase();
  return left === right;
}

/** The same text for every spelling of an address; null for what is not an address. */
export function addressKey(text: string): string | null {
  if (EVM_ADDRESS.test(text)) return text.toLowerCase();
  return BASE58_ADDRESS.test(text) ? text : null;
}

/** A payee that can receive USDC: an address, not a burn address, and not the token contract itself. */
export function canReceive(payTo: string, { addresses, usdc }: Mainnet): boolean {
  if (!isAddress(payTo, addresses)) return false;
  return ![...NOBODY[addresses], usdc].some((one) => isSameAddress(payTo, one));
}
