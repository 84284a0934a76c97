import { html } from 'hono/html';
import type { Html } from './layout.ts';

/** Hidden until the script activates it; `what` is for screen readers. */
export function copyButton(text: string, what: string, label = 'Copy'): Html {
  return html`<button type="button" class="copy" data-copy="${text}" hidden>${label}<span class="unseen"> ${what}</span></button>`;
}
