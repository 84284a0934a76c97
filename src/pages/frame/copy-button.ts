import { html } from 'hono/html';
import type { Html } from './layout.ts';

const TWO_SHEETS = html`<svg viewBox="0 0 16 16" aria-hidden="true" focusable="false"><path d="M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3"/></svg>`;

/** Hidden until the script activates it. `what` is for screen readers; with a label it is not only an icon. */
export function copyButton(text: string, what: string, label: string | null = null): Html {
  return html`<button type="button" class="copy" data-copy="${text}" title="Copy ${what}" hidden>${label ?? html`${TWO_SHEETS}<span class="unseen">Copy ${what}</span>`}</button>`;
}
