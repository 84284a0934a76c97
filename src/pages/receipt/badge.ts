import { html, raw } from 'hono/html';
import { textWidth } from '../cards/text-width.ts';
import { type Tone, VERDICT_DRAWINGS, type VerdictWord } from '../frame/verdict-mark.ts';

export type BadgeWord = VerdictWord | 'needs input' | 'unknown' | 'not a URL' | 'not a method';

/** The colours of the pages (assets/tokens.css), all dark enough for white text. */
const GROUNDS: Readonly<Record<Tone, string>> = {
  pay: '#0a6b3b',
  skip: '#b3261e',
  recheck: '#7a5200',
  expired: '#55606e',
  aside: '#55606e',
};
const ACCENT = '#3f3cbb';
const INK = '#161b26';

const NAME = 'Assay';
const NAME_TEXT = { x: 23, width: 33 } as const;
const NAME_END = 63;
/** A size between our font and the wider ones that stand in for it; the text is set to exactly this width, whatever the font. */
const WIDTH_SIZE = 12.4;

/** A badge with the verdict and the day of the check. The page that embeds it has other fonts: every width is given. */
export async function badge(word: BadgeWord, day: string | null): Promise<string> {
  const said = day === null ? word : `${word} · ${day}`;
  const tone = toneOf(word);
  const { ground, sign, isHollow } = VERDICT_DRAWINGS[tone];
  const width = Math.round(textWidth(said, 'sans') * WIDTH_SIZE);
  const total = NAME_END + 24 + width + 8;
  const filled = isHollow ? 'fill="none" stroke="#ffffff" stroke-width="2"' : 'fill="#ffffff"';
  // Safe to emit raw: only paths from our own tables.
  return String(
    await html`<svg xmlns="http://www.w3.org/2000/svg" width="${total}" height="20" viewBox="0 0 ${total} 20" role="img" aria-label="${NAME}: ${said}">
<title>${NAME}: ${said}</title>
<rect width="${total}" height="20" rx="3" fill="${GROUNDS[tone]}"/>
<path d="M3 0h${NAME_END - 3}v20H3a3 3 0 0 1-3-3V3a3 3 0 0 1 3-3z" fill="${INK}"/>
<g transform="translate(5 3) scale(.4375)"><path d="M10 1h12l9 9v12l-9 9H10l-9-9V10z" fill="${ACCENT}"/><path d="M9.5 25 16 7.5 22.5 25M6.5 18.5h19" fill="none" stroke="#ffffff" stroke-width="3" stroke-linecap="round"/></g>
<g transform="translate(${NAME_END + 6} 3.5) scale(.54)"><path d="${raw(ground)}" ${raw(filled)}/><path d="${raw(sign)}" fill="none" stroke="${isHollow ? '#ffffff' : GROUNDS[tone]}" stroke-width="2.6" stroke-linecap="round" stroke-linejoin="round"/></g>
<g fill="#ffffff" font-family="IBM Plex Sans,Verdana,DejaVu Sans,sans-serif" font-size="11">
<text x="${NAME_TEXT.x}" y="14" textLength="${NAME_TEXT.width}" lengthAdjust="spacingAndGlyphs">${NAME}</text><text x="${NAME_END + 24}" y="14" textLength="${width}" lengthAdjust="spacingAndGlyphs">${said}</text>
</g>
</svg>
`,
  );
}

function toneOf(word: BadgeWord): Tone {
  return word === 'pay' || word === 'skip' || word === 'recheck' ? word : 'aside';
}
