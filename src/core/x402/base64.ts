/**
 * Strict: Buffer accepts blanks, mixed alphabets and trailing garbage, wallets do not, and two readers of one header must not
 * disagree. So only text that encoding again reproduces is accepted, in either alphabet. Padding may be omitted, but must be
 * right if present. Invalid UTF-8 becomes U+FFFD.
 */
export function decodeBase64Text(text: string): string | null {
  const bare = withoutPadding(text);
  if (bare === null || bare === '') return null;
  const bytes = Buffer.from(bare, 'base64');
  const isUrlSafe = bare.includes('-') || bare.includes('_');
  const again = isUrlSafe ? bytes.toString('base64url') : bytes.toString('base64');
  return withoutPadding(again) === bare ? decodeUtf8(bytes) : null;
}

/** Drops a byte order mark and replaces invalid sequences; it never throws. */
export function decodeUtf8(bytes: Uint8Array): string {
  return UTF8.decode(bytes);
}

const UTF8 = new TextDecoder('utf-8');

/** Null when the padding does not fill the last group of four. */
function withoutPadding(text: string): string | null {
  if (!text.endsWith('=')) return text;
  if (text.length % 4 !== 0) return null;
  return text.slice(0, text.endsWith('==') ? -2 : -1);
}
