import { html } from 'hono/html';
import { wilsonInterval } from '../../core/catalog/wilson-interval.ts';
import type { Quality } from '../../core/known-answer/paid-call.ts';
import type { Html } from '../frame/layout.ts';

const STEP = 12;
const MIDDLE = 6;

/** A dot, a cross or a ring: never colour alone. Each is one path, so that a row of a long table stays small. */
const DRAWINGS: Readonly<Record<Quality, (x: number) => string>> = {
  pass: (x) => `M${x} ${MIDDLE}h0`,
  fail: (x) => `M${x - 3} 3l6 6m0-6l-6 6`,
  not_graded: (x) => `M${x - 3} ${MIDDLE}a3 3 0 1 0 6 0a3 3 0 1 0-6 0`,
};

const WORDS: Readonly<Record<Quality, string>> = { pass: 'right', fail: 'wrong', not_graded: 'not graded' };

export function qualityWords(quality: Quality): string {
  return WORDS[quality];
}

/** One mark, beside words that say the same. */
export function qualityMark(quality: Quality): Html {
  return html`<svg class="marks" viewBox="0 0 12 12" aria-hidden="true" focusable="false"><path class="${quality}" d="${DRAWINGS[quality](MIDDLE)}"/></svg>`;
}

const SHOWN_MAX = 12;

/** The newest calls as marks, oldest left. */
export function callStrip(newestFirst: readonly { readonly quality: Quality }[]): Html | string {
  const qualities = newestFirst.slice(0, SHOWN_MAX).map(({ quality }) => quality);
  if (qualities.length === 0) return '';
  const oldestFirst = qualities.toReversed();
  const paths = (['pass', 'fail', 'not_graded'] as const).map((quality) => {
    const drawn = oldestFirst.map((one, at) =>
      one === quality ? DRAWINGS[quality](at * STEP + MIDDLE) : '',
    );
    return drawn.every((mark) => mark === '') ? '' : html`<path class="${quality}" d="${drawn.join('')}"/>`;
  });
  const width = qualities.length * STEP;
  return html`<svg class="marks" viewBox="0 0 ${width} 12" width="${width}" height="12" role="img" aria-label="Oldest first: ${oldestFirst.map(qualityWords).join(', ')}">${paths}</svg>`;
}

/** "19 of 20, 76–99 %", with the 95 % interval as a bar. */
export function passedOf(passed: number, graded: number): Html | string {
  const interval = wilsonInterval(passed, graded);
  if (interval === null) return html`<span class="none">not graded yet</span>`;
  const [low, high] = [percents(interval.low), percents(interval.high)];
  return html`${intervalBar(low, high, percents(passed / graded))}<span class="of">${passed} of ${graded},</span> <span class="of" title="95 % interval of the pass rate">${low}–${high}\u00a0%</span>`;
}

/** In per cent; the text beside it says the same. */
export function intervalBar(low: number, high: number, rate: number): Html {
  return html`<svg class="interval" viewBox="0 0 100 12" aria-hidden="true" focusable="false"><rect class="track" y="5" width="100" height="2" rx="1"/><rect class="range" x="${low}" y="2" width="${high - low}" height="8" rx="2"/><rect class="rate" x="${Math.min(97, Math.max(0, rate - 1.5))}" width="3" height="12"/></svg>`;
}

export function percents(rate: number): number {
  return Math.round(100 * rate);
}
