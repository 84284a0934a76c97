import { html } from 'hono/html';
import type { RunFacets } from '../../core/receipt/crawl-facets.ts';
import type { CrawlRun, ListSource } from '../../core/receipt/crawl-run.ts';
import { EVERY_SKIP } from '../../core/receipt/skip-filter.ts';
import { isSetAside, isSkipCode, SKIP_WORDS } from '../../core/verdict/skip-codes.ts';
import { viewUrl } from '../../wire/requests/skips-request.ts';
import type { Links } from '../../wire/responses/links.ts';
import type { Html } from '../frame/layout.ts';
import { grouped, percent } from '../frame/numbers.ts';
import { isPlain, untrustedText } from '../frame/untrusted-text.ts';
import { rankingChart } from './chart-ranking.ts';
import { shareChart } from './chart-share.ts';

/** The results of the run: numbers, charts and a table of its lists. */
export function runCharts({ summary, sources }: CrawlRun, links: Links): Html {
  const { verdicts, needsInput, facets } = summary;
  const skips = verdicts.skip - needsInput;
  return html`<div class="charts">
${shareChart({
  title: 'Verdicts of all receipts',
  parts: [
    { look: 'skip', name: 'Skip', count: skips },
    ...(needsInput === 0 ? [] : [{ look: 'aside', name: 'Needs input first', count: needsInput } as const]),
    { look: 'recheck', name: 'Recheck', count: verdicts.recheck },
    { look: 'pay', name: 'Pay', count: verdicts.pay },
  ],
})}
${facets === null || skips === 0 ? '' : reasonsChart(facets, skips, links)}
</div>
${facets === null ? '' : listsTable(facets.lists, sources, links)}`;
}

function reasonsChart({ reasons }: RunFacets, total: number, { skips }: Links): Html {
  const ranked = [...reasons]
    .flatMap(([code, count]) => (isSkipCode(code) && !isSetAside(code) ? [{ code, count }] : []))
    .sort((left, right) => right.count - left.count)
    .map(({ code, count }) => ({
      name: SKIP_WORDS[code],
      count,
      href: viewUrl(skips, { ...EVERY_SKIP, reason: code }, null),
    }));
  return rankingChart({ title: 'Why endpoints are skipped', what: 'Reason', total, ranked });
}

const LISTS_MAX = 50;
/** The filter parameter accepts no longer name. */
const LIST_MAX_CHARS = 255;
const NOTHING = { rows: 0, skips: 0, disagree: 0, setAside: 0 };

function listsTable(lists: RunFacets['lists'], sources: CrawlRun['sources'], { skips }: Links): Html {
  const names = [...new Set([...lists.keys(), ...sources.keys()])];
  const rows = names
    .map((name) => ({ name, source: sources.get(name), ...(lists.get(name) ?? NOTHING) }))
    .sort((left, right) => right.rows - left.rows)
    .slice(0, LISTS_MAX);
  return html`<h2>The lists</h2>
<p>Each endpoint counts once, under the list whose claim was compared. It disagrees if its live 402 has another price,
network or payee than that list says.</p>
<div class="wide" role="region" aria-label="The lists" tabindex="0">
<table>
<caption>Lists by number of endpoints</caption>
<thead><tr><th scope="col">List</th><th scope="col" class="number">Endpoints</th><th scope="col" class="number">Skip</th>
<th scope="col" class="number">Disagree</th><th scope="col">Share that disagrees</th><th scope="col">Status</th></tr></thead>
<tbody>
${rows.map(
  ({ name, rows: all, skips: listed, setAside, disagree, source }) => html`<tr><th scope="row">${
    listed === 0 || !isPlain(name, LIST_MAX_CHARS)
      ? html`<bdi>${untrustedText(name, 80)}</bdi>`
      : html`<a href="${viewUrl(skips, { ...EVERY_SKIP, list: name }, null)}"><bdi>${untrustedText(name, 80)}</bdi></a>`
  }</th>
<td class="number">${grouped(all)}</td><td class="number">${grouped(listed - setAside)}</td><td class="number">${grouped(disagree)}</td>
<td>${shareBar(disagree, all)}${all === 0 ? '' : percent(disagree, all)}</td><td><bdi>${readingOf(source)}</bdi></td></tr>
`,
)}</tbody>
</table>
</div>`;
}

function shareBar(part: number, whole: number): Html | string {
  if (whole === 0) return '';
  const width = ((100 * part) / whole).toFixed(1);
  return html`<svg class="bar" aria-hidden="true" viewBox="0 0 100 10" preserveAspectRatio="none"><rect class="fill-line" width="100" height="10"/><rect class="fill-skip" width="${width}" height="10"/></svg> `;
}

function readingOf(source: ListSource | undefined): string {
  if (source === undefined) return '';
  const note = untrustedText(source.note, 120);
  if (source.ok && !source.skipped) return note === '' ? 'read' : note;
  const how = source.skipped ? 'skipped' : 'failed';
  return note === '' ? how : `${how}: ${note}`;
}
