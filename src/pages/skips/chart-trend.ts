import { html } from 'hono/html';
import type { TrendPoint } from '../../core/receipt/run-trend.ts';
import type { Html } from '../frame/layout.ts';
import { grouped, percent } from '../frame/numbers.ts';

const WIDTH = 360;
const HEIGHT = 120;
/** Room for the dots at both ends, the share above and the dates below. */
const LEFT = 6;
const TOP = 20;
const BOTTOM = 20;

/** The share of skips over the last runs as lines, and the same numbers as a table. */
export function trendChart(points: readonly TrendPoint[]): Html {
  const [first] = points;
  const last = points.at(-1);
  if (first === undefined || last === undefined || points.length === 1) {
    return html`<figure class="chart">
<figcaption>Share of skips over time</figcaption>
<p class="none">One crawl is published so far. The trend starts with the second.</p>
</figure>`;
  }
  const lines = linesOf(points);
  const words = lines
    .map(({ name, counts }) => `${name} ${shareAt(points, counts, 0)}, then ${shareAt(points, counts, -1)}`)
    .join('; ');
  return html`<figure class="chart trend">
<figcaption>Share of skips over the last ${points.length} crawls</figcaption>
<svg role="img" viewBox="0 0 ${WIDTH} ${HEIGHT}" aria-label="${words}"><title>${words}</title>
<path class="axis" d="M0 ${HEIGHT - BOTTOM}H${WIDTH}"/>
${lines.map((line) => drawn(line, points, topOf(lines, points)))}<text class="quiet" x="0" y="${HEIGHT - 5}">${day(first)}</text>
<text class="quiet" x="${WIDTH}" y="${HEIGHT - 5}" text-anchor="end">${day(last)}</text>
</svg>
<p class="legend">${lines.map(({ look, name, counts }) => html`<span>${sample(look)} ${name} ${shareAt(points, counts, -1)}</span> `)}</p>
${numbersTable(points, lines)}
</figure>`;
}

interface Line {
  /** A solid or a dashed line: never colour alone. */
  readonly look: 'skips' | 'mismatches';
  readonly name: string;
  readonly counts: readonly number[];
}

function linesOf(points: readonly TrendPoint[]): readonly Line[] {
  const mismatches = points.flatMap((point) => point.mismatches ?? []);
  const skips: Line = { look: 'skips', name: 'Skip', counts: points.map((point) => point.skips) };
  if (mismatches.length < points.length) return [skips];
  return [skips, { look: 'mismatches', name: 'Differs from the list', counts: mismatches }];
}

/** The largest share, which is the height of the chart. */
function topOf(lines: readonly Line[], points: readonly TrendPoint[]): number {
  const shares = lines.flatMap(({ counts }) => counts.map((count, at) => count / coveredAt(points, at)));
  return Math.max(...shares) || 1;
}

function drawn({ look, counts }: Line, points: readonly TrendPoint[], top: number): Html {
  const room = HEIGHT - TOP - BOTTOM;
  const places = counts.map((count, at) => {
    const x = LEFT + ((WIDTH - 2 * LEFT) * at) / (counts.length - 1);
    const y = TOP + room * (1 - count / coveredAt(points, at) / top);
    return { x: x.toFixed(1), y: y.toFixed(1) };
  });
  return html`<g class="${look}"><polyline points="${places.map(({ x, y }) => `${x},${y}`).join(' ')}"/>${places.map(
    ({ x, y }) => html`<circle cx="${x}" cy="${y}" r="3"/>`,
  )}</g>
`;
}

function sample(look: Line['look']): Html {
  return html`<svg class="sample trend" aria-hidden="true" viewBox="0 0 28 8"><g class="${look}"><polyline points="0,4 28,4"/><circle cx="14" cy="4" r="3"/></g></svg>`;
}

function numbersTable(points: readonly TrendPoint[], lines: readonly Line[]): Html {
  return html`<details><summary>As a table</summary>
<table><thead><tr><th scope="col">Run</th><th scope="col" class="number">Endpoints</th>${lines.map(({ name }) => html`<th scope="col" class="number">${name}</th>`)}</tr></thead>
<tbody>
${points.map(
  (
    point,
    at,
  ) => html`<tr><th scope="row">${day(point)}</th><td class="number">${grouped(point.covered)}</td>${lines.map(
    ({ counts }) =>
      html`<td class="number">${grouped(counts[at] ?? 0)} (${shareAt(points, counts, at)})</td>`,
  )}</tr>
`,
)}</tbody></table>
</details>`;
}

function coveredAt(points: readonly TrendPoint[], at: number): number {
  return points.at(at)?.covered ?? 1;
}

function shareAt(points: readonly TrendPoint[], counts: readonly number[], at: number): string {
  return percent(counts.at(at) ?? 0, coveredAt(points, at));
}

function day({ crawledAt }: TrendPoint): Html {
  const iso = crawledAt.toISOString();
  return html`${iso.slice(0, 10)}`;
}
