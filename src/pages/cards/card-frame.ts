import { html, raw } from 'hono/html';
import type { Html } from '../frame/layout.ts';
import { type Tone, VERDICT_DRAWINGS } from '../frame/verdict-mark.ts';
import { type Face, fittingSize } from './text-width.ts';

export const CARD_WIDTH = 1_200;
const CARD_HEIGHT = 630;
export const MARGIN = 72;
const INNER = CARD_WIDTH - 2 * MARGIN;
const FOOT_TOP = 500;

/** The light colours of the pages (assets/tokens.css): a picture does not know which ones its reader prefers. */
const INK = '#161b26';
export const FAINT = '#566070';
const PAPER = '#ffffff';
const ACCENT = '#3f3cbb';
const ACCENT_SOFT = '#ecebfb';
export const TONES: Readonly<Record<Tone, { readonly strong: string; readonly soft: string }>> = {
  pay: { strong: '#0a6b3b', soft: '#e6f4eb' },
  skip: { strong: '#b3261e', soft: '#fdecea' },
  recheck: { strong: '#7a5200', soft: '#fdf3dc' },
  expired: { strong: '#55606e', soft: '#eef0f3' },
  aside: { strong: '#55606e', soft: '#eef0f3' },
};

export interface CardText {
  readonly x: number;
  /** Of the baseline. */
  readonly y: number;
  readonly size: number;
  readonly fill?: string;
  readonly face?: Face;
  /** It gets smaller where it would be wider. */
  readonly width?: number;
  readonly isAtEnd?: boolean;
}

/** One line; the template escapes the text. */
export function line(text: string, place: CardText): Html {
  const { x, y, fill = INK, face = 'sans', width = CARD_WIDTH - MARGIN - x, isAtEnd = false } = place;
  const size = fittingSize(text, { width, size: place.size, face });
  const family = face === 'mono' ? 'IBM Plex Mono' : 'IBM Plex Sans';
  return html`<text x="${x}" y="${y}" font-family="${family}" font-size="${size}" font-weight="${face === 'bold' ? 600 : 400}" fill="${fill}" text-anchor="${isAtEnd ? 'end' : 'start'}">${text}</text>\n`;
}

/** One sentence a line, up to two. */
export function sentences(texts: readonly string[], place: Pick<CardText, 'y' | 'size'>): Html {
  const { y, size } = place;
  const shown = texts.map((text, at) => line(text, { x: MARGIN, y: y + at * Math.round(size * 1.25), size }));
  return html`${shown}`;
}

/** The shape of a verdict, in its colour. */
export function shape(tone: Tone, x: number, y: number, size: number): Html {
  const { ground, sign, isHollow } = VERDICT_DRAWINGS[tone];
  const { strong, soft } = TONES[tone];
  const filled = isHollow ? `fill="${soft}" stroke="${strong}" stroke-width="1.800"` : `fill="${strong}"`;
  // Safe to emit raw: only paths and colours from our own tables.
  return html`<g transform="translate(${x} ${y}) scale(${size / 24})"><path d="${raw(ground)}" ${raw(filled)}/><path d="${raw(sign)}" fill="none" stroke="${isHollow ? strong : PAPER}" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"/></g>\n`;
}

/** The punch of an assay office: cut corners, and an A with a beam. */
function punch(x: number, y: number, size: number): Html {
  return html`<g transform="translate(${x} ${y}) scale(${size / 32})"><path d="M10 1h12l9 9v12l-9 9H10l-9-9V10z" fill="${ACCENT}"/><path d="M9.5 25 16 7.5 22.5 25M6.5 18.5h19" fill="none" stroke="${PAPER}" stroke-width="3" stroke-linecap="round" stroke-linejoin="round"/></g>\n`;
}

export interface Fact {
  readonly name: string;
  readonly value: string;
  readonly face?: Face;
}

export interface CardParts {
  /** Null for a card without a verdict. */
  readonly tone: Tone | null;
  /** At the right of the name, such as the short address of the service. */
  readonly aside: string;
  readonly body: Html;
  /** Up to four. */
  readonly facts: readonly Fact[];
}

/** A picture of 1200 by 630: name above, facts below, and between them the one thing that matters. */
export async function card({ tone, aside, body, facts }: CardParts): Promise<string> {
  const { strong, soft } = tone === null ? { strong: ACCENT, soft: ACCENT_SOFT } : TONES[tone];
  const drawn = html`<svg xmlns="http://www.w3.org/2000/svg" width="${CARD_WIDTH}" height="${CARD_HEIGHT}" viewBox="0 0 ${CARD_WIDTH} ${CARD_HEIGHT}">
<rect width="${CARD_WIDTH}" height="${CARD_HEIGHT}" fill="${PAPER}"/>
<rect width="${CARD_WIDTH}" height="${FOOT_TOP}" fill="${soft}"/>
<rect width="${CARD_WIDTH}" height="12" fill="${strong}"/>
${punch(MARGIN, 52, 56)}${line('Assay', { x: MARGIN + 74, y: 94, size: 42, face: 'bold' })}${line(aside, { x: CARD_WIDTH - MARGIN, y: 92, size: 30, fill: FAINT, width: 700, isAtEnd: true })}${body}${factsLine(facts)}</svg>
`;
  return String(await drawn);
}

/** The last one is an id, which is long. */
const COLUMNS: readonly (readonly [x: number, width: number])[] = [
  [0, 190],
  [210, 190],
  [420, 290],
  [730, INNER - 730],
];

function factsLine(facts: readonly Fact[]): Html {
  const shown = facts.map(({ name, value, face = 'sans' }, at) => {
    const [from = 0, width = 0] = COLUMNS[at] ?? [];
    const x = MARGIN + from;
    return html`${line(name, { x, y: 554, size: 24, fill: FAINT, width })}${line(value, { x, y: 594, size: 32, face, width })}`;
  });
  return html`${shown}`;
}
