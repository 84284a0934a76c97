import { html } from 'hono/html';
import { isAddress } from '../../core/x402/address.ts';
import { addressPage } from '../../core/x402/explorer.ts';
import { mainnetOf, parseNetwork } from '../../core/x402/networks.ts';
import { copyButton } from './copy-button.ts';
import type { Html } from './layout.ts';
import { untrustedText } from './untrusted-text.ts';

const SHORT_CHARS = 14;

/** A shortened address with a copy button for the full one, and a link to its explorer page if there is one. */
export function walletAddress(address: string, network: string | null, what: string): Html {
  const short = html`<code title="${untrustedText(address)}">${shortened(address)}</code>`;
  const page = pageAbout(address, network);
  const linked = page === null ? short : html`<a href="${page}" rel="noreferrer">${short}</a>`;
  // Text that is not shown verbatim must not be copied to the clipboard.
  const copy = untrustedText(address) === address ? copyButton(address, what) : '';
  return html`<span class="address">${linked} ${copy}</span>`;
}

function shortened(address: string): string {
  const text = untrustedText(address);
  return text.length <= SHORT_CHARS ? text : `${text.slice(0, 6)}…${text.slice(-4)}`;
}

/** Only a valid address of a known network gets a link. */
function pageAbout(address: string, network: string | null): string | null {
  const caip2 = network === null ? null : parseNetwork(network);
  const mainnet = mainnetOf(caip2);
  if (caip2 === null || mainnet === null || !isAddress(address, mainnet.addresses)) return null;
  return addressPage(caip2, address);
}
