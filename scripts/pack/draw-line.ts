import type PDFDocument from 'pdfkit';
import { INK } from './guide-style.ts';
import { FACES, type Line, type Run, sizeOf } from './set-lines.ts';

/** Draws one line; `y` is its upper edge, and all faces share a baseline. */
export function drawLine(
  pen: PDFDocument,
  line: Line,
  at: { x: number; y: number; size: number; leading: number; color?: string },
): void {
  const baseline = at.y + at.leading * 0.72;
  for (const { text, face, x } of mergedRuns(pen, line, at.size)) {
    pen
      .font(FACES[face])
      .fontSize(sizeOf(face, at.size))
      .fillColor(at.color ?? (face === 'code' ? INK.accent : INK.text))
      .text(text, at.x + x, baseline, { lineBreak: false, baseline: 'alphabetic' });
  }
}

/**
 * Words of one face in one go, so that the spaces between them are real and survive copying. Where kerning would
 * eat into the space ("itself. Then"), a new run starts at the place that was measured.
 */
function mergedRuns(pen: PDFDocument, line: Line, size: number): Line {
  const merged: Run[] = [];
  for (const run of line) {
    const last = merged.pop();
    if (last === undefined) {
      merged.push(run);
      continue;
    }
    const gap = run.startsWord ? ' ' : '';
    const together = last.text + gap + run.text;
    pen.font(FACES[last.face]).fontSize(sizeOf(last.face, size));
    const end = last.x + pen.widthOfString(together);
    const planned = run.x + pen.widthOfString(run.text);
    if (last.face === run.face && Math.abs(end - planned) < 0.05) merged.push({ ...last, text: together });
    else merged.push({ ...last, text: last.text + gap }, run);
  }
  return merged;
}
