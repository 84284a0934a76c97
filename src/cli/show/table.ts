import { cellsOf, cutEnd, cutMiddle, plainText } from './plain-text.ts';

export interface Column {
  readonly head: string;
  /** Numbers end at the same place; everything else begins there. */
  readonly align?: 'right';
  /** Which part a long cell may lose; without it the column keeps its width. */
  readonly cut?: 'end' | 'middle';
}

const GAP = '  ';
/** Narrower than this a column says nothing any more. */
const CELLS_MIN = 8;

/** Aligned lines that fit into so many cells, the heads first. Cells may hold text of strangers. */
export function table(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  cells: number,
): string[] {
  const clean = [columns.map(({ head }) => head), ...rows.map((row) => row.map(plainText))];
  const natural = columns.map((_, at) =>
    clean.reduce((widest, row) => Math.max(widest, cellsOf(row[at] ?? '')), 0),
  );
  const widths = fitted(columns, natural, cells - GAP.length * (columns.length - 1));
  return clean.map((row) => {
    const line = columns.map((column, at) => cell(column, row[at] ?? '', widths[at] ?? 0)).join(GAP);
    return cutEnd(line.trimEnd(), cells);
  });
}

/** Takes from the widest column that may lose something, until all fit or nothing is left to take. */
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
