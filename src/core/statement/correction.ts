import { hash } from 'node:crypto';
import type { Verdict } from '../verdict/verdict.ts';

type VerdictWord = Verdict['verdict'];

/** Says in public that a verdict was wrong. The receipt stays as it is. */
export interface Correction {
  readonly receiptId: string;
  readonly at: Date;
  /** What stood until then, and what is right. */
  readonly was: VerdictWord;
  readonly is: VerdictWord;
  /** The operator's own words. */
  readonly because: string;
}

export const BECAUSE_MAX_CHARS = 500;
const INVISIBLE = /\p{C}|\p{Zl}|\p{Zp}|\p{Default_Ignorable_Code_Point}/u;
const ADDRESS = /:\/\//;

/** Why these words cannot be published; null if they can. A correction cannot be withdrawn, so it names no address. */
export function faultOfWords(words: string): string | null {
  const length = [...words].length;
  if (length === 0 || words.trim() !== words || length > BECAUSE_MAX_CHARS) {
    return `must be 1 to ${BECAUSE_MAX_CHARS} characters, without blanks around them`;
  }
  if (INVISIBLE.test(words)) return 'must be one line of printable characters';
  return ADDRESS.test(words) ? 'must not contain an address: a correction cannot be withdrawn' : null;
}

/** The text whose hash the log has: JSON with its members in order, as RFC 8785 wants it. */
export function correctionText({ receiptId, at, was, is, because }: Correction): string {
  return JSON.stringify({ assay: CORRECTION_FORM, at: at.toISOString(), because, id: receiptId, is, was });
}

export const CORRECTION_FORM = 'correction/1';

export function correctionSha256(text: string): Uint8Array {
  return hash('sha256', text, 'buffer');
}
