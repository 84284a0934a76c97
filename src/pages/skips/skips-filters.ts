import { html } from 'hono/html';
import { SKIP_SEARCH_MAX_CHARS } from '../../core/limits.ts';
import type { CrawlRun } from '../../core/receipt/crawl-run.ts';
import { EVERY_SKIP, type SkipFilter } from '../../core/receipt/skip-filter.ts';
import { SKIP_CODES, SKIP_WORDS } from '../../core/verdict/skip-codes.ts';
import { MAINNETS } from '../../core/x402/networks.ts';
import type { SkipView } from '../../flows/read/list-crawl.ts';
import type { Links } from '../../wire/responses/links.ts';
import type { Html } from '../frame/layout.ts';
import { grouped } from '../frame/numbers.ts';
import { isPlain, untrustedText } from '../frame/untrusted-text.ts';

/** A form that needs no script: its fields are the parameters of the page. */
export function filterForm(run: CrawlRun | null, filter: SkipFilter, links: Links): Html {
  const { reason, list, network, host, search, sort } = filter;
  return html`<form method="get" action="/v1/skips" role="search" aria-label="Filter the skips" class="filters">
<label>Reason <select name="reason">${options(reasonChoices(run), reason, 'Any reason')}</select></label>
<label>List <select name="list">${options(listChoices(run), list, 'Any list')}</select></label>
<label>Network <select name="network">${options(networkChoices(run), network, 'Any network')}</select></label>
<label>Host <input type="text" name="host" value="${host ?? ''}" maxlength="255" autocapitalize="none" spellcheck="false" placeholder="api.example.com"></label>
<label>URL contains <input type="search" name="q" value="${search ?? ''}" maxlength="${SKIP_SEARCH_MAX_CHARS}" autocapitalize="none" spellcheck="false"></label>
<label>Order <select name="sort">${options(ORDERS, sort === 'url' ? null : sort, 'By URL')}</select></label>
<p class="buttons"><button type="submit">Show</button> <a href="${links.skips}">All skips</a></p>
</form>`;
}

interface Choice {
  readonly value: string;
  readonly words: string;
}

const ORDERS: readonly Choice[] = [{ value: 'price_gap', words: 'Widest price gap first' }];

/** A requested value that the run does not have is still shown as selected. */
function options(choices: readonly Choice[], chosen: string | null, any: string): Html[] {
  const known = chosen === null || choices.some(({ value }) => value === chosen);
  const all = known ? choices : [...choices, { value: chosen, words: untrustedText(chosen, 80) }];
  return [
    html`<option value="">${any}</option>`,
    ...all.map(
      ({ value, words }) =>
        html`<option value="${value}"${value === chosen ? html` selected` : ''}>${words}</option>`,
    ),
  ];
}

function reasonChoices(run: CrawlRun | null): Choice[] {
  const reasons = run?.summary.facets?.reasons;
  const words: Readonly<Record<string, string>> = SKIP_WORDS;
  return SKIP_CODES.map((code) => ({ value: code, words: counted(words[code] ?? code, reasons?.get(code)) }));
}

const LISTS_MAX = 50;
/** The filter parameter accepts no longer name. */
const LIST_MAX_CHARS = 255;

function listChoices(run: CrawlRun | null): Choice[] {
  const facets = run?.summary.facets?.lists;
  const names = [...(run?.summary.lists.keys() ?? [])].filter((name) => isPlain(name, LIST_MAX_CHARS));
  return names.slice(0, LISTS_MAX).map((name) => ({
    value: name,
    words: counted(untrustedText(name, 80), facets?.get(name)?.skips),
  }));
}

function networkChoices(run: CrawlRun | null): Choice[] {
  const networks = [...(run?.summary.facets?.networks ?? [])];
  return networks.map(([network, count]) => ({
    value: network,
    words: counted(networkWords(network), count),
  }));
}

function networkWords(network: string): string {
  const known = MAINNETS.find((mainnet) => mainnet.network === network);
  return known === undefined ? untrustedText(network, 60) : `${known.name} (${network})`;
}

function counted(words: string, count: number | undefined): string {
  return count === undefined ? words : `${words}: ${grouped(count)}`;
}

/** A sentence about the list below. */
export function viewWords(run: CrawlRun | null, view: SkipView | null): string {
  const all = run?.summary.verdicts.skip ?? 0;
  const aside = run?.summary.needsInput ?? 0;
  if (view === null) {
    const skips = all - aside === 1 ? '1 skip' : `${grouped(all - aside)} skips`;
    return aside === 0 ? skips : `${skips}, and ${grouped(aside)} set aside`;
  }
  const asked = membersOf(view.filter);
  const shown = `${grouped(view.matches)} of ${grouped(all)} skips${aside === 0 ? '' : ', those set aside included'}`;
  return asked.length === 0 ? shown : `${shown}: ${asked.join(', ')}`;
}

function membersOf({ reason, list, network, host, search, sort }: SkipFilter): string[] {
  return [
    ...(reason === null ? [] : [SKIP_WORDS[reason].toLowerCase()]),
    ...(list === null ? [] : [`on ${untrustedText(list, 80)}`]),
    ...(network === null ? [] : [`on ${untrustedText(networkWords(network), 80)}`]),
    ...(host === null ? [] : [`at ${untrustedText(host, 80)}`]),
    ...(search === null ? [] : [`with “${untrustedText(search, 100)}” in the URL`]),
    ...(sort === 'url' ? [] : ['by price gap']),
  ];
}

export function filterOf(view: SkipView | null): SkipFilter {
  return view?.filter ?? EVERY_SKIP;
}
