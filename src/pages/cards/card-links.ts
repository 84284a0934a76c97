import type { CrawlRun } from '../../core/receipt/crawl-run.ts';
import type { Links } from '../../wire/responses/links.ts';
import type { PageParts } from '../frame/layout.ts';
import type { ShownVerdict } from '../receipt/shown-verdict.ts';

type CardLink = NonNullable<PageParts['card']>;

/**
 * The picture of a receipt. Those who show previews keep a picture by its address, so that the address changes with what is shown;
 * the answer is the same with and without the query.
 */
export function cardOfReceipt(links: Links, id: string, { tone, headline }: ShownVerdict): CardLink {
  return { href: `${links.receipt(id)}.png?shows=${tone}`, alt: `Assay receipt. ${headline}` };
}

export function cardOfSkips({ base }: Links, run: CrawlRun | null): CardLink {
  const day = run === null ? '' : `?crawled=${run.crawledAt.toISOString().slice(0, 10)}`;
  return { href: `${base}/cards/skips.png${day}`, alt: 'The number of listed x402 endpoints to skip' };
}

export function cardOfService({ base }: Links, id: string): CardLink {
  return { href: `${base}/cards/service-${id}.png`, alt: `Results of our own paid calls to ${id}` };
}

export function cardOfSite({ base }: Links): CardLink {
  return { href: `${base}/cards/site.png`, alt: 'Ask before you pay: pay, skip or recheck' };
}
