import { html } from 'hono/html';
import type { DiffRow } from '../../core/receipt/terms-diff.ts';
import type { Html } from '../frame/layout.ts';
import { walletAddress } from '../frame/wallet-address.ts';
import type { ReceiptView } from './receipt-view.ts';
import { shownPair, shownTerm, TERM_NAMES, type Term } from './shown-term.ts';

const STATES: Readonly<Record<DiffRow['state'], string>> = {
  same: 'same',
  different: 'different',
  unknown: 'not compared',
};

/** Expected and live terms side by side, what differs first. */
export function diffTable(view: ReceiptView): Html {
  const { claimedBy } = view;
  const diff = view.diff.filter(isTold);
  if (diff.length === 0)
    return html`<p>There is nothing to compare: neither expected nor live terms are known.</p>`;
  // The terms to sign have a copy button of their own.
  const copied = view.approved === null ? 'the live payee' : null;
  const rows = [...diff.filter(differs), ...diff.filter((row) => !differs(row))];
  return html`<table class="diff rows">
<caption class="unseen">${claimedBy} and live terms</caption>
<thead><tr><th scope="col">Term</th><th scope="col">${claimedBy}</th><th scope="col">Live</th><th scope="col">Compared</th></tr></thead>
<tbody>
${rows.map(
  (row) => html`<tr class="${row.state}"><th scope="row">${TERM_NAMES[row.field]}</th>
<td data-label="${claimedBy}">${cell(claimedOf(row, view), 'not given', row.state)}</td>
<td data-label="Live">${cell(liveOf(row, view), 'unknown', row.state, copied)}</td>
<td data-label="Compared">${STATES[row.state]}</td></tr>
`,
)}</tbody>
</table>`;
}

/** What differs, in words; empty when nothing does. */
export function differences(view: ReceiptView): Html | string {
  const pairs = view.diff.filter(differs).flatMap((row) => {
    const [claimed, live] = [claimedOf(row, view), liveOf(row, view)];
    return claimed === null || live === null ? [] : [{ field: row.field, pair: shownPair(claimed, live) }];
  });
  if (pairs.length === 0) return '';
  return html`<ul class="differs">
${pairs.map(({ field, pair: [claimed, live] }) => html`<li>${TERM_NAMES[field]}: ${VERBS[view.claimedBy]} ${claimed}, live ${live}</li>\n`)}</ul>`;
}

/** What was compared and is the same; empty when nothing is. */
export function sameTerms(view: ReceiptView): string {
  const same = view.diff
    .filter(({ state }) => state === 'same')
    .map(({ field }) => TERM_NAMES[field].toLowerCase());
  return same.length === 0 ? '' : `As ${VERBS[view.claimedBy]}: ${same.join(', ')}.`;
}

const VERBS: Readonly<Record<ReceiptView['claimedBy'], string>> = {
  Listed: 'listed',
  Expected: 'expected',
  'The caller expected': 'expected',
  'Caller and listing': 'expected',
};

/** Something is known, and of the method more than that we used it. */
function isTold({ field, claimed, live }: DiffRow): boolean {
  return claimed !== null || (live !== null && field !== 'method');
}

function differs({ state }: DiffRow): boolean {
  return state === 'different';
}

function claimedOf({ field, claimed: text }: DiffRow, { claim }: ReceiptView): Term | null {
  return text === null ? null : { field, text, network: claim.network };
}

function liveOf({ field, live: text }: DiffRow, { network }: ReceiptView): Term | null {
  return text === null ? null : { field, text, network };
}

/** A payee in full, unless both sides are the same and its ends are enough. */
function cell(
  term: Term | null,
  absent: string,
  state: DiffRow['state'],
  copied: string | null = null,
): Html | string {
  if (term === null) return html`<span class="none">${absent}</span>`;
  if (term.field === 'payee' && state === 'same') return walletAddress(term.text, term.network, copied);
  return shownTerm(term, copied);
}
