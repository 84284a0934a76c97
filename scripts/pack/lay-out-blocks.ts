import type PDFDocument from 'pdfkit';
import { drawLine } from './draw-line.ts';
import type { Strip } from './fill-pages.ts';
import { COLUMN, INK, LEADING, PAGE, SIZE } from './guide-style.ts';
import { layOutTable } from './lay-out-table.ts';
import type { Block, ListItem } from './parse-guide.ts';
import { FACES, type Measure, oneRun, setLines } from './set-lines.ts';

export function layOutBlocks(blocks: readonly Block[], measure: Measure): Strip[] {
  return blocks.flatMap((block, index) => {
    const [first, ...rest] = layOutBlock(block, measure);
    if (first === undefined) return [];
    const strips = [{ ...first, above: spaceBetween(blocks[index - 1]?.kind, block.kind) }, ...rest];
    // What announces a list, a table or code with a colon must not stay behind alone.
    const announces = block.kind === 'paragraph' && block.text.endsWith(':') && index < blocks.length - 1;
    return announces ? strips.map((strip) => ({ ...strip, glued: true })) : strips;
  });
}

type Kind = Block['kind'];

const ABOVE: Readonly<Record<Kind, number>> = {
  chapter: 32,
  section: 17,
  paragraph: 7,
  list: 7,
  table: 10,
  code: 10,
  note: 11,
};

function spaceBetween(upper: Kind | undefined, lower: Kind): number {
  if (upper === 'chapter') return 0;
  if (upper === 'section') return lower === 'table' || lower === 'code' ? 4 : 0;
  if (upper === 'table' || upper === 'code' || upper === 'note') return Math.max(ABOVE[lower], 12);
  return ABOVE[lower];
}

function layOutBlock(block: Block, measure: Measure): Strip[] {
  switch (block.kind) {
    case 'chapter':
      return [chapterStrip(block.text)];
    case 'section':
      return [sectionStrip(block.text)];
    case 'paragraph':
      return layOutParagraph(block.text, measure);
    case 'note':
      return [noteStrip(block.text, measure)];
    case 'list':
      return layOutList(block.items, measure);
    case 'table':
      return layOutTable(block, measure);
    case 'code':
      return layOutCode(block);
    default:
      throw new Error(`no layout for ${JSON.stringify(block satisfies never)}`);
  }
}

function chapterStrip(text: string): Strip {
  return {
    height: 42,
    above: 0,
    glued: true,
    heading: { level: 'chapter', text },
    draw: (pen, y) => {
      drawLine(pen, oneRun(text, 'title'), { x: PAGE.left, y, size: SIZE.chapter, leading: 26 });
      pen.rect(PAGE.left, y + 28, 36, 2).fill(INK.accent);
    },
  };
}

function sectionStrip(text: string): Strip {
  return {
    height: 19,
    above: 0,
    glued: true,
    heading: { level: 'section', text },
    draw: (pen, y) =>
      drawLine(pen, oneRun(text, 'bold'), { x: PAGE.left, y, size: SIZE.section, leading: 15 }),
  };
}

function layOutParagraph(text: string, measure: Measure): Strip[] {
  const lines = setLines(text, { face: 'regular', size: SIZE.body, width: COLUMN, measure });
  return lines.map((line, index) => ({
    height: LEADING.body,
    above: 0,
    glued: keepsTogether(index, lines.length),
    draw: (pen, y) => drawLine(pen, line, { x: PAGE.left, y, size: SIZE.body, leading: LEADING.body }),
  }));
}

/** Two lines of a paragraph, or two items of a list, at least on either side of a page break. */
function keepsTogether(index: number, count: number): boolean {
  return index < count - 1 && (index === 0 || index === count - 2);
}

const INDENT = 18;

function layOutList(items: readonly ListItem[], measure: Measure): Strip[] {
  return items.flatMap((item, index) =>
    layOutItem(item, { first: index === 0, glued: keepsTogether(index, items.length), measure }),
  );
}

function layOutItem(
  { marker, text }: ListItem,
  { first, glued, measure }: { first: boolean; glued: boolean; measure: Measure },
): Strip[] {
  const width = COLUMN - INDENT;
  const lines = setLines(text, { face: 'regular', size: SIZE.body, width, measure });
  return lines.map((line, index) => ({
    height: LEADING.body,
    above: index > 0 || first ? 0 : 3.5,
    glued: glued || index < lines.length - 1,
    draw: (pen, y) => {
      if (index === 0) drawMarker(pen, marker, y);
      const x = PAGE.left + INDENT;
      drawLine(pen, line, { x, y, size: SIZE.body, leading: LEADING.body });
    },
  }));
}

function drawMarker(pen: PDFDocument, marker: string, y: number): void {
  if (marker === '- [ ]') {
    pen.lineWidth(0.9).strokeColor(INK.accent);
    pen.rect(PAGE.left + 1, y + 2.6, 8.6, 8.6).stroke();
    return;
  }
  if (marker === '-') {
    pen.circle(PAGE.left + 5, y + 7.2, 1.6).fill(INK.accent);
    return;
  }
  const at = { x: PAGE.left, y, size: SIZE.body, leading: LEADING.body, color: INK.accent };
  drawLine(pen, oneRun(marker, 'bold'), at);
}

function noteStrip(text: string, measure: Measure): Strip {
  const width = COLUMN - 28;
  const lines = setLines(text, { face: 'regular', size: SIZE.body, width, measure });
  const height = lines.length * LEADING.body + 18;
  return {
    height,
    above: 0,
    glued: false,
    draw: (pen, y) => {
      pen.rect(PAGE.left, y, COLUMN, height).fill(INK.note);
      pen.rect(PAGE.left, y, 3, height).fill(INK.accent);
      lines.forEach((line, index) => {
        const at = { x: PAGE.left + 15, y: y + 9 + index * LEADING.body };
        drawLine(pen, line, { ...at, size: SIZE.body, leading: LEADING.body });
      });
    },
  };
}

const CODE_INSET = 10;

/** One strip per line over a common ground, all glued: no block of the guide is taller than a page. */
function layOutCode({ name, lines }: { name: string; lines: readonly string[] }): Strip[] {
  const rows = lines.map((line, index): Strip => {
    const height = LEADING.code + (index === lines.length - 1 ? 7 : 0);
    return {
      height,
      above: 0,
      glued: index < lines.length - 1,
      draw: (pen, y) => {
        pen.rect(PAGE.left, y - 0.2, COLUMN, height + 0.4).fill(INK.wash);
        drawCode(pen, line, y);
      },
    };
  });
  return [codeCaption(name), ...rows];
}

function codeCaption(name: string): Strip {
  return {
    height: 21,
    above: 0,
    glued: true,
    draw: (pen, y) => {
      pen.rect(PAGE.left, y, COLUMN, 21.2).fill(INK.wash);
      pen.rect(PAGE.left, y, COLUMN, 1).fill(INK.line);
      const at = { x: PAGE.left + CODE_INSET, y: y + 5, size: 8, leading: 11, color: INK.accent };
      drawLine(pen, oneRun(name, 'bold'), at);
    },
  };
}

function drawCode(pen: PDFDocument, line: string, y: number): void {
  if (line === '') return;
  const widthOfCharacter = SIZE.code * 0.6;
  if (line.length * widthOfCharacter > COLUMN - CODE_INSET) throw new Error(`code runs over: ${line}`);
  pen.font(FACES.code).fontSize(SIZE.code).fillColor(INK.text);
  const baseline = y + LEADING.code * 0.75;
  pen.text(line, PAGE.left + CODE_INSET, baseline, { lineBreak: false, baseline: 'alphabetic' });
}
