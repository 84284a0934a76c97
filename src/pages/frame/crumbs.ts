import { html } from 'hono/html';
import type { Html } from './layout.ts';

/** Where a page is: from the general to the special, without the page itself. Names are ours or cleaned. */
export function crumbs(above: readonly { readonly href: string; readonly name: string }[]): Html {
  return html`<nav class="crumbs" aria-label="Breadcrumb"><ol>${above.map(({ href, name }) => html`<li><a href="${href}">${name}</a></li>`)}</ol></nav>`;
}
