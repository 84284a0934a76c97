import { html } from 'hono/html';
import type { Html } from '../frame/layout.ts';
import { grouped, percent } from '../frame/numbers.ts';

export interface ShareParts {
  readonly title: string;
  readonly parts: readonly SharePart[];
}

/** `look` names a colour and a pattern: never colour alone. */
export interface SharePart {
  readonly look: 'pay' | 'skip' | 'recheck' | 'aside';
  readonly name: string;
  readonly count: number;
}

const WIDTH = 360;
const HEIGHT = 28;
const GAP = 2;

/** A stacked bar, and the same numbers as a table for screen readers. */
export function shareChart({ title, parts }: ShareParts): Html {
  const total = parts.reduce((sum, { count }) => sum + count, 0);
  const words = parts.map(({ name, count }) => `${name} ${percent(count, total)}`).join(', ');
  return html`<figure class="chart">
<figcaption>${title}</figcaption>
<svg role="img" viewBox="0 0 ${WIDTH} ${HEIGHT}" aria-label="${title}: ${words}"><title>${title}: ${words}</title>
${PATTERNS}${bars(parts, total)}</svg>
<table><thead><tr><th scope="col">Verdict</th><th scope="col" class="number">Receipts</th><th scope="col" class="number">Share</th></tr></thead>
<tbody>
${parts.map(({ look, name, count }) => html`<tr><th scope="row">${swatch(look)} ${name}</th><td class="number">${grouped(count)}</td><td class="number">${percent(count, total)}</td></tr>\n`)}</tbody></table>
</figure>`;
}

/** In the page, because a stylesheet would resolve url(#pattern) against its own file. */
const PATTERNS = html`<defs>
<pattern id="look-skip" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect class="fill-skip" width="6" height="6"/><rect class="fill-paper" width="1.5" height="6"/></pattern>
<pattern id="look-recheck" width="6" height="6" patternUnits="userSpaceOnUse"><rect class="fill-recheck" width="6" height="6"/><circle class="fill-paper" cx="3" cy="3" r="1.1"/></pattern>
<pattern id="look-aside" width="6" height="6" patternUnits="userSpaceOnUse"><rect class="fill-quiet" width="6" height="6"/><rect class="fill-paper" width="6" height="1.5"/></pattern>
<pattern id="look-pay" width="6" height="6" patternUnits="userSpaceOnUse"><rect class="fill-pay" width="6" height="6"/></pattern>
</defs>`;

function bars(parts: readonly SharePart[], total: number): Html[] {
  const shown = parts.filter(({ count }) => count > 0);
  const room = WIDTH - GAP * Math.max(0, shown.length - 1);
  let x = 0;
  return shown.map(({ look, count }) => {
    const width = (room * count) / total;
    const bar = html`<rect x="${x.toFixed(2)}" width="${width.toFixed(2)}" height="${HEIGHT}" rx="2" fill="url(#look-${look})"/>`;
    x += width + GAP;
    return bar;
  });
}

function swatch(look: SharePart['look']): Html {
  return html`<svg class="swatch" aria-hidden="true" viewBox="0 0 14 14"><rect width="14" height="14" rx="2" fill="url(#look-${look})"/></svg>`;
}
