import { html } from 'hono/html';
import { isAddress } from '../../core/x402/address.ts';
import { addressPage } from '../../core/x402/explorer.ts';
import { mainnetOf, parseNetwork } from '../../core/x402/networks.ts';
import { hashText } from './breakable.ts';
import { copyButton } from './copy-button.ts';
import type { Html } from './layout.ts';
import { linked } from './linked.ts';
import { payeeHref } from './page-hrefs.ts';
import { untrustedText } from './untrusted-text.ts';

const SHORT_CHARS = 14;

/** A shortened address with its explorer page, if there is one. With `what` it has a copy button for the full one. */
export function walletAddress(address: string, network: string | null, what: string | null = null): Html {
  const short = html`<code title="${untrustedText(address)}">${shortAddress(address)}</code>`;
  const page = explorerPage(address, network);
  const shown = page === null ? short : html`<a href="${page}" rel="noreferrer">${short}</a>`;
  return html`<span class="address">${shown}${copyOf(address, what)}</span>`;
}

/** A payee in full, because a look-alike can share both ends of an address. It leads to our page about it, and to the explorer's. */
export function payeeAddress(address: string, network: string | null, what: string | null): Html {
  const full = html`<code>${hashText(address)}</code>`;
  const page = explorerPage(address, network);
  return html`<span class="payee">${linked(payeeHref(address), full)}${copyOf(address, what)}${
    page === null ? '' : html` <a class="explorer" href="${page}" rel="noreferrer">explorer</a>`
  }</span>`;
}

/** The two ends of an address. */
export function shortAddress(address: string): string {
  const text = untrustedText(address);
  return text.length <= SHORT_CHARS ? text : `${text.slice(0, 6)}…${text.slice(-4)}`;
}

/** Text that is not shown verbatim must not be copied to the clipboard. */
function copyOf(address: string, what: string | null): Html | string {
  return what === null || untrustedText(address) !== address ? '' : html` ${copyButton(address, what)}`;
}

/** Only a valid address of a known network gets a link. */
function explorerPage(address: string, network: string | null): string | null {
  const caip2 = network === null ? null : parseNetwork(network);
  const mainnet = mainnetOf(caip2);
  if (caip2 === null || mainnet === null || !isAddress(address, mainnet.addresses)) return null;
  return addressPage(caip2, address);
}
