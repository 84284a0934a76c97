import { html, raw } from 'hono/html';
import type { Html } from './layout.ts';
import { untrustedText } from './untrusted-text.ts';

/** After these a URL or a host may go on in the next line. */
const BREAKS = /(?<=[/.?&=_:,…-])(?=[^/])/;
/** No word of an honest URL is longer; the rest of a longer one goes on in the next line. */
const PART_MAX_CHARS = 24;

/** A URL or a host of a stranger, which breaks between its parts and not inside of a word. */
export function breakable(text: string, maxChars?: number): Html {
  const parts = untrustedText(text, maxChars).split(BREAKS).flatMap(pieces);
  return html`<bdi class="breakable">${joined(parts)}</bdi>`;
}

const GROUP_CHARS = 8;

/** A hash or an address in groups, so that a narrow column can hold it. */
export function hashText(text: string): Html {
  return html`<span class="breakable">${joined(inGroups(untrustedText(text), GROUP_CHARS))}</span>`;
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
