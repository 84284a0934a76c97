/**
 * Text of a stranger as a page or a feed may show it: no sign that is invisible, that turns the direction of what follows, or
 * that XML forbids, and not longer than there is room for. Escaping is left to whoever writes it out.
 */
export function shownText(text: string, maxChars: number): string {
  const cut = text.length > maxChars ? `${text.slice(0, maxChars - 1)}…` : text;
  return cut.replace(UNSEEN, '\ufffd');
}

/** The text can be shown, and linked to, exactly as it is. */
export function isPlain(text: string, maxChars: number): boolean {
  return shownText(text, maxChars) === text;
}

/** Controls, formats, halves of pairs and what has no meaning; and the two separators that end a line. */
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}]/gu;
