import { html } from 'hono/html';
import { copyButton } from './copy-button.ts';
import type { Html } from './layout.ts';

/** Text to copy. The block can be focused and scrolled with the keyboard. */
export function codeBlock(text: string, what: string): Html {
  return html`<div class="code"><pre tabindex="0" role="region" aria-label="${what}"><code>${text}</code></pre>${copyButton(text, what)}</div>`;
}
