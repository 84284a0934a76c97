import { html } from 'hono/html';
import { isRedacted } from '../../core/url/redact-url.ts';
import { parseTargetUrl } from '../../core/url/target-url.ts';
import type { Links } from '../../wire/responses/links.ts';
import { codeBlock } from '../frame/code-block.ts';
import type { Html } from '../frame/layout.ts';
import type { ReceiptView } from './receipt-view.ts';

/** For the owner of the endpoint, whatever the verdict: what to do about it, and a badge to show it. */
export function ownerBox(view: ReceiptView, links: Links): Html {
  return html`<section class="panel owner" aria-labelledby="owner">
<h2 id="owner">Is this your endpoint?</h2>
<p><a href="/sellers">For sellers</a>: how to have it checked again at once, reply in public, and get notified of changes. The newest verdict counts;
every crawl checks all listed endpoints anyway.</p>
${lint(view)}${badgeOf(view, links)}</section>`;
}

/** The same rules on the owner's machine. Inside single quotes a shell reads nothing but the quote itself. */
function lint({ url, method }: ReceiptView): Html | string {
  const reading = parseTargetUrl(url);
  if (isRedacted(url) || reading.kind !== 'target' || reading.target.href.length > COMMAND_MAX_CHARS)
    return '';
  const quoted = `'${reading.target.href.replaceAll("'", '%27')}'`;
  return html`<p>Apply the same rules from your own machine before you publish:</p>
${codeBlock(`assay lint ${method === 'GET' ? '' : `--method ${method} `}${quoted}`, 'the lint command')}
`;
}

const COMMAND_MAX_CHARS = 2_048;

function badgeOf({ url, method }: ReceiptView, { base }: Links): Html | string {
  if (isRedacted(url)) return '';
  const query = new URLSearchParams({ url, ...(method === 'GET' ? {} : { method }) });
  const markup = `<a href="${base}/?${query}"><img src="${base}/badge.svg?${query}" alt="Assay verdict"></a>`;
  return html`<details>
<summary>A badge with the latest verdict for your own page</summary>
<p><img src="/badge.svg?${query}" alt="Badge with the latest verdict" height="20" loading="lazy"></p>
${codeBlock(markup, 'the badge markup')}
</details>`;
}
