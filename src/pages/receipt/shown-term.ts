import { html } from 'hono/html';
import type { DiffField } from '../../core/receipt/terms-diff.ts';
import { isSameAddress } from '../../core/x402/address.ts';
import { mainnetOf, parseNetwork } from '../../core/x402/networks.ts';
import type { Html } from '../frame/layout.ts';
import { networkName } from '../frame/network-name.ts';
import { untrustedText } from '../frame/untrusted-text.ts';
import { payeeAddress, shortAddress, walletAddress } from '../frame/wallet-address.ts';

export const TERM_NAMES: Readonly<Record<DiffField, string>> = {
  price: 'Price',
  network: 'Network',
  asset: 'Token',
  payee: 'Payee',
  method: 'Method',
};

export interface Term {
  readonly field: DiffField;
  readonly text: string;
  /** Where the token or the payee is. */
  readonly network: string | null;
}

/** A term for a table: networks and tokens by name, a payee in full. */
export function shownTerm({ field, text, network }: Term, copied: string | null = null): Html | string {
  switch (field) {
    case 'price':
      return `$${text}`;
    case 'network':
      return networkName(text);
    case 'asset':
      return html`${isUsdc(text, network) ? 'USDC ' : 'another token '}${walletAddress(text, network)}`;
    case 'payee':
      return payeeAddress(text, network, copied);
    case 'method':
      return html`<code>${untrustedText(text)}</code>`;
  }
}

/** Both sides of a difference for a sentence. Ends of addresses are enough, unless it is the ends that are alike. */
export function shownPair(claimed: Term, live: Term): readonly [Html | string, Html | string] {
  const isLong = claimed.field === 'payee' || claimed.field === 'asset';
  if (!isLong || shortAddress(claimed.text) === shortAddress(live.text))
    return [shownTerm(claimed), shownTerm(live)];
  return [brief(claimed), brief(live)];
}

function brief({ text }: Term): Html {
  return html`<code title="${untrustedText(text)}">${shortAddress(text)}</code>`;
}

function isUsdc(asset: string, network: string | null): boolean {
  const mainnet = network === null ? null : mainnetOf(parseNetwork(network));
  return mainnet !== null && isSameAddress(asset, mainnet.usdc);
}
