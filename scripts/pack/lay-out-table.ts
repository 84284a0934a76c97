import type PDFDocument from 'pdfkit';
import { drawLine } from './draw-line.ts';
import type { Strip } from './fill-pages.ts';
import { COLUMN, INK, LEADING, PAGE, SIZE } from './guide-style.ts';
import { extentOf, type Face, type Line, type Measure, setLines } from './set-lines.ts';

const GAP = 14;
const PADDING = 4.5;
const SHORT = 7;

/** A row is never divided, and the header comes again where a page starts within the table. */
export function layOutTable(
  table: { readonly header: readonly string[]; readonly rows: readonly (readonly string[])[] },
  measure: Measure,
): Strip[] {
  const widths = columnWidths(table, measure);
  const header = rowStrip(table.header, { face: 'bold', glued: true, widths, measure });
  const rows = table.rows.map((row, index) => ({
    // A short table stays whole, and of a long one at least two rows stay together.
    ...rowStrip(row, {
      face: 'regular',
      glued: table.rows.length <= SHORT || index === 0 || index === table.rows.length - 2,
      widths,
      measure,
    }),
    again: header,
  }));
  const last = rows.pop();
  return last === undefined ? [header] : [header, ...rows, { ...last, glued: false }];
}

interface RowStyle {
  readonly face: Face;
  readonly glued: boolean;
  readonly widths: readonly number[];
  readonly measure: Measure;
}

function rowStrip(cells: readonly string[], { face, glued, widths, measure }: RowStyle): Strip {
  const set = cells.map((cell, index) =>
    setLines(cell, { face, size: SIZE.small, width: widths[index] ?? 0, measure }),
  );
  const height = Math.max(...set.map((lines) => lines.length)) * LEADING.small + 2 * PADDING;
  return {
    height,
    above: 0,
    glued,
    draw: (pen, y) => {
      if (face === 'bold') pen.rect(PAGE.left, y, COLUMN, height).fill(INK.wash);
      drawCells(pen, set, { y: y + PADDING, widths });
      const end = y + height;
      pen.lineWidth(0.6).strokeColor(INK.line).moveTo(PAGE.left, end).lineTo(PAGE.right, end).stroke();
    },
  };
}

function drawCells(
  pen: PDFDocument,
  cells: readonly (readonly Line[])[],
  { y, widths }: { y: number; widths: readonly number[] },
): void {
  let x = PAGE.left + GAP / 2;
  cells.forEach((lines, column) => {
    lines.forEach((line, index) => {
      drawLine(pen, line, { x, y: y + index * LEADING.small, size: SIZE.small, leading: LEADING.small });
    });
    x += (widths[column] ?? 0) + GAP;
  });
}

/** Every column gets its widest word; what is left is shared out by how much text each still has to set. */
function columnWidths(
  { header, rows }: { readonly header: readonly string[]; readonly rows: readonly (readonly string[])[] },
  measure: Measure,
): number[] {
  const columns = header.map((title, index) => {
    const cells = rows.map((row) =>
      extentOf(row[index] ?? '', { face: 'regular', size: SIZE.small, measure }),
    );
    const all = [extentOf(title, { face: 'bold', size: SIZE.small, measure }), ...cells];
    const least = Math.max(...all.map((extent) => extent.least)) + 1;
    return { least, wanted: Math.max(...all.map((extent) => extent.most)) - least };
  });
  const room = COLUMN - GAP * header.length - columns.reduce((sum, { least }) => sum + least, 0);
  if (room < 0) throw new Error(`a table is too wide: ${header.join(', ')}`);
  const wanted = columns.reduce((sum, column) => sum + column.wanted, 0);
  if (wanted <= room) {
    const spare = room - wanted;
    return columns.map(
      (column, index) => column.least + column.wanted + (index === columns.length - 1 ? spare : 0),
    );
  }
  return columns.map(({ least, wanted: own }) => least + (room * own) / wanted);
}
