import { html } from 'hono/html';
import type { HtmlEscapedString } from 'hono/utils/html';

export type Html = HtmlEscapedString | Promise<HtmlEscapedString>;

export interface PageParts {
  readonly title: string;
  readonly body: Html;
  /** One sentence for search engines and for previews of a link. */
  readonly description?: string;
  /** The canonical address, for link previews; without it there is no preview. */
  readonly address?: string;
  /** An Atom feed, for feed readers. */
  readonly feed?: { readonly title: string; readonly href: string };
  /** With our own script file; the page works without it. */
  readonly scripted?: true;
}

/** The frame of every page. Style and script are files, so that nothing is inline. */
export function layout(page: PageParts): Html {
  const { title, body, description, feed, scripted } = page;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Assay</title>
${description === undefined ? '' : html`<meta name="description" content="${description}">\n`}${preview(page)}<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/style.css">
${scripted ? html`<script src="/assay.js" defer></script>\n` : ''}${
  feed === undefined
    ? ''
    : html`<link rel="alternate" type="application/atom+xml" title="${feed.title}" href="${feed.href}">\n`
}</head>
<body>
<header><a href="/">Assay</a> <nav aria-label="Site"><a href="/v1/skips">Skips</a> <a href="/catalog">Catalog</a> <a href="/docs">Docs</a></nav></header>
<main>
${body}
</main>
<footer><p>Payment buys access to a result and never changes it. Assay never pays the endpoint it checks, gives no
investment advice and holds no customer funds.</p>
<p><a href="/openapi.json">OpenAPI</a> <a href="/llms.txt">llms.txt</a> <a href="/problems">Error codes</a>
<a href="/sellers">For sellers</a> <a href="/corrections">Corrections</a> <a href="/prober">About our prober</a></p></footer>
</body>
</html>
`;
}

/** Link preview (Open Graph). */
function preview({ title, description = '', address }: PageParts): Html | string {
  if (address === undefined) return '';
  return html`<link rel="canonical" href="${address}">
<meta property="og:type" content="website">
<meta property="og:site_name" content="Assay">
<meta property="og:title" content="${title}">
<meta property="og:description" content="${description}">
<meta property="og:url" content="${address}">
<meta name="twitter:card" content="summary">
`;
}
