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
  /** The picture of a link preview, 1200 by 630. */
  readonly card?: { readonly href: string; readonly alt: string };
  /** The same data as JSON. */
  readonly json?: string;
  /** An Atom feed, for feed readers. */
  readonly feed?: { readonly title: string; readonly href: string };
  /** With our own script file; the page works without it. */
  readonly scripted?: true;
}

/** The frame of every page. Style and script are files, so that nothing is inline. */
export function layout(page: PageParts): Html {
  const { title, body, description, json, feed, scripted } = page;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Assay</title>
${description === undefined ? '' : html`<meta name="description" content="${description}">\n`}${preview(page)}<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="apple-touch-icon" href="/apple-touch-icon.png">
<link rel="stylesheet" href="/style.css">
${scripted ? html`<script src="/assay.js" defer></script>\n` : ''}${
  json === undefined ? '' : html`<link rel="alternate" type="application/json" href="${json}">\n`
}${
  feed === undefined
    ? ''
    : html`<link rel="alternate" type="application/atom+xml" title="${feed.title}" href="${feed.href}">\n`
}</head>
<body>
<a class="to-content" href="#content">To the content</a>
<header><a class="brand" href="/">${MARK}Assay</a>
<nav aria-label="Site"><a href="/">Check</a> <a href="/v1/skips">Skips</a> <a href="/catalog">Catalog</a> <a href="/method">Method</a> <a href="/docs">Docs</a></nav></header>
<main id="content">
${body}
</main>
${FOOTER}
</body>
</html>
`;
}

/** A punch of an assay office; the crossbar of its A is the beam of a balance. */
const MARK = html`<svg viewBox="0 0 32 32" aria-hidden="true" focusable="false"><path class="punch" d="M10 1h12l9 9v12l-9 9H10l-9-9V10z"/><path class="beam" d="M9.5 25 16 7.5 22.5 25M6.5 18.5h19"/></svg>`;

const FOOTER = html`<footer>
<nav aria-label="All pages">
<div><h2>Use it</h2><ul><li><a href="/docs">Docs</a></li><li><a href="/mcp">MCP server</a></li><li><a href="/openapi.json">OpenAPI</a></li><li><a href="/llms.txt">llms.txt</a></li><li><a href="/problems">Error codes</a></li></ul></div>
<div><h2>Check us</h2><ul><li><a href="/method">Method</a></li><li><a href="/corrections">Corrections</a></li></ul></div>
<div><h2>Sellers</h2><ul><li><a href="/sellers">For sellers</a></li><li><a href="/prober">About our prober</a></li></ul></div>
</nav>
<p>Payment buys access to a result and never changes it. A check never pays the endpoint, and Assay gives no investment advice and holds no
customer funds.</p>
</footer>`;

/** Link preview (Open Graph). */
function preview({ title, description = '', address, card }: PageParts): Html | string {
  if (address === undefined) return '';
  return html`<link rel="canonical" href="${address}">
<meta property="og:type" content="website">
<meta property="og:site_name" content="Assay">
<meta property="og:title" content="${title}">
<meta property="og:description" content="${description}">
<meta property="og:url" content="${address}">
${
  card === undefined
    ? html`<meta name="twitter:card" content="summary">`
    : html`<meta property="og:image" content="${card.href}">
<meta property="og:image:width" content="1200">
<meta property="og:image:height" content="630">
<meta property="og:image:alt" content="${card.alt}">
<meta name="twitter:card" content="summary_large_image">`
}
`;
}
