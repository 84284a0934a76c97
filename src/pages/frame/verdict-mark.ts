import { html, raw } from 'hono/html';
import type { Verdict } from '../../core/verdict/verdict.ts';
import type { Html } from './layout.ts';

export type VerdictWord = Verdict['verdict'];

/** How a verdict looks: an approval that has expired and an endpoint that was set aside are neither good nor bad. */
export type Tone = VerdictWord | 'expired' | 'aside';

interface Drawing {
  /** The shape, 24 by 24. */
  readonly ground: string;
  readonly sign: string;
  /** An outline only. */
  readonly isHollow: boolean;
}

const CIRCLE = 'M12 1a11 11 0 1 0 0 22 11 11 0 1 0 0-22z';

/** A shape and a sign each: never colour alone. */
export const VERDICT_DRAWINGS: Readonly<Record<Tone, Drawing>> = {
  pay: { ground: CIRCLE, sign: 'M6.8 12.6l3.5 3.5 7-7.6', isHollow: false },
  skip: {
    ground: 'M7.4 1h9.2L23 7.4v9.2L16.6 23H7.4L1 16.6V7.4z',
    sign: 'M8.2 8.2l7.6 7.6M15.8 8.2l-7.6 7.6',
    isHollow: false,
  },
  recheck: {
    ground: 'M12 .5 23.5 12 12 23.5.5 12z',
    sign: 'M15.9 14.9A4.8 4.8 0 1 1 13.8 8.2M13.6 5.6 16.4 8.5 13.2 10.6z',
    isHollow: false,
  },
  expired: { ground: CIRCLE, sign: 'M12 6.5V12l3.6 2.4', isHollow: true },
  aside: { ground: CIRCLE, sign: 'M7.5 12h9', isHollow: true },
};

const WORDS: Readonly<Record<Tone, string>> = {
  pay: 'pay',
  skip: 'skip',
  recheck: 'recheck',
  expired: 'was pay',
  aside: 'set aside',
};

export function verdictIcon(tone: Tone): Html {
  const { ground, sign, isHollow } = VERDICT_DRAWINGS[tone];
  // Safe to emit raw: only paths from the table above.
  return html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false"><path class="ground${isHollow ? ' hollow' : ''}" d="${raw(ground)}"/><path class="sign" d="${raw(sign)}"/></svg>`;
}

/** The verdict as icon and word, in its colour. */
export function verdictMark(tone: Tone): Html {
  return html`<span class="mark ${tone}">${verdictIcon(tone)} ${WORDS[tone]}</span>`;
}
