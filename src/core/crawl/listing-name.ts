import { SERVICE_NAME_MAX_CHARS } from './list-limits.ts';

// Letters, digits and everyday punctuation of any script. Marks of HTML and quotation, controls, invisible and
// direction-changing characters stay outside, and so does half of a surrogate pair.
const UNWANTED = /[^\p{L}\p{M}\p{N} .,:;+#/()&!?%@$€*_–—-]/gu;
const SAYS_SOMETHING = /[\p{L}\p{N}]/u;
const READ_MAX_CHARS = 1_000;

/** A display name on one short line; null when nothing is left of it or when it only repeats the URL. */
export function readServiceName(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  const line = value
    .slice(0, READ_MAX_CHARS)
    .normalize('NFC')
    .replace(/\s+/gu, ' ')
    .replace(UNWANTED, '')
    .trim();
  if (!SAYS_SOMETHING.test(line) || /^https?:/i.test(line)) return null;
  // Rebuilt from its characters: a slice would keep the whole untrusted text in memory.
  return [...line].slice(0, SERVICE_NAME_MAX_CHARS).join('').trim();
}
