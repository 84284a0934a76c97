/** Long enough for every honest address, short enough for a line of a page. */
const SHOWN_MAX_CHARS = 300;
/** Control characters, bidi marks, lone surrogates and invisible characters. */
const UNSEEN = /\p{C}|\p{Zl}|\p{Zp}|\p{Default_Ignorable_Code_Point}/gu;

/** Untrusted text for a page: no invisible characters, bounded length. The template escapes it. */
export function untrustedText(text: string, maxChars = SHOWN_MAX_CHARS): string {
  return middleCut(text.slice(0, 4 * maxChars).replace(UNSEEN, '\ufffd'), maxChars);
}

/** Keeps the beginning and the end, because both matter in an address. */
export function middleCut(text: string, maxChars: number): string {
  const characters = [...text];
  if (characters.length <= maxChars) return text;
  const tail = Math.floor((maxChars - 1) / 3);
  return [...characters.slice(0, maxChars - 1 - tail), '…', ...characters.slice(-tail)].join('');
}

/** True if the text can be shown and linked unchanged. */
export function isPlain(text: string, maxChars: number): boolean {
  return untrustedText(text, maxChars) === text;
}
