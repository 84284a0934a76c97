import { html } from 'hono/html';
import type { RunCount } from '../../flows/read/hosts/count-runs.ts';
import type { Html } from '../frame/layout.ts';
import { grouped } from '../frame/numbers.ts';
import { type Tone, verdictMark } from '../frame/verdict-mark.ts';
import { countInWords, dayOf } from './run-columns.ts';

/** "7 endpoints in the crawl of 2026-11-15: 5 pay, 2 skip." */
export function countSentence(count: RunCount): Html {
  const parts: readonly (readonly [number, Tone])[] = [
    [count.pay, 'pay'],
    [count.skip - count.needsInput, 'skip'],
    [count.recheck, 'recheck'],
    [count.needsInput, 'aside'],
  ];
  const shown = parts.filter(([number]) => number > 0);
  const words = shown.map(
    ([number, tone], at) =>
      html`${at === 0 ? '' : ', '}<span class="whole">${grouped(number)} ${verdictMark(tone)}</span>`,
  );
  const noun = count.endpoints === 1 ? 'endpoint' : 'endpoints';
  return html`${countInWords(count)} ${noun} in the crawl of <span class="day">${dayOf(count)}:</span> ${words}.`;
}

/** How many endpoints are not in the table. */
export function notShown({ endpoints, isComplete }: RunCount, shown: number): Html | string {
  const left = endpoints - shown;
  if (left <= 0) return '';
  const number = isComplete ? grouped(left) : `at least ${grouped(left)}`;
  return html`<p>${number} more ${left === 1 ? 'endpoint is' : 'endpoints are'} not in this table.</p>`;
}
