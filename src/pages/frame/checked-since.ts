import { html } from 'hono/html';
import type { Retest } from '../../ports/seller.ts';
import type { Links } from '../../wire/responses/links.ts';
import type { Html } from './layout.ts';
import { shownTime } from './shown-time.ts';
import { verdictMark } from './verdict-mark.ts';

/** A re-test that is newer than what the page is about. */
export function checkedSince({ verdict, needsInput, receiptId, checkedAt }: Retest, links: Links): Html {
  const found = needsInput ? 'needs input' : verdictMark(verdict);
  return html`<p class="since">Checked again since: <a href="${links.receipt(receiptId)}">${found}</a>, ${shownTime(checkedAt)}</p>`;
}
