import { html, raw } from 'hono/html';
import type { Verdict } from '../../core/verdict/verdict.ts';
import type { Html } from './layout.ts';

export type VerdictWord = Verdict['verdict'];

/** A tick, a cross and a circular arrow: never colour alone. */
const DRAWINGS: Readonly<Record<VerdictWord, string>> = {
  pay: 'M5 12.5l4.5 4.5L19 7.5',
  skip: 'M6.5 6.5l11 11M17.5 6.5l-11 11',
  recheck: 'M18 6v4.5h-4.500M18 10.500A6.500 6.500 0 1 0 18.400 14',
};

export function verdictIcon(verdict: VerdictWord): Html {
  // Safe to emit raw: only paths from the table above.
  return html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false"><path d="${raw(DRAWINGS[verdict])}"/></svg>`;
}

/** The verdict as icon and word, in its colour. */
export function verdictMark(verdict: VerdictWord): Html {
  return html`<span class="mark ${verdict}">${verdictIcon(verdict)} ${verdict}</span>`;
}
