import { html } from 'hono/html';
import type { CrawlReceipt } from '../../core/receipt/crawl-receipt.ts';
import type { CrawlRun } from '../../core/receipt/crawl-run.ts';
import type { Links } from '../../wire/responses/links.ts';
import { untrustedText } from '../frame/untrusted-text.ts';

export const ATOM_TYPE = 'application/atom+xml; charset=utf-8';

/** Atom 1.0 of the skips that are new in this run. The template escapes for XML as well as for HTML. */
export async function skipsFeed(
  run: CrawlRun | null,
  newest: readonly CrawlReceipt[],
  links: Links,
): Promise<string> {
  const updated = newest[0]?.checkedAt ?? run?.crawledAt ?? BEFORE_ALL;
  return String(
    await html`<?xml version="1.0" encoding="UTF-8"?>
<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en">
<id>${links.skipsAtom}</id>
<title>Assay: new endpoints to skip</title>
<subtitle>Listed x402 endpoints that are skip in the latest crawl and were not in the previous one.</subtitle>
<updated>${updated.toISOString()}</updated>
<author><name>Assay</name></author>
<link rel="self" type="application/atom+xml" href="${links.skipsAtom}"/>
<link rel="alternate" type="text/html" href="${links.skips}"/>
${newest.map((receipt) => entry(receipt, links))}</feed>
`,
  );
}

/** A feed needs a time, also before the first run. */
const BEFORE_ALL = new Date(0);
const TITLE_MAX_CHARS = 300;
const SUMMARY_MAX_CHARS = 500;

function entry({ id, method, url, code, reason, checkedAt }: CrawlReceipt, links: Links) {
  return html`<entry>
<id>${links.receipt(id)}</id>
<title>${untrustedText(`${method} ${url}`, TITLE_MAX_CHARS)}</title>
<link rel="alternate" href="${links.receipt(id)}"/>
<updated>${checkedAt.toISOString()}</updated>
<category term="${code}"/>
<summary>${untrustedText(reason, SUMMARY_MAX_CHARS)}</summary>
</entry>
`;
}
