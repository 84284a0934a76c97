import { html } from 'hono/html';
import type { Html } from './layout.ts';

/** A link, or only its text where there is no page to lead to. */
export function linked(href: string | null, content: Html): Html {
  return href === null ? content : html`<a href="${href}">${content}</a>`;
}
