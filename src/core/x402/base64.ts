/**
 * Strict: common decoders accept blanks, mixed alphabets and trailing garbage, wallets do not, and two readers of one header
 * must not disagree. So only text that encoding again reproduces is accepted, in either alphabet. Padding may be omitted, but
 * must be right if present. Invalid UTF-8 becomes U+FFFD. Without Buffer, which browsers do not have.
 */
export function decodeBase64Text(text: string): string | null {
  const standard = standardOf(withoutPadding(text) ?? '');
  if (standard === null) return null;
  // Only an incomplete last group of four has bits that mean nothing.
  const last = standard.slice(standard.length - (standard.length % 4));
  if (last.length === 1 || withoutPadding(btoa(atob(last))) !== last) return null;
  return decodeUtf8(bytesOf(atob(standard)));
}

/** Twenty times as fast as Uint8Array.from with a function. */
function bytesOf(binary: string): Uint8Array {
  const bytes = new Uint8Array(binary.length);
  for (let at = 0; at < binary.length; at += 1) bytes[at] = binary.charCodeAt(at);
  return bytes;
}

/** The same text in the standard alphabet; null when it is in neither. */
function standardOf(bare: string): string | null {
  const standard = /[+/]/.test(bare) ? bare : bare.replaceAll('-', '+').replaceAll('_', '/');
  return bare === '' || NOT_STANDARD.test(standard) || hidesObject(bare) ? null : standard;
}

/** Python leaves out what the url-safe alphabet has of its own, and decodes the rest. By accident that is no JSON. */
function hidesObject(bare: string): boolean {
  const rest = bare.replace(/[-_]/g, '');
  return rest !== bare && rest.length % 4 !== 1 && OBJECT_END.test(atob(rest));
}

// JSON has no control characters but blanks.
const OBJECT_END = /^[\s -\xff]*\}\s*$/;

// Looking for one wrong character is several times as fast as matching all the right ones.
const NOT_STANDARD = /[^A-Za-z0-9+/]/;

/** Drops a byte order mark and replaces invalid sequences; it never throws. */
export function decodeUtf8(bytes: Uint8Array): string {
  return UTF8.decode(bytes);
}

const UTF8 = new TextDecoder('utf-8');

/** Null when the padding does not fill the last group of four. */
function withoutPadding(text: string): string | null {
  return text.endsWith('=') && text.length % 4 !== 0 ? null : text.replace(/==?$/, '');
}

export function encodeBase64Text(text: string): string {
  if (!NOT_ASCII.test(text)) return btoa(text);
  let binary = '';
  for (const byte of new TextEncoder().encode(text)) binary += String.fromCharCode(byte);
  return btoa(binary);
}

// Every ASCII character is its own byte.
const NOT_ASCII = /[^\0-\x7f]/;
