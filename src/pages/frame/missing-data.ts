import { html } from 'hono/html';
import type { Html } from './layout.ts';

/** What a new service does not have yet, and the command by which its operator changes that. */
export const NO_CRAWL: Html = html`No crawl has been published yet. The operator of this service starts one with <code>npx assay crawl</code>, or every week with
<code>CRAWL=weekly</code>.`;

export const NO_PAID_CALLS: Html = html`No call has been paid for yet, so nothing is graded. The operator of this service makes paid calls with
<code>npx assay verify</code>.`;
