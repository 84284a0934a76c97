import { cellsOf, cutEnd, cutMiddle, plainText } from './plain-text.ts';

export interface Column {
  readonly head: string;
  /** Numbers are right-aligned, everything else is left-aligned. */
  readonly align?: 'right';
  /** Where a long cell may be truncated; without it the column keeps its width. */
  readonly cut?: 'end' | 'middle';
}

const GAP = '  ';
/** A narrower column would be useless. */
const CELLS_MIN = 8;

/** Untrusted cells must not make every other row as long as they are. */
const PADDING_MAX = 100;

/** Aligned lines of at most this many cells, headings first. Cells may hold untrusted text. */
export function table(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  cells: number,
): string[] {
  const clean = [columns.map(({ head }) => head), ...rows.map((row) => row.map(plainText))];
  const natural = columns.map((_, at) =>
    clean.reduce((widest, row) => Math.max(widest, cellsOf(row[at] ?? '')), 0),
  );
  const isWhole = !Number.isFinite(cells);
  const widths = isWhole
    ? natural.map((width) => Math.min(width, PADDING_MAX))
    : fitted(columns, natural, cells - GAP.length * (columns.length - 1));
  return clean.map((row) => {
    const line = columns
      .map((column, at) => cell(isWhole ? whole(column) : column, row[at] ?? '', widths[at] ?? 0))
      .join(GAP);
    return cutEnd(line.trimEnd(), cells);
  });
}

function whole({ head, align }: Column): Column {
  return align === undefined ? { head } : { head, align };
}

/** Shrinks the widest column that may be truncated, until the table fits or no column can shrink. */
function fitted(columns: readonly Column[], natural: readonly number[], cells: number): number[] {
  const widths = [...natural];
  const excess = () => widths.reduce((sum, width) => sum + width, 0) - cells;
  while (excess() > 0) {
    const elastic = columns.flatMap(({ cut }, at) =>
      cut !== undefined && (widths[at] ?? 0) > CELLS_MIN ? [at] : [],
    );
    const [first] = elastic;
    if (first === undefined) break;
    const widest = elastic.reduce((best, at) => ((widths[at] ?? 0) > (widths[best] ?? 0) ? at : best), first);
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  return widths;
}

function cell({ align, cut }: Column, text: string, width: number): string {
  const fitting = cut === 'middle' ? cutMiddle(text, width) : cut === 'end' ? cutEnd(text, width) : text;
  const padding = ' '.repeat(Math.max(0, width - cellsOf(fitting)));
  return align === 'right' ? padding + fitting : fitting + padding;
}
