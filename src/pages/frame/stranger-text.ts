/** Long enough for every honest address, short enough for a line of a page. */
const SHOWN_MAX_CHARS = 300;
/** Controls, marks that turn the direction of a text, halves of characters, and all that nobody sees. */
const UNSEEN = /\p{C}|\p{Zl}|\p{Zp}|\p{Default_Ignorable_Code_Point}/gu;

/** Text that somebody else wrote, as a page shows it: nothing unseen, nothing endless. The template escapes it. */
export function strangerText(text: string, maxChars = SHOWN_MAX_CHARS): string {
  return middleCut(text.slice(0, 4 * maxChars).replace(UNSEEN, '\ufffd'), maxChars);
}

/** The beginning and the end: of an address, both matter. */
export function middleCut(text: string, maxChars: number): string {
  const characters = [...text];
  if (characters.length <= maxChars) return text;
  const tail = Math.floor((maxChars - 1) / 3);
  return [...characters.slice(0, maxChars - 1 - tail), '…', ...characters.slice(-tail)].join('');
}
