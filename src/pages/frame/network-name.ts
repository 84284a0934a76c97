import { html } from 'hono/html';
import { mainnetOf, parseNetwork } from '../../core/x402/networks.ts';
import type { Html } from './layout.ts';
import { untrustedText } from './untrusted-text.ts';

/** "Base" for eip155:8453, which stays readable for those who need it; the code alone for other networks. */
export function networkName(network: string): Html {
  const mainnet = mainnetOf(parseNetwork(network));
  if (mainnet === null) return html`<code>${untrustedText(network, 80)}</code>`;
  const name = `${mainnet.name.slice(0, 1).toUpperCase()}${mainnet.name.slice(1)}`;
  return html`<span title="${mainnet.network}">${name}</span><span class="unseen"> (${mainnet.network})</span>`;
}
