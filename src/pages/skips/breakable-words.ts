import { html } from 'hono/html';
import { broken } from '../frame/breakable.ts';
import type { Html } from '../frame/layout.ts';
import { untrustedText } from '../frame/untrusted-text.ts';

/** A word of this length fits into every column. */
const FITS = 24;
const LONG_WORD = new RegExp(`\\S{${FITS + 1}}`);

/** A sentence that may contain a stranger's words: only those that are too long for a column may break, prices never. */
export function breakableWords(text: string, maxChars: number): Html {
  const shown = untrustedText(text, maxChars);
  if (!LONG_WORD.test(shown)) return html`<bdi>${shown}</bdi>`;
  const words = shown.split(' ').map((word) => (word.length > FITS ? html`${broken(word)}` : word));
  return html`<bdi title="${shown}">${words.map((word, index) => html`${index === 0 ? '' : ' '}${word}`)}</bdi>`;
}
