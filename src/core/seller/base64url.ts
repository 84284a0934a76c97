/** Bytes of exactly this length in the one canonical base64url spelling, without padding; null for any other text. */
export function readBase64url(text: string, length: number): Uint8Array | null {
  const bytes = Buffer.from(text, 'base64url');
  return bytes.length === length && bytes.toString('base64url') === text ? bytes : null;
}
