import { hash } from 'node:crypto';

/**
 * What the store may hold of an address or a URL: nobody without the secret can tell what it was made from. Half of a
 * SHA-256 over secret and text: what is cut off keeps the text from being extended, and one call is four times as fast as
 * an HMAC object.
 */
export function keyedHash(parts: readonly string[], secret: string): string {
  // The separator cannot occur in any part, so no two lists of parts read the same.
  let text = secret;
  for (const part of parts) text += `\n${part}`;
  return hash('sha256', text, 'hex').slice(0, 32);
}

/** The key of a URL, or of a URL with the body that was sent to it. */
export function urlKeyOf(secret: string): (text: string) => string {
  return (text) => keyedHash(['url', text], secret);
}
