import { html } from 'hono/html';
import type { CatalogSort, CatalogView } from '../../core/catalog/browse-ranking.ts';
import { CATALOG_PAGE } from '../../core/limits.ts';
import type { Html } from '../frame/layout.ts';
import { untrustedText } from '../frame/untrusted-text.ts';

/** Each order as a choice, and after "sorted by". */
export const ORDER_WORDS: Readonly<Record<CatalogSort, readonly [choice: string, caption: string]>> = {
  rank: ['Rank', 'rank: pass rate, then price'],
  price: ['Price', 'price'],
  passed: ['Pass rate, lower bound', 'the lower bound of the pass rate'],
  last: ['Last paid call', 'last paid call'],
  name: ['Name', 'name'],
};

/** A form that needs no script: its fields are the parameters of the page. */
export function catalogFilters(view: CatalogView, tasks: ReadonlyMap<string, readonly string[]>): Html {
  const { task, search, paidOnly, sort } = view;
  return html`<form method="get" action="/catalog" role="search" aria-label="Filter the catalog" class="filters">
<label>Task <select name="task"><option value="">Any task</option>
${[...tasks].map(([name, ids]) => option(name, `${name}: ${ids.length}`, task))}</select></label>
<label>Name, provider or description <input type="search" name="q" value="${search ?? ''}" maxlength="${CATALOG_PAGE.searchMaxChars}" autocapitalize="none" spellcheck="false"></label>
<label>Order <select name="sort">${Object.entries(ORDER_WORDS).map(([value, [words]]) => option(value, words, sort))}</select></label>
<label class="tick"><input type="checkbox" name="paid" value="1"${paidOnly ? html` checked` : ''}> Only with paid calls</label>
<p class="buttons"><button type="submit">Show</button> <a href="/catalog">All services</a></p>
</form>`;
}

function option(value: string, words: string, chosen: string | null): Html {
  return html`<option value="${value}"${value === chosen ? html` selected` : ''}>${words}</option>\n`;
}

/** What is shown, in words. */
export function viewWords({ task, search, paidOnly }: CatalogView, matched: number): string {
  return [
    `${matched} ${matched === 1 ? 'service' : 'services'}`,
    ...(task === null ? [] : [`for ${task}`]),
    ...(search === null ? [] : [`with “${untrustedText(search, CATALOG_PAGE.searchMaxChars)}”`]),
    ...(paidOnly ? ['with paid calls'] : []),
  ].join(' ');
}
