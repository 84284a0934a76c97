import { REPLY_MAX_CHARS } from './seller-limits.ts';

/** Control characters, bidi marks, lone surrogates and invisible characters. */
const UNSEEN = /\p{C}|\p{Zl}|\p{Zp}|\p{Default_Ignorable_Code_Point}/gu;
/** Marks that pile up on one letter would cover the lines around it. */
const PILED_MARKS = /(\p{M}{4})\p{M}+/gu;
const SAYS_SOMETHING = /[\p{L}\p{N}]/u;

/** The words of a seller as one paragraph of plain text; null when they are too long or nothing is left of them. */
export function replyNote(text: string): string | null {
  // Code units first: counting characters of a huge text is work.
  if (text.length > 2 * REPLY_MAX_CHARS || [...text].length > REPLY_MAX_CHARS) return null;
  const note = text
    .normalize('NFC')
    .replace(/\s+/gu, ' ')
    .replace(UNSEEN, '')
    .replace(PILED_MARKS, '$1')
    .trim();
  return SAYS_SOMETHING.test(note) ? note : null;
}
