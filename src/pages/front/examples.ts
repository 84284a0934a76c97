import { html } from 'hono/html';
import type { Service } from '../../core/catalog/read-catalog.ts';
import type { CrawlReceipt } from '../../core/receipt/crawl-receipt.ts';
import { isRedacted } from '../../core/url/redact-url.ts';
import { parseTargetUrl } from '../../core/url/target-url.ts';
import { breakable } from '../frame/breakable.ts';
import type { Html } from '../frame/layout.ts';
import { CHECK_PATH } from './check-form.ts';

interface Example {
  readonly words: string;
  readonly url: string;
  readonly method: string;
}

/** One click each: a dry run, which uses no free check. Endpoints that somebody has listed, so that they are no secret. */
export function examples(service: Service | null, featured: CrawlReceipt | null): Html | string {
  const shown: readonly Example[] = [
    ...(service === null
      ? []
      : [{ words: 'a listed service', url: service.endpoint.href, method: service.method }]),
    ...(featured === null || !canBeAsked(featured.url)
      ? []
      : [{ words: 'the largest mismatch', url: featured.url, method: featured.method }]),
  ];
  if (shown.length === 0) return '';
  return html`<div class="examples"><p class="quiet">Or try a dry run of</p>
${shown.map(button)}</div>`;
}

function button({ words, url, method }: Example): Html {
  const host = parseTargetUrl(url);
  return html`<form method="post" action="${CHECK_PATH}"><input type="hidden" name="url" value="${url}"><input type="hidden" name="method" value="${method}"><input type="hidden" name="mode" value="dry-run"><button>${words}<span class="quiet"> ${breakable(host.kind === 'target' ? host.target.host : '', 40)}</span></button></form>
`;
}

function canBeAsked(url: string): boolean {
  return !isRedacted(url) && parseTargetUrl(url).kind === 'target';
}
