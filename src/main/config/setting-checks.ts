import { canReceive } from '../../core/x402/address.ts';
import { mainnetOf, parseNetwork } from '../../core/x402/networks.ts';

export function isHttpUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, search, hash } = new URL(text);
  return (
    (protocol === 'https:' || protocol === 'http:') && [username, password, search, hash].join('') === ''
  );
}

const LOOPBACK = /^(?:localhost|127(?:\.[0-9]{1,3}){3}|\[::1\])$/;

/** https, or http on this machine: what is signed cannot be forged on the way, but it can be read or held back. */
export function isConfidentialUrl(text: string): boolean {
  if (!isHttpUrl(text)) return false;
  const { protocol, hostname } = new URL(text);
  return protocol === 'https:' || LOOPBACK.test(hostname);
}

export function isOrigin(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, pathname, search, hash, username, password } = new URL(text);
  return (
    (protocol === 'https:' || protocol === 'http:') &&
    pathname === '/' &&
    [search, hash, username, password].join('') === ''
  );
}

/** The same rule as for a seller's payee: neither a burn address nor the token contract (gap L04). */
export function isWallet(text: string): boolean {
  const base = mainnetOf(parseNetwork('base'));
  return base !== null && canReceive(text, base);
}
