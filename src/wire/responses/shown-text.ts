/**
 * Untrusted text for a page or a feed: no invisible characters, no bidi controls, nothing that XML forbids, and bounded length.
 * The template escapes it.
 */
export function shownText(text: string, maxChars: number): string {
  const cut = text.length > maxChars ? `${text.slice(0, maxChars - 1)}…` : text;
  return cut.replace(UNSEEN, '\ufffd');
}

/** True if the text can be shown and linked unchanged. */
export function isPlain(text: string, maxChars: number): boolean {
  return shownText(text, maxChars) === text;
}

/** Control, format, unassigned and private characters, lone surrogates, and the two line separators. */
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}]/gu;
