/** The standard fonts: every reader has them, so none is embedded. */
export const FACES = {
  regular: 'Helvetica',
  bold: 'Helvetica-Bold',
  italic: 'Helvetica-Oblique',
  code: 'Courier',
  title: 'Times-Bold',
} as const;

export type Face = keyof typeof FACES;

/** A stretch of one face within a line, and how far from the line's start it begins. */
export interface Run {
  readonly text: string;
  readonly face: Face;
  readonly x: number;
  /** A space stands in front of it, unless the line begins here. */
  readonly startsWord: boolean;
}

export type Line = readonly Run[];
export type Measure = (text: string, face: Face, size: number) => number;

export interface Setting {
  readonly face: Face;
  readonly size: number;
  readonly width: number;
  readonly measure: Measure;
}

interface Piece {
  readonly text: string;
  readonly face: Face;
}

/** A line that needs no breaking: a heading, a marker, a number. */
export function oneRun(text: string, face: Face): Line {
  return [{ text, face, x: 0, startsWord: true }];
}

/** Courier is wider and lighter than Helvetica at the same size; this evens it out. */
export function sizeOf(face: Face, size: number): number {
  return face === 'code' ? size * 0.94 : size;
}

/** Steps by which a paragraph may be narrowed so that it does not end in a single word. */
const NARROWER = [0, 8, 16, 24, 32, 40, 48] as const;

/** Breaks marked-up text into lines. A word that is wider than the line is an error, not an overflow. */
export function setLines(text: string, setting: Setting): Line[] {
  const words = wordsOf(text, setting.face);
  const plain = breakWords(words, setting);
  const least = Math.max(...words.map((word) => widthOfPieces(word, setting)));
  for (const step of NARROWER) {
    const width = setting.width - step;
    if (width < least) break;
    const lines = breakWords(words, { ...setting, width });
    if (lines.length === plain.length && !endsAlone(lines)) return lines;
  }
  return plain;
}

function endsAlone(lines: readonly Line[]): boolean {
  return lines.length > 1 && (lines.at(-1)?.filter((run) => run.startsWord).length ?? 0) < 2;
}

function breakWords(words: readonly Piece[][], setting: Setting): Line[] {
  const space = setting.measure(' ', setting.face, setting.size);
  const lines: Run[][] = [[]];
  let x = 0;
  for (const word of words) {
    const width = widthOfPieces(word, setting);
    if (width > setting.width) throw new Error(`too wide for its column: ${word[0]?.text}`);
    if (x > 0 && x + space + width > setting.width) {
      lines.push([]);
      x = 0;
    }
    if (x > 0) x += space;
    for (const [index, piece] of word.entries()) {
      lines.at(-1)?.push({ ...piece, x, startsWord: index === 0 });
      x += widthOfPieces([piece], setting);
    }
  }
  return lines;
}

/** The widest word and the whole text on one line: between the two a column can be set. */
export function extentOf(text: string, setting: Omit<Setting, 'width'>): { least: number; most: number } {
  const space = setting.measure(' ', setting.face, setting.size);
  const widths = wordsOf(text, setting.face).map((word) => widthOfPieces(word, setting));
  return { least: Math.max(0, ...widths), most: widths.reduce((sum, width) => sum + width + space, 0) };
}

function widthOfPieces(pieces: readonly Piece[], { size, measure }: Omit<Setting, 'width'>): number {
  return pieces.reduce((sum, { text, face }) => sum + measure(text, face, sizeOf(face, size)), 0);
}

const MARKED = /\*\*([^*]+)\*\*|\*([^*]+)\*|`([^`]+)`/g;

/** Words are what stands between spaces; one word may have several faces, such as code and a comma. */
function wordsOf(text: string, face: Face): Piece[][] {
  const words: Piece[][] = [[]];
  for (const piece of piecesOf(text, face)) {
    piece.text.split(' ').forEach((part, index) => {
      if (index > 0) words.push([]);
      if (part !== '') words.at(-1)?.push({ text: part, face: piece.face });
    });
  }
  return words.filter((word) => word.length > 0);
}

function piecesOf(text: string, face: Face): Piece[] {
  const pieces: Piece[] = [];
  let end = 0;
  for (const match of text.matchAll(MARKED)) {
    const [whole, bold, italic, code] = match;
    pieces.push({ text: withRealQuotes(text.slice(end, match.index)), face });
    if (bold !== undefined) pieces.push({ text: bold, face: 'bold' });
    if (italic !== undefined) pieces.push({ text: italic, face: 'italic' });
    if (code !== undefined) pieces.push({ text: code, face: 'code' });
    end = match.index + whole.length;
  }
  return [...pieces, { text: withRealQuotes(text.slice(end)), face }];
}

function withRealQuotes(text: string): string {
  return text
    .replace(/(^|[\s(])"/g, '$1\u201c')
    .replace(/"/g, '\u201d')
    .replace(/'/g, '\u2019');
}
