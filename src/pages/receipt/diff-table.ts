import { html } from 'hono/html';
import type { DiffField, DiffRow } from '../../core/receipt/terms-diff.ts';
import type { Html } from '../frame/layout.ts';
import { untrustedText } from '../frame/untrusted-text.ts';
import { walletAddress } from '../frame/wallet-address.ts';
import type { ReceiptView } from './receipt-view.ts';

const NAMES: Readonly<Record<DiffField, string>> = {
  price: 'Price',
  network: 'Network',
  asset: 'Token',
  payee: 'Payee',
  method: 'Method',
};

const STATES: Readonly<Record<DiffRow['state'], string>> = {
  same: 'same',
  different: 'different',
  unknown: 'not compared',
};

/** Expected and live terms side by side; differences stand out. */
export function diffTable({ diff, claimedBy, claim, network }: ReceiptView): Html {
  return html`<table class="diff rows">
<thead><tr><th scope="col">Term</th><th scope="col">${claimedBy}</th><th scope="col">Live</th><th scope="col">Compared</th></tr></thead>
<tbody>
${diff.map(
  (row) => html`<tr class="${row.state}"><th scope="row">${NAMES[row.field]}</th>
<td data-label="${claimedBy}">${value(row.field, row.claimed, claim.network, 'expected')}</td>
<td data-label="Live">${value(row.field, row.live, network, 'live')}</td>
<td data-label="Compared">${STATES[row.state]}</td></tr>
`,
)}</tbody>
</table>`;
}

type Side = 'expected' | 'live';

function value(field: DiffField, text: string | null, network: string | null, side: Side): Html | string {
  if (text === null) return html`<span class="none">${side === 'live' ? 'unknown' : 'not given'}</span>`;
  if (field === 'price') return `$${text}`;
  if (field !== 'asset' && field !== 'payee') return html`<bdi>${untrustedText(text)}</bdi>`;
  return walletAddress(text, network, `the ${side} ${NAMES[field].toLowerCase()}`);
}
