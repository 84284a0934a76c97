import { type NoteKey, noteText, openNote, type SignedBy } from '../note.ts';

/** A verified cosignature of one witness. */
export interface Cosignature extends SignedBy {
  /** POSIX seconds. */
  readonly time: number;
}

/** Clocks may differ by this much; a time further ahead would look fresh for ever. */
const AHEAD_MAX_SECONDS = 300;

/**
 * The cosignature by `key` among the lines that a witness answered; null when there is none that verifies. Lines of other keys
 * are ignored, and a text that smuggles in another checkpoint does not open.
 */
export function readCosignature(
  note: string,
  lines: string,
  key: NoteKey,
  nowSeconds: number,
): Cosignature | null {
  const text = noteText(note);
  if (text === null) return null;
  const opened = openNote(`${text}\n${lines}`, [key]);
  if (typeof opened === 'string' || opened.text !== text) return null;
  const isTimely = ({ time }: Cosignature) => time > 0 && time <= nowSeconds + AHEAD_MAX_SECONDS;
  return opened.signedBy.filter(isCosignature).find(isTimely) ?? null;
}

/** Those of a note that are by one of these keys. */
export function cosignaturesOf(note: string, keys: readonly NoteKey[]): readonly Cosignature[] {
  const opened = openNote(note, keys);
  return typeof opened === 'string' ? [] : opened.signedBy.filter(isCosignature);
}

/** Of several by one key the latest. */
export function latestEach(cosignatures: readonly Cosignature[]): readonly Cosignature[] {
  const latest = new Map<NoteKey, Cosignature>();
  for (const one of cosignatures) {
    if (one.time >= (latest.get(one.key)?.time ?? 0)) latest.set(one.key, one);
  }
  return [...latest.values()];
}

function isCosignature(signed: SignedBy): signed is Cosignature {
  return signed.time !== null;
}
