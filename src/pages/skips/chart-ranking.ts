import { html } from 'hono/html';
import type { Html } from '../frame/layout.ts';
import { grouped, percent } from '../frame/numbers.ts';

export interface Ranked {
  readonly name: string;
  readonly count: number;
  /** The link to the matching skips. */
  readonly href: string;
}

export interface RankingParts {
  readonly title: string;
  /** The heading of the column of names. */
  readonly what: string;
  readonly total: number;
  readonly ranked: readonly Ranked[];
}

const WIDTH = 360;
const ROW = 34;
const BAR = 10;

/** Bars in the given order, and the same as a table with links. The names are our own and short. */
export function rankingChart({ title, what, total, ranked }: RankingParts): Html {
  const most = Math.max(1, ...ranked.map(({ count }) => count));
  const words = ranked.map(({ name, count }) => `${name} ${grouped(count)}`).join(', ');
  return html`<figure class="chart">
<figcaption>${title}</figcaption>
<svg role="img" viewBox="0 0 ${WIDTH} ${ROW * ranked.length}" aria-label="${title}: ${words}"><title>${title}: ${words}</title>
${ranked.map(({ name, count }, row) => bar(name, count, { row, most, total }))}</svg>
<details><summary>As a table with links</summary>
<table><thead><tr><th scope="col">${what}</th><th scope="col" class="number">Skips</th><th scope="col" class="number">Share</th></tr></thead>
<tbody>
${ranked.map(({ name, count, href }) => html`<tr><th scope="row"><a href="${href}">${name}</a></th><td class="number">${grouped(count)}</td><td class="number">${percent(count, total)}</td></tr>\n`)}</tbody></table>
</details>
</figure>`;
}

interface Place {
  readonly row: number;
  readonly most: number;
  readonly total: number;
}

function bar(name: string, count: number, { row, most, total }: Place): Html {
  const top = row * ROW;
  const width = Math.max(1, (WIDTH * count) / most).toFixed(1);
  return html`<text x="0" y="${top + 13}">${name}</text><text class="quiet" x="${WIDTH}" y="${top + 13}" text-anchor="end">${grouped(count)} · ${percent(count, total)}</text>
<rect class="fill-line" y="${top + 18}" width="${WIDTH}" height="${BAR}" rx="2"/><rect class="fill-skip" y="${top + 18}" width="${width}" height="${BAR}" rx="2"/>
`;
}
