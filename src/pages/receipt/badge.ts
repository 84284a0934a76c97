import { html } from 'hono/html';
import type { VerdictWord } from '../frame/verdict-mark.ts';

export type BadgeWord = VerdictWord | 'needs input' | 'unknown' | 'not a URL' | 'not a method';

/** All dark enough for white text. */
const GROUNDS: Readonly<Record<BadgeWord, string>> = {
  pay: '#0b6b3a',
  skip: '#b3261e',
  recheck: '#7a5200',
  'needs input': '#55606e',
  unknown: '#55606e',
  'not a URL': '#55606e',
  'not a method': '#55606e',
};

const NAME = 'Assay';
const NAME_WIDTH = 46;
const LETTER_WIDTH = 7;

/** A badge with the verdict and the day of the check. */
export async function badge(word: BadgeWord, day: string | null): Promise<string> {
  const said = day === null ? word : `${word} · ${day}`;
  const width = 16 + said.length * LETTER_WIDTH;
  const total = NAME_WIDTH + width;
  return String(
    await html`<svg xmlns="http://www.w3.org/2000/svg" width="${total}" height="20" viewBox="0 0 ${total} 20" role="img" aria-label="${NAME}: ${said}">
<title>${NAME}: ${said}</title>
<rect width="${total}" height="20" rx="4" fill="#1d2b3a"/>
<path d="M${NAME_WIDTH} 0h${width - 4}a4 4 0 0 1 4 4v12a4 4 0 0 1-4 4h-${width - 4}z" fill="${GROUNDS[word]}"/>
<g fill="#ffffff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11" text-anchor="middle">
<text x="${NAME_WIDTH / 2}" y="14">${NAME}</text><text x="${NAME_WIDTH + width / 2}" y="14">${said}</text>
</g>
</svg>
`,
  );
}
