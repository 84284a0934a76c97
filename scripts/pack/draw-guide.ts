import { Buffer } from 'node:buffer';
import PDFDocument from 'pdfkit';
import { drawLine } from './draw-line.ts';
import { fillPages, type Page } from './fill-pages.ts';
import { COLUMN, INK, PAGE, SIZE } from './guide-style.ts';
import { layOutBlocks } from './lay-out-blocks.ts';
import type { Block, Guide } from './parse-guide.ts';
import { FACES, type Line, type Measure, oneRun, setLines } from './set-lines.ts';

/** The same guide gives the same bytes: a fixed date, and no compression, which differs between machines. */
const EDITION = { name: 'Edition 1', date: new Date('2026-11-15T00:00:00Z') } as const;
const PAGES_BEFORE_TEXT = 2;

interface Entry {
  readonly level: 'chapter' | 'section';
  readonly text: string;
  readonly page: number;
  readonly y: number;
}

export async function drawGuide(guide: Guide): Promise<Buffer> {
  const pen = new PDFDocument({
    size: 'A4',
    margin: 0,
    compress: false,
    autoFirstPage: false,
    bufferPages: true,
    pdfVersion: '1.7',
    lang: 'en',
    displayTitle: true,
    info: { Title: guide.title, Subject: guide.subtitle, CreationDate: EDITION.date },
  });
  const bytes = collect(pen);
  const measure = measureWith(pen);
  const pages = fillPages(layOutBlocks(guide.blocks, measure), PAGE);
  const entries = entriesOf(pages);
  drawTitlePage(pen, guide, measure);
  drawContents(pen, { title: guide.title, entries, measure });
  pages.forEach((page, index) => {
    drawPage(pen, page, { number: index + 1 + PAGES_BEFORE_TEXT, title: guide.title, entries, measure });
  });
  attachScripts(pen, guide.blocks);
  pen.end();
  return bytes;
}

function collect(pen: PDFDocument): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  return new Promise((resolve) => {
    pen.on('data', (chunk) => chunks.push(chunk));
    pen.on('end', () => resolve(Buffer.concat(chunks)));
  });
}

function measureWith(pen: PDFDocument): Measure {
  return (text, face, size) => pen.font(FACES[face]).fontSize(size).widthOfString(text);
}

function entriesOf(pages: readonly Page[]): Entry[] {
  return pages.flatMap((page, index) =>
    page.flatMap(({ strip, y }) =>
      strip.heading === undefined ? [] : [{ ...strip.heading, page: index + 1 + PAGES_BEFORE_TEXT, y }],
    ),
  );
}

function drawTitlePage(pen: PDFDocument, guide: Guide, measure: Measure): void {
  const horizon = 560;
  pen.addPage();
  pen.rect(0, 0, PAGE.width, PAGE.height).fill(INK.wash);
  pen.circle(PAGE.width - 170, horizon, 88).fill(INK.sun);
  pen.rect(0, horizon, PAGE.width, PAGE.height - horizon).fill(INK.accent);
  const title = setLines(guide.title, { face: 'title', size: 50, width: 330, measure });
  title.forEach((line, index) => {
    drawLine(pen, line, { x: PAGE.left, y: 130 + index * 56, size: 50, leading: 56 });
  });
  const below = 130 + title.length * 56 + 22;
  const subtitle = setLines(guide.subtitle, { face: 'regular', size: 13.5, width: 350, measure });
  subtitle.forEach((line, index) => {
    drawLine(pen, line, { x: PAGE.left, y: below + index * 20, size: 13.5, leading: 20, color: INK.soft });
  });
  drawWords(pen, 'Set-up guide', { x: PAGE.left, y: 745, size: 13, face: 'bold', color: INK.white });
  drawWords(pen, EDITION.name, { x: PAGE.left, y: 765, size: 10.5, face: 'regular', color: INK.white });
}

function drawContents(
  pen: PDFDocument,
  { title, entries, measure }: { title: string; entries: readonly Entry[]; measure: Measure },
): void {
  pen.addPage();
  drawWords(pen, 'Contents', {
    x: PAGE.left,
    y: PAGE.top,
    size: SIZE.chapter,
    face: 'title',
    color: INK.text,
  });
  pen.rect(PAGE.left, PAGE.top + 28, 36, 2).fill(INK.accent);
  let y = PAGE.top + 50;
  for (const [index, entry] of entries.entries()) {
    const chapter = entry.level === 'chapter';
    const style = { size: chapter ? 10.6 : 9.6, face: chapter ? 'bold' : 'regular' } as const;
    const color = chapter ? INK.text : INK.soft;
    if (chapter && index > 0) y += 8;
    const number = String(entry.page);
    const x = PAGE.left + (chapter ? 0 : 16);
    drawWords(pen, entry.text, { ...style, x, y, color });
    const numberX = PAGE.right - measure(number, style.face, style.size);
    drawWords(pen, number, { ...style, x: numberX, y, color });
    const textEnd = x + measure(entry.text, style.face, style.size) + 8;
    const lineY = y + 10;
    pen
      .lineWidth(0.5)
      .strokeColor(INK.line)
      .moveTo(textEnd, lineY)
      .lineTo(numberX - 8, lineY)
      .stroke();
    pen.goTo(PAGE.left, y, COLUMN, 16, destinationOf(entry));
    y += 16.5;
  }
  drawFooter(pen, { left: title, number: PAGES_BEFORE_TEXT, measure });
  if (y > PAGE.bottom) throw new Error('the contents do not fit on their page');
}

function drawPage(
  pen: PDFDocument,
  page: Page,
  {
    number,
    title,
    entries,
    measure,
  }: { number: number; title: string; entries: readonly Entry[]; measure: Measure },
): void {
  pen.addPage();
  for (const entry of entries.filter((candidate) => candidate.page === number)) {
    pen.addNamedDestination(destinationOf(entry), 'XYZ', 0, entry.y - 12, null);
    if (entry.level === 'chapter') pen.outline.addItem(entry.text);
  }
  for (const { strip, y } of page) strip.draw(pen, y);
  const chapter = entries.findLast((entry) => entry.level === 'chapter' && entry.page <= number);
  drawFooter(pen, { left: `${title}  |  ${chapter?.text ?? ''}`, number, measure });
}

function drawFooter(
  pen: PDFDocument,
  { left, number, measure }: { left: string; number: number; measure: Measure },
): void {
  const lineY = PAGE.footer - 10;
  pen.lineWidth(0.6).strokeColor(INK.line).moveTo(PAGE.left, lineY).lineTo(PAGE.right, lineY).stroke();
  const style = { y: PAGE.footer, size: 8.4, face: 'regular', color: INK.soft } as const;
  const numberX = PAGE.right - measure(String(number), style.face, style.size);
  drawWords(pen, left, { ...style, x: PAGE.left });
  drawWords(pen, String(number), { ...style, x: numberX });
}

function destinationOf(entry: Entry): string {
  return `${entry.page}-${Math.round(entry.y)}`;
}

type Words = Omit<Parameters<typeof drawLine>[2], 'leading'> & { readonly face: Line[number]['face'] };

function drawWords(pen: PDFDocument, text: string, { face, ...at }: Words): void {
  drawLine(pen, oneRun(text, face), { ...at, leading: at.size * 1.3 });
}

/** Copying code out of a PDF loses its indentation in some viewers; the attachment never does. */
function attachScripts(pen: PDFDocument, blocks: readonly Block[]): void {
  for (const block of blocks) {
    if (block.kind !== 'code' || !/\.(?:mjs|py|sh|env|txt)$/.test(block.name)) continue;
    pen.file(Buffer.from(`${block.lines.join('\n')}\n`), {
      name: block.name,
      type: 'text/plain',
      description: `From the guide: ${block.name}`,
      creationDate: EDITION.date,
      modifiedDate: EDITION.date,
    });
  }
}
