import { html, raw } from 'hono/html';
import type { Html } from './layout.ts';
import { untrustedText } from './untrusted-text.ts';

/** After these a URL or a host may go on in the next line. */
const BREAKS = /(?<=[/.?&=_:,…-])(?=[^/])/;
/** No word of an honest URL is longer; the rest of a longer one goes on in the next line. */
const PART_MAX_CHARS = 24;

/**
 * A URL or a host of a stranger, which breaks between its parts and not inside of a word. The title has it in one piece, for
 * whoever searches the page's source.
 */
export function breakable(text: string, maxChars?: number): Html {
  const shown = untrustedText(text, maxChars);
  return html`<bdi class="breakable" title="${shown}">${broken(shown)}</bdi>`;
}

function broken(shown: string): readonly Html[] {
  return joined(shown.split(BREAKS).flatMap(pieces));
}

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

const GROUP_CHARS = 8;

/** A hash or an address in groups, so that a narrow column can hold it. */
export function hashText(text: string): Html {
  const shown = untrustedText(text);
  return html`<span class="breakable" title="${shown}">${joined(inGroups(shown, GROUP_CHARS))}</span>`;
}

function pieces(part: string): readonly string[] {
  return part.length <= PART_MAX_CHARS ? [part] : inGroups(part, PART_MAX_CHARS);
}

function inGroups(text: string, size: number): readonly string[] {
  const characters = [...text];
  return Array.from({ length: Math.ceil(characters.length / size) }, (_, index) =>
    characters.slice(index * size, (index + 1) * size).join(''),
  );
}

const BREAK = raw('<wbr>');

function joined(parts: readonly string[]): readonly Html[] {
  return parts.map((part, index) => html`${index === 0 ? '' : BREAK}${part}`);
}
