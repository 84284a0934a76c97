import { html } from 'hono/html';
import { card, FAINT, line, MARGIN, shape, TONES } from './card-frame.ts';

const VERDICTS = [
  ['pay', 'pay'],
  ['skip', 'skip'],
  ['recheck', 'recheck'],
] as const;
const STEP = 320;

/** What this is; the same at every address, so it is painted once (scripts/build-pictures.ts). */
export function siteCard(): Promise<string> {
  const verdicts = VERDICTS.map(([tone, word], at) => {
    const x = MARGIN + at * STEP;
    return html`${shape(tone, x, 378, 76)}${line(word, { x: x + 96, y: 434, size: 56, face: 'bold', fill: TONES[tone].strong, width: 220 })}`;
  });
  return card({
    tone: null,
    aside: 'x402 endpoints, checked live',
    body: html`${line('Ask before you pay.', { x: MARGIN, y: 240, size: 108, face: 'bold' })}${line('One unpaid request reads the live payment terms and compares them with the listing.', { x: MARGIN, y: 312, size: 34 })}${verdicts}${line('Every verdict has a public receipt that anybody can verify.', { x: MARGIN, y: 576, size: 32, fill: FAINT })}`,
    facts: [],
  });
}
