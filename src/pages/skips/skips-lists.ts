import { html } from 'hono/html';
import type { ListFacet, RunFacets } from '../../core/receipt/crawl-facets.ts';
import type { CrawlRun, ListSource } from '../../core/receipt/crawl-run.ts';
import { EVERY_SKIP } from '../../core/receipt/skip-filter.ts';
import { viewUrl } from '../../wire/requests/skips-request.ts';
import type { Links } from '../../wire/responses/links.ts';
import { breakable, breakableWords } from '../frame/breakable.ts';
import type { Html } from '../frame/layout.ts';
import { grouped, percent } from '../frame/numbers.ts';
import { isPlain } from '../frame/untrusted-text.ts';

const LISTS_MAX = 50;
const LIST_SHOWN_CHARS = 80;
const NOTE_SHOWN_CHARS = 120;
const HOLDERS_NAMED = 3;
/** The filter parameter accepts no longer name. */
const LIST_MAX_CHARS = 255;

interface List {
  readonly name: string;
  /** Its URLs, whichever list they are compared with. */
  readonly listed: number;
  /** Null if no URL was compared with what this list says. */
  readonly compared: ListFacet | null;
  readonly source: ListSource | undefined;
}

/** How much of each list disagrees. A list without comparisons has words instead of zeros, which would read as spotless. */
export function listsTable({ summary, sources }: CrawlRun, facets: RunFacets, { skips }: Links): Html {
  const names = [...new Set([...summary.listedIn.keys(), ...facets.lists.keys(), ...sources.keys()])];
  const lists = names
    .map((name): List => {
      const compared = facets.lists.get(name) ?? null;
      const listed = Math.max(summary.listedIn.get(name) ?? 0, compared?.rows ?? 0);
      return { name, listed, compared, source: sources.get(name) };
    })
    .sort((left, right) => right.listed - left.listed)
    .slice(0, LISTS_MAX);
  const holders = [...facets.lists.keys()];
  return html`<h2>The lists</h2>
<p>An endpoint that is on several lists is compared once, under the list whose claim counted. It disagrees if its live 402
has another price, network or payee than that list says.</p>
<table class="rows lists">
<caption>Lists by number of endpoints</caption>
<thead><tr><th scope="col">List</th><th scope="col" class="number">Listed</th><th scope="col" class="number">Compared here</th>
<th scope="col" class="number">Skip</th><th scope="col" class="number">Disagree</th><th scope="col">Reading the list</th></tr></thead>
<tbody>
${lists.map((list) => html`<tr><th scope="row">${nameOf(list, skips)}</th>${numbersOf(list, holders)}<td data-label="Reading">${readingOf(list.source)}</td></tr>\n`)}</tbody>
</table>`;
}

function nameOf({ name, compared }: List, skips: string): Html {
  const shown = breakable(name, LIST_SHOWN_CHARS);
  if (compared === null || compared.skips === 0 || !isPlain(name, LIST_MAX_CHARS)) return shown;
  return html`<a href="${viewUrl(skips, { ...EVERY_SKIP, list: name }, null)}">${shown}</a>`;
}

function numbersOf({ listed, compared, source }: List, holders: readonly string[]): Html {
  if (compared !== null) {
    const { rows, skips, setAside, disagree } = compared;
    return html`${listedCell(listed)}<td class="number" data-label="Compared here">${grouped(rows)}</td>
<td class="number" data-label="Skip">${grouped(skips - setAside)}</td><td class="number" data-label="Disagree">${grouped(disagree)} (${percent(disagree, rows)})</td>`;
  }
  if (listed > 0) return html`${listedCell(listed)}<td colspan="3">${elsewhere(listed, holders)}</td>`;
  const isRead = source?.ok === true && !source.skipped;
  return html`<td colspan="4">${isRead ? 'No endpoint of it is in this run.' : 'Not read, so nothing is known about it.'}</td>`;
}

function listedCell(listed: number): Html {
  return html`<td class="number" data-label="Listed">${grouped(listed)}</td>`;
}

/** A run does not count which list won an endpoint of which other one: with few candidates their names say enough. */
function elsewhere(listed: number, holders: readonly string[]): Html {
  const whose = listed === 1 ? 'Its endpoint is' : `Its ${grouped(listed)} endpoints are`;
  if (holders.length > HOLDERS_NAMED) return html`${whose} compared under other lists.`;
  const names = holders.map(
    (name, index) => html`${index === 0 ? '' : ' or '}${breakable(name, LIST_SHOWN_CHARS)}`,
  );
  return html`${whose} compared under ${names}.`;
}

function readingOf(source: ListSource | undefined): Html | string {
  if (source === undefined) return '';
  const { ok, skipped, note } = source;
  const words = note === '' ? '' : breakableWords(note, NOTE_SHOWN_CHARS);
  if (ok && !skipped) return note === '' ? 'read' : words;
  const how = skipped ? 'skipped' : 'failed';
  return note === '' ? how : html`${how}: ${words}`;
}
