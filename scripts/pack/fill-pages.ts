import type PDFDocument from 'pdfkit';

/** A horizontal piece of the page that cannot be divided: a line, a row of a table, a heading. */
export interface Strip {
  readonly height: number;
  /** Empty space above, dropped at the top of a page. */
  readonly above: number;
  /** No page may end between this strip and the next. */
  readonly glued: boolean;
  readonly draw: (pen: PDFDocument, y: number) => void;
  /** Drawn again above this strip when a page starts with it: the header of a table. */
  readonly again?: Strip;
  readonly heading?: Heading;
}

export interface Heading {
  readonly level: 'chapter' | 'section';
  readonly text: string;
}

export interface Placed {
  readonly strip: Strip;
  readonly y: number;
}

export type Page = readonly Placed[];

/** Fills pages from top to bottom; strips that are glued together stay on one page. */
export function fillPages(
  strips: readonly Strip[],
  { top, bottom }: { top: number; bottom: number },
): Page[] {
  const pages: Placed[][] = [[]];
  let y = top;
  const place = (strip: Strip) => {
    const above = y === top ? 0 : strip.above;
    pages.at(-1)?.push({ strip, y: y + above });
    y += above + strip.height;
  };
  for (const group of gluedGroups(strips)) {
    const first = group[0];
    if (y > top && y + heightOf(group) > bottom) {
      pages.push([]);
      y = top;
      if (first?.again !== undefined) place(first.again);
    }
    for (const strip of group) place(strip);
    if (y > bottom) throw new Error('a group of lines is taller than a page');
  }
  return pages;
}

function gluedGroups(strips: readonly Strip[]): Strip[][] {
  const groups: Strip[][] = [[]];
  for (const strip of strips) {
    groups.at(-1)?.push(strip);
    if (!strip.glued) groups.push([]);
  }
  return groups.filter((group) => group.length > 0);
}

function heightOf(group: readonly Strip[]): number {
  return group.reduce((sum, strip) => sum + strip.above + strip.height, 0);
}
