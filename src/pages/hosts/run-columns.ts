import { html } from 'hono/html';
import type { RunCount } from '../../flows/read/hosts/count-runs.ts';
import type { Html } from '../frame/layout.ts';
import { grouped } from '../frame/numbers.ts';

type Look = 'pay' | 'skip' | 'recheck' | 'aside';

/** From the floor up. */
const LOOKS: readonly Look[] = ['pay', 'skip', 'recheck', 'aside'];
const WORDS: Readonly<Record<Look, string>> = {
  pay: 'Pay',
  skip: 'Skip',
  recheck: 'Recheck',
  aside: 'Set aside',
};

const WIDTH = 360;
const HEIGHT = 150;
const CEILING = 18;
const FLOOR = 128;
const GAP = 6;
const COLUMN_MAX = 44;

/** Verdicts of each crawl as stacked columns, oldest first, and the same numbers as a table. */
export function runColumns(newestFirst: readonly RunCount[]): Html {
  const counts = newestFirst.toReversed();
  const [first, last] = [counts[0], counts.at(-1)];
  if (first === undefined || last === undefined) return html``;
  const most = Math.max(1, ...counts.map(({ endpoints }) => endpoints));
  const step = Math.min(COLUMN_MAX + GAP, WIDTH / counts.length);
  const width = step - GAP;
  const label = `Verdicts of ${counts.length === 1 ? 'one crawl' : `${counts.length} crawls`}, at most ${grouped(most)} endpoints each`;
  return html`<figure class="run-columns">
<svg role="img" viewBox="0 0 ${WIDTH} ${HEIGHT}" aria-label="${label}">
${PATTERNS}<text class="quiet" x="0" y="11">${grouped(most)}</text>
<line x1="0" y1="${FLOOR}" x2="${WIDTH}" y2="${FLOOR}"/>
${counts.map((count, index) => column(count, index * step, width, most))}<text class="quiet" x="0" y="${HEIGHT - 6}">${dayOf(first)}</text>
${counts.length > 3 ? html`<text class="quiet" x="${(counts.length * step - GAP).toFixed(1)}" y="${HEIGHT - 6}" text-anchor="end">${dayOf(last)}</text>` : ''}
</svg>
<ul class="legend">${LOOKS.map((look) => html`<li><svg viewBox="0 0 14 14" aria-hidden="true" focusable="false"><rect width="14" height="14" rx="2" fill="url(#run-${look})"/></svg> ${WORDS[look]}</li>`)}</ul>
${numbers(newestFirst)}
</figure>`;
}

/** In the page, because a stylesheet would resolve url(#pattern) against its own file. */
const PATTERNS = html`<defs>
<pattern id="run-pay" width="6" height="6" patternUnits="userSpaceOnUse"><rect class="pay" width="6" height="6"/></pattern>
<pattern id="run-skip" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect class="skip" width="6" height="6"/><rect class="paper" width="1.5" height="6"/></pattern>
<pattern id="run-recheck" width="6" height="6" patternUnits="userSpaceOnUse"><rect class="recheck" width="6" height="6"/><circle class="paper" cx="3" cy="3" r="1.1"/></pattern>
<pattern id="run-aside" width="6" height="6" patternUnits="userSpaceOnUse"><rect class="aside" width="6" height="6"/><rect class="paper" width="6" height="1.5"/></pattern>
</defs>
`;

function column(count: RunCount, x: number, width: number, most: number): Html {
  const parts = partsOf(count);
  let top = FLOOR;
  const bars = LOOKS.filter((look) => parts[look] > 0).map((look) => {
    const height = (parts[look] / most) * (FLOOR - CEILING);
    top -= height;
    return html`<rect x="${x.toFixed(1)}" y="${top.toFixed(1)}" width="${width.toFixed(1)}" height="${height.toFixed(1)}" fill="url(#run-${look})"/>`;
  });
  return html`<g>${bars}</g>
`;
}

function partsOf({ pay, skip, recheck, needsInput }: RunCount): Readonly<Record<Look, number>> {
  return { pay, skip: skip - needsInput, recheck, aside: needsInput };
}

function numbers(newestFirst: readonly RunCount[]): Html {
  return html`<details><summary>As a table</summary>
<table class="rows"><caption class="unseen">Verdicts of each crawl, newest first</caption>
<thead><tr><th scope="col">Crawl</th>${LOOKS.map((look) => html`<th scope="col" class="number">${WORDS[look]}</th>`)}<th scope="col" class="number">Endpoints</th></tr></thead>
<tbody>
${newestFirst.map((count) => {
  const parts = partsOf(count);
  return html`<tr><th scope="row">${dayOf(count)}</th>${LOOKS.map((look) => html`<td class="number" data-label="${WORDS[look]}">${grouped(parts[look])}</td>`)}<td class="number" data-label="Endpoints">${countInWords(count)}</td></tr>
`;
})}</tbody></table></details>`;
}

/** Counting stops at a limit. */
export function countInWords({ endpoints, isComplete }: RunCount): string {
  return isComplete ? grouped(endpoints) : `at least ${grouped(endpoints)}`;
}

export function dayOf({ crawledAt }: Pick<RunCount, 'crawledAt'>): string {
  return crawledAt.toISOString().slice(0, 10);
}
