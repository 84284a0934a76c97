import { isNoteText } from '../log/note-format.ts';
import { type Members, membersOf } from '../statement/read-values.ts';
import { parseJson } from '../x402/read-json.ts';
import { OBSERVATION_MAX_CHARS } from './vantage-limits.ts';

/** Reads the object in the second line of a text with this first line; null for any other text. Safe on texts of strangers. */
export function readLine<T>(text: string, header: string, read: (members: Members) => T): T | null {
  if (text.length > OBSERVATION_MAX_CHARS || !text.startsWith(`${header}\n`) || !isNoteText(text))
    return null;
  try {
    return read(membersOf(parseJson(text.slice(header.length + 1))));
  } catch {
    return null;
  }
}
