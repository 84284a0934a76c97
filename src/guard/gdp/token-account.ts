import { sha256 } from '@noble/hashes/sha2';

const ASSOCIATED_TOKEN_PROGRAM = 'ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL';
const TOKEN_PROGRAMS = [
  'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA',
  'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb',
];
const MARKER = new TextEncoder().encode('ProgramDerivedAddress');
const KEY_BYTES = 32;

/**
 * Whether this is the token account of an owner for a mint, to which Solana pays. Its address is a hash with a bump; whether the
 * bump is the highest possible one is not looked at, because an account at any other of these addresses cannot exist.
 */
export function isTokenAccountOf(account: string, owner: string, mint: string): boolean {
  const wanted = bytesOf(account);
  const [ownerKey, mintKey, program] = [bytesOf(owner), bytesOf(mint), bytesOf(ASSOCIATED_TOKEN_PROGRAM)];
  if (wanted === null || ownerKey === null || mintKey === null || program === null) return false;
  return TOKEN_PROGRAMS.some((name) => {
    const tokenProgram = bytesOf(name);
    if (tokenProgram === null) return false;
    const start = sha256.create().update(ownerKey).update(tokenProgram).update(mintKey);
    for (let bump = 255; bump >= 0; bump -= 1) {
      const address = start.clone().update(Uint8Array.of(bump)).update(program).update(MARKER).digest();
      if (address.every((byte, at) => byte === wanted[at])) return true;
    }
    return false;
  });
}

const ALPHABET = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const KEY = /^[1-9A-HJ-NP-Za-km-z]{32,44}$/;

/** The 32 bytes of a base58 key. */
function bytesOf(key: string): Uint8Array | null {
  if (!KEY.test(key)) return null;
  let value = 0n;
  for (const letter of key) value = value * 58n + BigInt(ALPHABET.indexOf(letter));
  const bytes = new Uint8Array(KEY_BYTES);
  for (let at = KEY_BYTES - 1; at >= 0; at -= 1) {
    bytes[at] = Number(value & 255n);
    value >>= 8n;
  }
  return value === 0n ? bytes : null;
}
