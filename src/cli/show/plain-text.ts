const NOT_SHOWN = '?';
const CUT = '…';

// Everything that controls a terminal or reorders text: control characters, bidi and zero-width marks, tags, private use.
const STEERING = /[\p{C}\p{Zl}\p{Zp}]/gu;
const BLANKS = /[\t\n\r\p{Zs}]+/gu;
/** Combining marks that remain after composition would pile up on one cell. */
const MARKS = /\p{M}/gu;
const TEXT_MAX_CHARS = 4_096;

/** Untrusted text as one harmless line. */
export function plainText(text: string): string {
  return text
    .slice(0, TEXT_MAX_CHARS)
    .normalize('NFC')
    .replace(BLANKS, ' ')
    .replace(STEERING, NOT_SHOWN)
    .replace(MARKS, '')
    .trim();
}

// East Asian characters and emoji take two cells of a terminal.
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{1f000}-\u{1faff}\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u;

/** The cells that a plain text takes. */
export function cellsOf(text: string): number {
  let cells = 0;
  for (const letter of text) cells += WIDE.test(letter) ? 2 : 1;
  return cells;
}

/** Truncated at the end to at most this many cells. */
export function cutEnd(text: string, cells: number): string {
  if (cellsOf(text) <= cells) return text;
  return cells < 1 ? '' : `${firstCells(text, cells - 1)}${CUT}`;
}

/** Truncated in the middle to at most this many cells: both ends of an address or URL matter. */
export function cutMiddle(text: string, cells: number): string {
  if (cellsOf(text) <= cells) return text;
  if (cells < 3) return cutEnd(text, cells);
  const tail = Math.floor((cells - 1) / 2);
  const reversed = Array.from(text).reverse().join('');
  const end = Array.from(firstCells(reversed, tail)).reverse().join('');
  return `${firstCells(text, cells - 1 - tail)}${CUT}${end}`;
}

function firstCells(text: string, cells: number): string {
  let left = cells;
  let kept = '';
  for (const letter of text) {
    left -= cellsOf(letter);
    if (left < 0) break;
    kept += letter;
  }
  return kept;
}

/** '0x2096…287C': enough to compare at a glance; to sign, use the JSON. Whole where lines have no end. */
export function shortAddress(address: string, columns = 0): string {
  return cutMiddle(plainText(address), Number.isFinite(columns) ? 13 : columns);
}

/** Longer lines are hard to read on any terminal; below the least the terminal wraps them itself. */
const LINE_CELLS = { min: 40, max: 100 };

/** The length of lines of text in this many columns. */
export function textCells(columns: number): number {
  if (!Number.isFinite(columns)) return columns;
  return Math.max(LINE_CELLS.min, Math.min(columns, LINE_CELLS.max));
}

/** Wraps at blanks to lines of at most this many cells; longer words are split. */
export function wrap(text: string, cells: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of plainText(text).split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (cellsOf(longer) <= cells) {
      line = longer;
      continue;
    }
    if (line !== '') lines.push(line);
    line = cutEnd(word, cells);
  }
  return [...lines, line];
}
